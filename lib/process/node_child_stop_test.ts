import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { LeftoverProcessesError } from "./errors.ts";
import { processHostOn } from "./node_process_host.ts";
import { localSystem } from "./node_system.ts";
import { cleanUp, newToken, processesOf, startFixture, startShell, until } from "./process_fixtures_test.ts";
import { ProcessLook, type ProcessTable } from "./process_table.ts";
import { SharedLooks } from "./shared_looks.ts";

const QUICK = { eofGraceMs: 60, killGraceMs: 1000 };
const PATIENT = { eofGraceMs: 8000, killGraceMs: 3000 };

/** A daemon as the textbooks have it: fork, setsid, fork again, all parents gone. */
const DAEMON = "import os, sys, time\n" +
  "if os.fork() == 0:\n" +
  " os.setsid()\n" +
  " if os.fork() == 0: time.sleep(float(sys.argv[1]))\n" +
  " os._exit(0)\n" +
  "os.wait()\n" +
  "print('ready', flush=True)\n" +
  "sys.stdin.read()";

/** What is left of a job when the shell that controlled it is gone: only the session tells whose it was. */
const ORPHANED_JOB = "import os, sys\n" +
  "if os.fork() == 0:\n" +
  " if os.fork() == 0:\n" +
  "  os.setpgid(0, 0)\n" +
  "  os.execve('/bin/sleep', ['sleep', sys.argv[1]], {})\n" +
  " os._exit(0)\n" +
  "os.wait()\n" +
  "print('ready', flush=True)\n" +
  "sys.stdin.read()";

afterEach(cleanUp);

describe("stop() of a child", () => {
  it("that obeys the end of its stdin sends no signal", async () => {
    const token = newToken();
    const { handle, wrote } = await startShell(
      "trap 'exit 9' TERM; echo ready; cat >/dev/null; exit 4",
      token,
    );
    await wrote("ready");
    await handle.stop(PATIENT);
    assert.deepEqual(await handle.exit, { exitCode: 4, signal: null });
  });

  it("that is deaf to the end of its stdin sends SIGTERM (agentclientprotocol/claude-agent-acp#325)", async () => {
    const token = newToken();
    const { handle } = await startFixture("sleep", [token]);
    await handle.stop({ ...PATIENT, eofGraceMs: 60 });
    assert.deepEqual(await handle.exit, { exitCode: null, signal: "SIGTERM" });
    assert.deepEqual(processesOf(token), []);
  });

  it("that ignores SIGTERM sends SIGKILL, also under Deno, whose second child.kill() sends nothing", async () => {
    const token = newToken();
    const { handle, wrote } = await startShell("trap '' TERM; echo ready; while :; do sleep $0; done", token);
    await wrote("ready");
    const begun = performance.now();
    await handle.stop(QUICK);
    const tookMs = performance.now() - begun;
    assert.deepEqual(await handle.exit, { exitCode: null, signal: "SIGKILL" });
    assert.deepEqual(processesOf(token), []);
    assert.ok(tookMs >= 200 && tookMs < 4000, `took ${tookMs} ms`);
  });

  it("that is stopped by SIGSTOP ends it all the same", async () => {
    const token = newToken();
    const { handle } = await startFixture("sleep", [token]);
    process.kill(handle.pid!, "SIGSTOP");
    await handle.stop(QUICK);
    assert.deepEqual(await handle.exit, { exitCode: null, signal: "SIGKILL" });
  });

  it("that exited long ago costs no signal and no grace", async () => {
    const { handle } = await startShell("exit 6", newToken());
    await handle.exit;
    const begun = performance.now();
    await handle.stop(PATIENT);
    assert.ok(performance.now() - begun < PATIENT.eofGraceMs);
  });
});

describe("stop() ends what a child started", () => {
  for (
    const [name, script] of [
      ["behind a launcher, as npx is (agentclientprotocol/rust-sdk#249, getpaseo/paseo#1459)", "sleep $0; :"],
      [
        "when the launcher does not forward signals (carlos-algms/agentic.nvim#243)",
        "trap '' TERM; sh -c 'sleep $0' $0; :",
      ],
      ["in the background", "sleep $0 & echo ready; cat >/dev/null"],
      ["and orphaned (OpenHands/software-agent-sdk#4910)", "(sleep $0 &) ; echo ready; cat >/dev/null"],
      ["in a session of its own", "setsid sleep $0 & echo ready; cat >/dev/null"],
      ["in a session of its own, orphaned", "(setsid sleep $0 &) ; echo ready; cat >/dev/null"],
      ["under nohup", "nohup sleep $0 >/dev/null 2>&1 & echo ready; cat >/dev/null"],
      [
        "under nohup and setsid, orphaned",
        "(setsid nohup sleep $0 >/dev/null 2>&1 &) ; echo ready; cat >/dev/null",
      ],
      ["with an empty environment", "env -i sleep $0 & echo ready; cat >/dev/null"],
      [
        "with an empty environment in a session of its own",
        "setsid env -i sleep $0 & echo ready; exec sleep $0",
      ],
      [
        "in a job's group of its own, orphaned",
        "(set -m; env -i sleep $0 &) 2>/dev/null; echo ready; cat >/dev/null",
      ],
    ] as const
  ) {
    it(name, async () => {
      const token = newToken();
      const { handle, wrote } = await startShell(script, token);
      if (script.includes("ready")) await wrote("ready");
      await until(() => processesOf(token).length >= 2, "the child's child");
      await handle.stop(QUICK);
      assert.deepEqual(processesOf(token), []);
    });
  }

  for (
    const [name, program] of [
      ["as a daemon, forked twice", DAEMON],
      ["as a shell's job, in a group of its own, orphaned, with an empty environment", ORPHANED_JOB],
    ] as const
  ) {
    it(name, async () => {
      const token = newToken();
      const { handle, wrote } = await startFixture("python3", ["-c", program, token]);
      await wrote("ready");
      await until(() => processesOf(token).length === 2, "the descendant");
      await handle.stop(QUICK);
      assert.deepEqual(processesOf(token), []);
    });
  }

  it("and that goes on starting more", async () => {
    const token = newToken();
    const { handle, wrote } = await startShell(
      "trap '' TERM; echo ready; while :; do setsid sleep $0 & sleep 0.01; done",
      token,
    );
    await wrote("ready");
    await until(() => processesOf(token).length > 3, "the first few");
    await handle.stop(QUICK);
    assert.deepEqual(processesOf(token), []);
  });

  for (
    const [name, script] of [
      ["ignores SIGTERM", "(trap '' TERM; sleep $0; sleep $0) & echo ready; exit 3"],
      ["holds its stdout", "sleep $0 & echo ready; exit 3"],
      [
        "is in a session of its own",
        "(trap '' TERM; exec setsid sh -c 'sleep $0; :' $0) & echo ready; exit 3",
      ],
    ] as const
  ) {
    it(`when the child died first and what it left ${name} (kirodotdev/KiroCrew#10431, avante-corp/avante.nvim#3168)`, async () => {
      const token = newToken();
      const { handle, wrote } = await startShell(script, token);
      await wrote("ready");
      await handle.exit;
      await until(() => processesOf(token).length > 0, "the orphan");
      await handle.stop(QUICK);
      assert.deepEqual(await handle.exit, { exitCode: 3, signal: null });
      assert.deepEqual(processesOf(token), []);
    });
  }

  it("when the child was killed from outside (exit 143, SIGKILL, OOM)", async () => {
    const token = newToken();
    const { handle, wrote } = await startShell("setsid sleep $0 & echo ready; cat >/dev/null", token);
    await wrote("ready");
    await until(() => processesOf(token).length === 2, "the child's child");
    process.kill(handle.pid!, "SIGKILL");
    await handle.exit;
    assert.equal(processesOf(token).length, 1);
    await handle.stop(QUICK);
    assert.deepEqual(processesOf(token), []);
  });

  it("through a host in between that died, by the lineage in the marker", async () => {
    const token = newToken();
    const outer = await startShell(
      'echo "$SUBAGENT_SEAM_TREE" ready; cat >/dev/null',
      token,
    );
    await outer.wrote("ready");
    // What a nested host starts: its own session, orphaned, the outer id before its own.
    const lineage = outer.output().split(" ")[0]!;
    const environment = () => ({ ...process.env, SUBAGENT_SEAM_TREE: lineage });
    const host = processHostOn(() => ({ ...localSystem(), environment }));
    const inner = await startShell("sleep $0", token, { host });
    await outer.handle.stop(QUICK);
    assert.deepEqual(await inner.handle.exit, { exitCode: null, signal: "SIGTERM" });
    assert.deepEqual(processesOf(token), []);
    await inner.handle.stop(QUICK);
  });
});

describe("stop() touches nobody else", () => {
  it("not a sibling, nor what that started (NousResearch/hermes-agent#114795, svkozak/pi-acp#131)", async () => {
    const [token, siblings] = [newToken(), newToken()];
    const script = "setsid sleep $0 & sleep $0 & echo ready; cat >/dev/null";
    const [child, sibling] = await Promise.all([startShell(script, token), startShell(script, siblings)]);
    await Promise.all([child.wrote("ready"), sibling.wrote("ready")]);
    await until(() => processesOf(siblings).length === 3, "the sibling's tree");
    const before = processesOf(siblings);
    await child.handle.stop(QUICK);
    assert.deepEqual(processesOf(token), []);
    assert.deepEqual(processesOf(siblings), before);
    await sibling.handle.stop(QUICK);
    assert.deepEqual(processesOf(siblings), []);
  });

  it("not the host's own group (WallyDoodlez/SquidSquad#13040)", async () => {
    const token = newToken();
    const { spawn } = process.getBuiltinModule("node:child_process");
    const neighbour = spawn("sleep", [token], { stdio: "ignore" }); // in this process's group
    const ended = new Promise((resolve) => neighbour.once("exit", resolve));
    const { handle } = await startShell("trap '' TERM; while :; do sleep 0.05; done", newToken());
    await handle.stop(QUICK);
    assert.deepEqual(processesOf(token), [neighbour.pid]);
    process.kill(neighbour.pid!, "SIGKILL");
    await ended;
  });
});

describe("stop() that cannot end everything", () => {
  /** A table in which the processes of a tree, by pid, do not go. */
  function haunted(ghosts: ReadonlySet<number>): ProcessTable {
    const look = () =>
      new ProcessLook(
        [...ghosts].map((pid) => ({
          pid,
          parent: 1,
          group: pid,
          session: pid,
          startTime: Number.MAX_SAFE_INTEGER,
        })),
        () => "SUBAGENT_SEAM_TREE=tree-id\0",
      );
    return { look: () => Promise.resolve(look()), lookNow: look, startTimeOf: () => 0 };
  }

  it("reports what is left, in time, and keeps trying at the host's exit", async () => {
    const ghost = 2 ** 30;
    const ghosts = new Set([ghost]);
    const sent: unknown[] = [];
    const local = localSystem();
    const host = processHostOn(() => ({
      ...local,
      newTreeId: () => "tree-id",
      looks: new SharedLooks(haunted(ghosts)),
      kill: (pid, signal) => {
        if (pid !== ghost) return local.kill(pid, signal);
        sent.push(signal);
      },
    }));
    const { handle } = await startFixture("cat", [], { host });
    const begun = performance.now();
    await assert.rejects(handle.stop(QUICK), (error) => {
      assert.ok(LeftoverProcessesError.is(error));
      assert.deepEqual(error.pids, [ghost]);
      assert.equal(error.message, "The child's process tree did not end: 1 process left after SIGKILL");
      return true;
    });
    assert.ok(performance.now() - begun < 3000);
    assert.equal(sent[0], "SIGTERM");
    assert.ok(sent.length > 2 && sent.slice(1).every((signal) => signal === "SIGKILL"));
    assert.ok(process.listeners("exit").some(({ name }) => name === "killAll"));
    ghosts.clear(); // so that the tests after this one, which Bun runs in this process, are not haunted
    assert.deepEqual(await handle.exit, { exitCode: 0, signal: null });
  });
});
