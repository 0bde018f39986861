import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { AgentProcesses } from "./agent_processes.ts";

/** Starts a shell that starts a sleeper with an empty environment elsewhere, and prints once it did. */
async function startTree(root: string): Promise<ChildProcess> {
  const script = "cd / && env -i sleep 600 & echo started; wait";
  const env = { PATH: process.env["PATH"], HOME: root };
  const child = spawn("sh", ["-c", script], { env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  await once(child.stdout!, "data");
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  process.kill(-child.pid!, "SIGKILL");
  await exit;
}

const commands = (list: readonly { readonly argv: readonly string[] }[]): string[] =>
  list.map(({ argv }) => basename(argv[0] ?? "")).sort();

if (process.platform === "linux") {
  describe("AgentProcesses", () => {
    it("finds what names the folder and its descendants, and nothing once they have ended", async () => {
      const root = await mkdtemp(join(tmpdir(), "agent-processes-"));
      const child = await startTree(root);
      try {
        const processes = new AgentProcesses(root);
        assert.deepEqual(commands(processes.look()), ["sh", "sleep"]);
        assert.equal(processes.direct()?.pid, child.pid);
      } finally {
        await end(child);
        await rm(root, { recursive: true });
      }
      assert.deepEqual(await new AgentProcesses(root).leftovers(), []);
    });

    it("finds a descendant again that has lost its parent and names the folder nowhere", async () => {
      const root = await mkdtemp(join(tmpdir(), "agent-processes-"));
      const child = await startTree(root);
      try {
        const processes = new AgentProcesses(root);
        processes.look();
        const exit = once(child, "exit");
        process.kill(child.pid!, "SIGKILL");
        await exit;
        assert.deepEqual(commands(await processes.leftovers(50)), ["sleep"]);
        assert.equal(processes.direct(), undefined);
      } finally {
        process.kill(-child.pid!, "SIGKILL");
        await rm(root, { recursive: true });
      }
    });
  });
}
