import assert from "node:assert/strict";
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { win32 } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, it } from "node:test";
import { ProcessStartError } from "./errors.ts";
import { processHostOn } from "./node_process_host.ts";
import type { NodeSystem } from "./node_system.ts";
import { NO_PROCESS_TABLE } from "./process_table.ts";
import { cleanUp, newToken, startFixture, startShell, temporaryFile } from "./process_fixtures_test.ts";
import { SharedLooks } from "./shared_looks.ts";

const STOP = { eofGraceMs: 5000, killGraceMs: 2000 };
const isBun = "Bun" in globalThis;

afterEach(cleanUp);

describe("nodeProcessHost().spawn() that cannot start", () => {
  for (
    const [name, command, cwd, fault, systemCode] of [
      ["a missing command", "/does/not/exist", "/", "command-missing", "ENOENT"],
      [
        "a missing command on PATH (aws/agentcore-cli#1849)",
        "no-such-agent-here",
        "/",
        "command-missing",
        "ENOENT",
      ],
      [
        "a file that may not be executed",
        "/etc/passwd",
        "/",
        "command-refused",
        "EACCES",
      ],
      ["a folder", "/usr", "/", "command-refused", "EACCES"],
      [
        "a working directory that is missing, which the system blames on the command",
        "sh",
        "/does/not/exist",
        "working-directory",
        "ENOENT",
      ],
    ] as const
  ) {
    it(`blames ${name}`, async () => {
      const listeners = process.listenerCount("exit");
      await assert.rejects(startFixture(command, ["secret-argument"], { cwd }), (error) => {
        assert.ok(ProcessStartError.is(error));
        assert.deepEqual([error.fault, error.systemCode], [fault, systemCode]);
        assert.ok(error.cause instanceof Error);
        assert.doesNotMatch(error.message, /secret|exist|\//);
        return true;
      });
      assert.equal(process.listenerCount("exit"), listeners);
    });
  }

  it("wraps what the runtime throws before there is a process", async () => {
    await assert.rejects(startFixture("sh", ["a\0b"]), (error) => {
      assert.ok(ProcessStartError.is(error));
      assert.equal(error.fault, "other");
      assert.ok(error.cause instanceof Error);
      return true;
    });
  });

  it(
    isBun
      ? "refuses a file without a first line, which only Bun does not give to sh"
      : "gives a file without a first line to sh, as execvp does",
    async () => {
      const script = temporaryFile("agent", "echo ready; cat >/dev/null\n", 0o755);
      if (isBun) {
        await assert.rejects(startFixture(script, []), {
          name: "ProcessStartError",
          fault: "command-refused",
        });
        return;
      }
      const { handle, wrote } = await startFixture(script, []);
      await wrote("ready");
      await handle.stop(STOP);
    },
  );
});

describe("nodeProcessHost().spawn()", () => {
  it("passes arguments as they are, through no shell", async () => {
    const args = ["a b", "$HOME", "`id`", "", "*", "'", '"', "ä\n"];
    const { handle, output } = await startFixture(process.execPath, [
      "-e",
      "console.log(JSON.stringify(process.argv.slice(-8)))",
      "--",
      ...args,
    ]);
    await handle.exit;
    await handle.stop(STOP);
    assert.deepEqual(JSON.parse(output()), args);
  });

  it("gives the child the scrubbed environment, the explicit one and a marker", async () => {
    process.env["TEST_HOST_TOKEN"] = "host-secret";
    process.env["TEST_HOST_NOTE"] = "kept";
    try {
      const { handle, output } = await startFixture("env", [], {
        env: { TEST_API_KEY: "explicit", HOME: undefined },
      });
      await handle.exit;
      await handle.stop(STOP);
      const lines = output().split("\n");
      assert.ok(lines.includes("TEST_HOST_NOTE=kept"));
      assert.ok(lines.includes("TEST_API_KEY=explicit"));
      assert.ok(!output().includes("host-secret"));
      assert.ok(!lines.some((line) => line.startsWith("HOME=")));
      assert.match(output(), /^SUBAGENT_SEAM_TREE=(?:\S+:)?[\da-f-]{36}$/m);
    } finally {
      delete process.env["TEST_HOST_TOKEN"];
      delete process.env["TEST_HOST_NOTE"];
    }
  });

  it("gives each child another marker", async () => {
    const markers = await Promise.all([1, 2].map(async () => {
      const { handle, output } = await startShell('echo "$SUBAGENT_SEAM_TREE"', newToken());
      await handle.exit;
      await handle.stop(STOP);
      return output();
    }));
    assert.notEqual(markers[0], markers[1]);
  });

  it("starts in the working directory asked for", async () => {
    const { handle, output } = await startFixture("pwd", [], { cwd: "/usr" });
    await handle.exit;
    await handle.stop(STOP);
    assert.equal(output(), "/usr\n");
  });

  it("starts the child as the leader of its own group (WallyDoodlez/SquidSquad#13040)", async () => {
    const { handle, output, wrote } = await startShell(
      "ps -o pgid= -p $$; echo ready; cat >/dev/null",
      newToken(),
    );
    await wrote("ready");
    assert.equal(Number.parseInt(output(), 10), handle.pid);
    await handle.stop(STOP);
  });
});

/** A Windows machine on which every program ends with 1 when it is killed by taskkill. */
class FakeWindows implements NodeSystem {
  readonly platform = "win32";
  readonly pid = 1;
  readonly looks = new SharedLooks(NO_PROCESS_TABLE);
  readonly spawned: [command: string, args: readonly string[], options: SpawnOptions][] = [];
  readonly files = new Map<string, string>();
  readonly windowsFiles = {
    read: (path: string) => this.files.get(path),
    exists: (path: string) => this.files.has(path),
    resolve: (directory: string, path: string) => win32.resolve(directory, path),
  };
  readonly childProcess = {
    spawn: (command: string, args: readonly string[], options: SpawnOptions) =>
      this.#spawn(command, args, options),
    spawnSync: () => {},
  } as unknown as NodeSystem["childProcess"];
  agent: EventEmitter | undefined;
  unreferenced = 0;
  /** Whether taskkill fails. */
  unkillable = false;

  kill(): never {
    throw new Error("There are no signals on Windows");
  }

  environment(): Record<string, string> {
    return { Path: "C:\\npm", SystemRoot: "C:\\Windows", Api_Key: "host", APPDATA: "C:\\me" };
  }

  newTreeId(): string {
    return "tree-id";
  }

  #spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    this.spawned.push([command, args, options]);
    if (command.endsWith("taskkill.exe")) {
      if (!this.unkillable) queueMicrotask(() => this.agent!.emit("exit", 1, null));
      return new EventEmitter() as ChildProcess;
    }
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: null };
    const agent = Object.assign(new EventEmitter(), {
      ...streams,
      pid: 42,
      unref: () => this.unreferenced++,
    });
    this.agent = agent;
    queueMicrotask(() => agent.emit("spawn"));
    return agent as unknown as ChildProcess;
  }
}

describe("nodeProcessHost() on Windows (a fake machine)", () => {
  it("starts a shim's script without a shell, not detached, and ends it by taskkill at once", async () => {
    const system = new FakeWindows();
    system.files.set("C:\\npm\\agent.CMD", '"%~dp0\\node.exe"  "%~dp0\\agent\\cli.js" %*');
    system.files.set("C:\\npm\\node.exe", "");
    const { handle } = await startFixture("agent", ["acp"], {
      host: processHostOn(() => system, { drainMs: 1 }),
      cwd: "C:\\work",
      env: { APPDATA: undefined },
    });
    await handle.stop({ eofGraceMs: 20, killGraceMs: 5000 });
    assert.deepEqual(await handle.exit, { exitCode: 1, signal: null });
    assert.deepEqual(system.spawned, [
      ["C:\\npm\\node.exe", ["C:\\npm\\agent\\cli.js", "acp"], {
        cwd: "C:\\work",
        env: { Path: "C:\\npm", SystemRoot: "C:\\Windows", SUBAGENT_SEAM_TREE: "tree-id" },
        detached: false,
        windowsHide: true,
        stdio: ["pipe", "pipe", "ignore"],
      }],
      ["C:\\Windows\\System32\\taskkill.exe", ["/PID", "42", "/T", "/F"], {
        stdio: "ignore",
        windowsHide: true,
      }],
    ]);
  });

  it("reports a child that taskkill cannot end, and does not wait for it (proliferate-ai/proliferate#2147)", async () => {
    const system = new FakeWindows();
    system.unkillable = true;
    const { handle } = await startFixture("agent", [], { host: processHostOn(() => system, { drainMs: 1 }) });
    await assert.rejects(handle.stop({ eofGraceMs: 5, killGraceMs: 5 }), {
      code: "LEFTOVER_PROCESSES",
      pids: [42],
    });
    assert.equal(system.spawned.filter(([command]) => command.endsWith("taskkill.exe")).length, 2);
    assert.equal(system.unreferenced, 1);
    system.agent!.emit("exit", 1, null);
  });

  it("an error event after the start does not end the host", async () => {
    const system = new FakeWindows();
    const { handle } = await startFixture("agent", [], { host: processHostOn(() => system, { drainMs: 1 }) });
    system.agent!.emit("error", new Error("kill EPERM"));
    system.agent!.emit("error", new Error("kill EPERM"));
    await handle.stop({ eofGraceMs: 1, killGraceMs: 5000 });
  });

  it("says what to do about a batch file that needs a shell (openclaw/acpx#191)", async () => {
    const system = new FakeWindows();
    system.files.set("C:\\npm\\agent.CMD", "@echo off");
    await assert.rejects(startFixture("agent", [], { host: processHostOn(() => system), cwd: "C:\\work" }), {
      name: "ProcessStartError",
      fault: "needs-shell",
    });
    assert.deepEqual(system.spawned, []);
  });
});
