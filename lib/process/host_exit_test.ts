import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { afterEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { killAtHostExit } from "./host_exit.ts";
import {
  cleanUp,
  DEADLINE_MS,
  newToken,
  processesOf,
  temporaryFile,
  until,
} from "./process_fixtures_test.ts";

const projectRoot = fileURLToPath(new URL("../../", import.meta.url));
const isDeno = "Deno" in globalThis;

/** How this runtime runs a TypeScript file. */
function runtimeArguments(): string[] {
  if (isDeno) return ["run", "-A", "--no-check"];
  return process.execArgv.filter((argument) => !argument.startsWith("--test"));
}

/** Starts a program in this runtime. */
function startHost(script: string) {
  return spawn(process.execPath, [...runtimeArguments(), script], {
    cwd: projectRoot,
    stdio: ["pipe", "pipe", "ignore"],
  });
}

/** How a host ended, and whether it said something after its ending. */
interface HostExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

/**
 * Runs a host with trees of several kinds: a child deaf to all but SIGKILL, one whose grandchild has a session of its
 * own, one that left an orphan behind, and an agent (with the second token) that ends with its stdin. Once all run, it
 * does what `ending` says.
 */
async function runHost(deafToken: string, agentToken: string, ending: string): Promise<HostExit> {
  const script = temporaryFile(
    "host.mts",
    `import { nodeProcessHost } from ${
      JSON.stringify(new URL("./node_process_host.ts", import.meta.url).href)
    };
const host = nodeProcessHost();
let ready = 0;
for (const [script, token] of [
  ["trap '' TERM; echo; while :; do sleep $0; done", "${deafToken}"],
  ["trap '' TERM; setsid sleep $0 & echo; while :; do sleep $0; done", "${deafToken}"],
  ["(setsid sleep $0 &) ; echo; exit 0", "${deafToken}"],
  ["echo; cat >/dev/null", "${agentToken}"],
]) {
  await host.spawn({
    command: "sh", args: ["-c", script, token], cwd: "/", env: {}, stderr: "ignore",
    stdout: { data() { if (++ready === 4) console.log("ready"); }, end() {} },
  });
}
process.stdin.once("data", () => { ${ending} });
`,
  );
  const host = startHost(script);
  const timer = setTimeout(() => process.kill(host.pid!, "SIGKILL"), DEADLINE_MS);
  let output = "";
  host.stdout.on("data", (chunk: Uint8Array) => output += new TextDecoder().decode(chunk));
  host.stdin.on("error", () => {}); // EPIPE, should it end before its input does
  const exit = new Promise<HostExit>((resolve) => {
    host.once("close", (code, signal) => resolve({ code, signal, output: output.replace("ready\n", "") }));
  });
  try {
    // Two shells with a sleep each, two sleeps in sessions of their own; a shell that is about to start one counts too.
    await until(() => output.includes("ready") && processesOf(deafToken).length >= 6, "all processes");
    host.stdin.write("go\n");
    return await exit;
  } finally {
    clearTimeout(timer);
  }
}

afterEach(cleanUp);

describe("the host's exit kills all live trees", () => {
  for (
    const [name, ending, code] of [
      ["by process.exit() (zed-industries/zed#56146, denoland/deno#8772)", "process.exit(3)", 3],
      ["by an uncaught exception", "setTimeout(() => { throw new Error('boom'); })", 1],
      ["by an unhandled rejection", "void Promise.reject(new Error('boom'))", 1],
    ] as const
  ) {
    it(name, async () => {
      const [deaf, agent] = [newToken(), newToken()];
      assert.deepEqual(await runHost(deaf, agent, ending), { code, signal: null, output: "" });
      await until(() => processesOf(deaf).length === 0, "the deaf trees to end");
      await until(() => processesOf(agent).length === 0, "the agent to end");
    });
  }
});

describe("a host that has stopped its children", () => {
  it("ends by itself: no handle, timer or pipe keeps it, not even one that an escaped process holds", async () => {
    const token = newToken();
    const script = temporaryFile(
      "host.mts",
      `import { nodeProcessHost } from ${
        JSON.stringify(new URL("./node_process_host.ts", import.meta.url).href)
      };
const host = nodeProcessHost({ drainMs: 20 });
const scripts = [
  "echo; exit 0", "echo; cat >/dev/null", "echo; exec sleep $0",
  "(setsid env -i sh -c 'echo; exec sleep $0' $0 &) ; cat >/dev/null",
];
await Promise.all(scripts.map(async (script) => {
  let ready;
  const written = new Promise((resolve) => ready = resolve);
  const child = await host.spawn({
    command: "sh", args: ["-c", script, "${token}"], cwd: "/", env: {}, stderr: () => {},
    stdout: { data: () => ready(), end() {} },
  });
  child.write("x".repeat(100000)).catch(() => {});
  await written;
  await child.stop({ eofGraceMs: script === "echo; exec sleep $0" ? 100 : 60000, killGraceMs: 60000 });
}));
`,
    );
    const host = startHost(script);
    const ended = new Promise((resolve) => host.once("exit", (code, signal) => resolve({ code, signal })));
    const timer = setTimeout(() => process.kill(host.pid!, "SIGKILL"), DEADLINE_MS);
    assert.deepEqual(await ended, { code: 0, signal: null });
    clearTimeout(timer);
    assert.equal(processesOf(token).length, 1, "the escaped process lives, or this tests nothing");
  });
});

describe("a host that goes on", () => {
  it("after an exception that it handles keeps its trees", async () => {
    const [deaf, agent] = [newToken(), newToken()];
    const { code, output } = await runHost(
      deaf,
      agent,
      `process.on("uncaughtException", async () => {
        const { spawnSync } = await import("node:child_process");
        const alive = spawnSync("ps", ["-axo", "args="], { encoding: "utf8" }).stdout.split("\\n");
        console.log(alive.some((line) => line.includes("${agent}")) ? "agent lives" : "agent is gone");
        process.exit(0);
      });
      setTimeout(() => { throw new Error("boom"); });`,
    );
    assert.deepEqual([code, output], [0, "agent lives\n"]);
  });
});

describe("a host that is killed", () => {
  it("cannot kill anything, but an agent that reads its stdin sees its end (reddb-io/red-skills#4241)", async () => {
    const [deaf, agent] = [newToken(), newToken()];
    const { signal } = await runHost(deaf, agent, "process.kill(process.pid, 'SIGKILL')");
    assert.equal(signal, "SIGKILL");
    await until(() => processesOf(agent).length === 0, "the agent to end");
    assert.ok(processesOf(deaf).length >= 6);
  });
});

/** This library's listeners; Bun runs all test files in one process, and one of them may have left a tree. */
function ownListeners() {
  return process.listeners("exit").filter(({ name }) => name === "killAll");
}

describe("killAtHostExit()", () => {
  it("has one listener for all trees, and none more than before without them", () => {
    const before = ownListeners();
    const releases = Array.from({ length: 200 }, () => killAtHostExit({ killNow: () => false }));
    assert.equal(ownListeners().length, 1);
    for (const release of releases.slice(1)) release();
    assert.equal(ownListeners().length, 1);
    releases[0]!();
    releases[0]!();
    assert.equal(ownListeners().length, before.length);
  });

  it("kills in rounds until nothing was found, all trees of a round under one name", () => {
    const rounds: object[][] = [[], []];
    const releases = rounds.map((seen, index) =>
      killAtHostExit({ killNow: (round) => seen.push(round) === 1 && index === 0 })
    );
    ownListeners()[0]!.call(process, 0);
    assert.equal(rounds[0]!.length, 2);
    assert.deepEqual(rounds[0]!.map((round, index) => round === rounds[1]![index]), [true, true]);
    assert.notEqual(rounds[0]![0], rounds[0]![1]);
    for (const release of releases) release();
  });

  it("gives up after three rounds", () => {
    let count = 0;
    const release = killAtHostExit({ killNow: () => ++count > 0 });
    ownListeners()[0]!.call(process, 0);
    assert.equal(count, 3);
    release();
  });
});
