import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { nodeProcessHost } from "./node_process_host.ts";
import { observeExit } from "./observe_exit.ts";
import { cleanUp, newToken, processesOf, startFixture, startShell, until } from "./process_fixtures_test.ts";

const STOP = { eofGraceMs: 5000, killGraceMs: 2000 };
const listenersOfOthers = ownExitListeners(); // Bun runs all test files in one process

/** How many listeners this library has for the host's exit; test runners come and go with theirs. */
function ownExitListeners(): number {
  return process.listeners("exit").filter(({ name }) => name === "killAll").length;
}

afterEach(cleanUp);

describe("NodeChild.exit", () => {
  for (
    const [name, script, expected] of [
      ["is code 0", "exit 0", { exitCode: 0, signal: null }],
      ["is the child's code", "exit 7", { exitCode: 7, signal: null }],
      ["is a signal", "kill -9 $$", { exitCode: null, signal: "SIGKILL" }],
      [
        "is the code of a child that handled its signal (xenodium/acp.el#10)",
        "trap 'exit 143' TERM; kill -TERM $$; sleep 5",
        {
          exitCode: 143,
          signal: null,
        },
      ],
    ] as const
  ) {
    it(name, async () => {
      const { handle } = await startShell(script, newToken());
      assert.deepEqual(await handle.exit, expected);
      await handle.stop(STOP);
    });
  }

  it("is the code of a child that handles the ladder's SIGTERM, also under Deno, whose child.kill() says SIGTERM", async () => {
    const { handle, wrote } = await startShell(
      "trap 'exit 5' TERM; echo ready; while :; do sleep 0.02; done",
      newToken(),
    );
    await wrote("ready");
    await handle.stop({ eofGraceMs: 20, killGraceMs: 5000 });
    assert.deepEqual(await handle.exit, { exitCode: 5, signal: null });
  });

  it("comes while a grandchild holds stdout, which stays open until stop()", async () => {
    const token = newToken();
    const { handle, wrote, ends } = await startShell("sleep $0 & echo ready; exit 3", token);
    await wrote("ready");
    assert.deepEqual(await handle.exit, { exitCode: 3, signal: null });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(ends(), 0);
    await handle.stop({ eofGraceMs: 20, killGraceMs: 5000 });
    assert.equal(ends(), 1);
  });

  it("does not come when the child only closes its stdout", async () => {
    const { handle, wrote, ends } = await startShell("echo ready; exec >&-; cat >/dev/null", newToken());
    await wrote("ready");
    await until(() => ends() === 1, "the end of stdout");
    assert.equal(await observeExit(handle, 30), undefined);
    await handle.stop(STOP);
    assert.deepEqual(await handle.exit, { exitCode: 0, signal: null });
    assert.equal(ends(), 1);
  });
});

describe("NodeChild's pipes", () => {
  it("deliver everything that a child wrote before it exited", async () => {
    const { handle, output, ends } = await startFixture(process.execPath, [
      "-e",
      "process.stdout.write('x'.repeat(300000) + '!')",
    ]);
    await handle.exit;
    await handle.stop(STOP);
    assert.equal(output().length, 300_001);
    assert.equal(ends(), 1);
  });

  it("pass stderr to a function, and drain it (HKUDS/OpenHarness#204, anthropics/claude-agent-sdk-python#103)", async () => {
    let bytes = 0;
    const { handle, output } = await startFixture(process.execPath, [
      "-e",
      "process.stderr.write('e'.repeat(1000000), () => process.stdout.write('written'))",
    ], { stderr: (chunk) => bytes += chunk.length });
    await handle.exit;
    await handle.stop(STOP);
    assert.deepEqual([bytes, output()], [1_000_000, "written"]);
  });

  it("ignore stderr without blocking the child", async () => {
    const { handle, output } = await startFixture(process.execPath, [
      "-e",
      "process.stderr.write('e'.repeat(1000000), () => process.stdout.write('written'))",
    ], { stderr: "ignore" });
    await handle.exit;
    await handle.stop(STOP);
    assert.equal(output(), "written");
  });

  it("write() reaches the child", async () => {
    const { handle, wrote } = await startFixture("cat", []);
    await handle.write("hällo\n");
    await wrote("hällo\n");
    await handle.stop(STOP);
  });

  it("write() of a big prompt to a child that exits at once rejects and harms nobody (openai/codex-action#153)", async () => {
    const { handle } = await startShell("exit 0", newToken());
    await assert.rejects(handle.write("x".repeat(10_000_000)));
    await handle.exit;
    await assert.rejects(handle.write("more"));
    await handle.stop(STOP);
  });

  it("stop() is bounded when the child never reads the 10 MB that were written, and settles the write", async () => {
    const token = newToken();
    const { handle } = await startFixture("sleep", [token]);
    const write = handle.write("x".repeat(10_000_000));
    const begun = performance.now();
    await handle.stop({ eofGraceMs: 100, killGraceMs: 2000 });
    assert.ok(performance.now() - begun < 4100);
    await assert.rejects(write);
    assert.deepEqual(processesOf(token), []);
  });

  it("stop() delivers what was written before it", async () => {
    const { handle, output } = await startFixture("cat", []);
    void handle.write('{"method":"session/cancel"}\n');
    await handle.stop(STOP);
    assert.equal(output(), '{"method":"session/cancel"}\n');
  });

  it("stop() closes a stdout that a process out of reach holds open, after drainMs", async () => {
    const token = newToken();
    // A session of its own, no parent and an empty environment together: the one descendant that cannot be found.
    const { handle, wrote, ends } = await startShell(
      "(setsid env -i sh -c 'echo ready; exec sleep $0' $0 &) ; cat >/dev/null",
      token,
      { host: nodeProcessHost({ drainMs: 30 }) },
    );
    await wrote("ready");
    await handle.stop(STOP);
    assert.equal(ends(), 1);
    assert.equal(processesOf(token).length, 1);
  });
});

describe("NodeChild.stop()", () => {
  it("is one shared promise", async () => {
    const { handle } = await startFixture("cat", []);
    const first = handle.stop(STOP);
    assert.equal(handle.stop({ eofGraceMs: 1, killGraceMs: 1 }), first);
    await first;
    assert.equal(handle.stop(STOP), first);
    assert.deepEqual(await handle.exit, { exitCode: 0, signal: null });
  });

  it("refuses writes from then on", async () => {
    const { handle } = await startFixture("cat", []);
    const stopping = handle.stop(STOP);
    await assert.rejects(handle.write("late"), { message: /stdin is closed/ });
    await stopping;
  });

  it("fifty children at once leave no process and no listener", async () => {
    const token = newToken();
    const warnings: string[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", onWarning);
    const children = await Promise.all(
      Array.from({ length: 50 }, () => startShell("sleep $0 & cat >/dev/null; kill $!", token)),
    );
    assert.equal(ownExitListeners(), 1);
    await Promise.all(children.map(({ handle }) => handle.stop({ eofGraceMs: 8000, killGraceMs: 2000 })));
    process.off("warning", onWarning);
    assert.deepEqual(processesOf(token), []);
    assert.equal(ownExitListeners(), listenersOfOthers);
    assert.deepEqual(warnings, []);
    assert.deepEqual(children.map(({ ends }) => ends()), Array.from({ length: 50 }, () => 1));
  });
});
