import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { leftoverProcesses, leftoverReason, RUN_VARIABLE, SEES_PROCESSES } from "./leftover_processes.ts";

const RUN = { id: "r1", folder: "/tmp/run-r1" };

/** A process that has nothing to do with the run. */
const STRANGER = {
  pid: 42,
  argv: ["node", "server.js"],
  environment: ["PATH=/usr/bin"],
  cwd: "/srv",
};

describe("leftoverReason()", () => {
  const table: { name: string; process: Partial<typeof STRANGER>; reason: string | undefined }[] = [
    { name: "lets a stranger be", process: {}, reason: undefined },
    {
      name: "knows the run's environment",
      process: { environment: ["A=1", "SUBAGENT_SEAM_TEST_RUN=r1"] },
      reason: "inherited this run's environment",
    },
    {
      name: "lets another run's process be",
      process: { environment: ["SUBAGENT_SEAM_TEST_RUN=r2", "SUBAGENT_SEAM_TREE=x"] },
      reason: undefined,
    },
    {
      name: "knows a working directory in the temp folder",
      process: { cwd: "/tmp/run-r1/a", environment: [] },
      reason: "was started from this run's temp folder",
    },
    {
      name: "knows a program in the temp folder",
      process: { argv: ["sh", "/tmp/run-r1/a.sh"], environment: [] },
      reason: "was started from this run's temp folder",
    },
    {
      name: "lets a tree that another host of the library started be",
      process: { environment: ["SUBAGENT_SEAM_TREE=x"] },
      reason: undefined,
    },
  ];
  for (const { name, process, reason } of table) {
    it(name, () => assert.equal(leftoverReason({ ...STRANGER, ...process }, RUN), reason));
  }
});

const withoutProc = !SEES_PROCESSES && "needs Linux: this system has no /proc";

describe("leftoverProcesses()", { skip: withoutProc }, () => {
  const folder = mkdtempSync(join(tmpdir(), "leftover-processes-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const run = { id: `test-${process.pid}-${Date.now()}`, folder };

  /** Starts a process that waits, does `body` and ends it. */
  async function withChild(
    options: { env: Record<string, string | undefined>; cwd?: string },
    body: (pid: number) => Promise<void>,
  ) {
    const child = spawn("sleep", ["60"], { stdio: "ignore", ...options });
    const ended = once(child, "exit");
    await once(child, "spawn");
    try {
      await body(child.pid ?? 0);
    } finally {
      process.kill(child.pid ?? 0, "SIGKILL");
      await ended;
    }
  }

  it("finds nothing when nothing was left", async () => {
    assert.deepEqual(await leftoverProcesses(run, 0), []);
  });

  it("finds a process by its environment", () =>
    withChild({ env: { ...process.env, [RUN_VARIABLE]: run.id } }, async (pid) => {
      const left = await leftoverProcesses(run, 0);
      assert.deepEqual(left.map((one) => [one.process.pid, one.process.argv.at(-1)]), [[pid, "60"]]);
    }));

  it("finds a process with a cleared environment by its working directory", () =>
    withChild({ env: { PATH: process.env["PATH"] }, cwd: folder }, async (pid) => {
      assert.deepEqual((await leftoverProcesses(run, 0)).map((one) => one.process.pid), [pid]);
    }));

  it("waits for a process that is just ending", async () => {
    const child = spawn("sleep", ["0.3"], {
      stdio: "ignore",
      env: { ...process.env, [RUN_VARIABLE]: run.id },
    });
    const ended = once(child, "exit");
    await once(child, "spawn");
    assert.deepEqual(await leftoverProcesses(run, 20_000), []);
    await ended;
  });
});
