import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { AgentProcesses } from "./agent_processes.ts";

const DEADLINE_MS = 5_000;

/** A shell that names the folder, with a sleeper that names it nowhere; ended on every path. */
async function withTree(
  test: (shell: ChildProcess, processes: AgentProcesses) => void | Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "agent-processes-"));
  const script = "cd / && env -i sleep 600 & wait";
  const env = { PATH: process.env["PATH"], HOME: root };
  const shell = spawn("sh", ["-c", script], { env, stdio: "ignore", detached: true });
  try {
    const processes = new AgentProcesses(root);
    await until(() => programs(processes).includes("sleep"));
    await test(shell, processes);
  } finally {
    endGroup(shell);
    await rm(root, { recursive: true });
  }
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function endShell(shell: ChildProcess): Promise<void> {
  const exit = once(shell, "exit");
  process.kill(shell.pid!, "SIGKILL");
  await exit;
}

function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, "SIGKILL");
  } catch (error) {
    if ((error as { code?: string }).code !== "ESRCH") throw error;
  }
}

function programs(processes: AgentProcesses): string[] {
  return processes.look().map(({ argv }) => basename(argv[0] ?? "")).sort();
}

describe("AgentProcesses (Linux only: reads /proc)", { skip: process.platform !== "linux" }, () => {
  it("finds what names the folder, and its descendants", () =>
    withTree((shell, processes) => {
      assert.deepEqual(programs(processes), ["sh", "sleep"]);
      assert.equal(processes.direct()?.pid, shell.pid);
    }));

  it("finds a descendant again that has lost its parent and names the folder nowhere", () =>
    withTree(async (shell, processes) => {
      await endShell(shell);
      assert.deepEqual(programs(processes), ["sleep"]);
      assert.equal(processes.direct(), undefined);
    }));

  it("finds nothing once all have ended", () =>
    withTree(async (shell, processes) => {
      endGroup(shell);
      await until(() => programs(processes).length === 0);
      assert.deepEqual(programs(processes), []);
    }));
});
