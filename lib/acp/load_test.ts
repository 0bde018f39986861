/**
 * Many runs at once: every result right, nothing left behind.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { scriptedAgent } from "../../fakes/launch.ts";
import type { Handler } from "../../fakes/acp_agent/script.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentResult } from "../seam/types.ts";
import { TEST_GRACES } from "./delegation_fixtures_test.ts";
import { acpProvider } from "./provider.ts";

const RUNS = 200;
const AT_ONCE = 40;
const MiB = 1024 * 1024;

interface Kind {
  readonly name: string;
  readonly onPrompt: Handler;
  /** What becomes of run `index`. */
  expect(index: number): Omit<SubagentResult, "output">;
  /** Whether the host cancels once the first text came. */
  readonly cancel?: true;
}

const kinds: readonly Kind[] = [
  { name: "done", onPrompt: [{ do: "echo" }, { do: "stop" }], expect: () => ({ stopReason: "completed" }) },
  {
    name: "half",
    onPrompt: [{ do: "echo" }, { do: "stop", reason: "max_tokens" }],
    expect: () => ({ stopReason: "max-tokens" }),
  },
  {
    name: "limit",
    onPrompt: [{ do: "echo" }, { do: "ask", kind: "edit" }, { do: "stop", reason: "max_turn_requests" }],
    expect: () => ({
      stopReason: "error",
      diagnostic:
        "Subagent failure (provider: ACP; stage: prompt; category: remote-limit; stop reason: max_turn_requests)\n" +
        "ACP unattended decision (policy: reject; request: edit; decision: denied)",
    }),
  },
  {
    name: "error",
    onPrompt: [{ do: "echo" }, { do: "reply", error: { code: -32603, message: "no" } }],
    expect: () => ({
      stopReason: "error",
      diagnostic: "Subagent failure (provider: ACP; stage: prompt; category: transport)",
    }),
  },
  {
    name: "exit",
    onPrompt: [{ do: "echo" }, { do: "exit", code: 17 }],
    expect: () => ({
      stopReason: "error",
      diagnostic: "Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 17)",
    }),
  },
  {
    name: "kill",
    onPrompt: [{ do: "echo" }, { do: "kill", signal: "SIGKILL" }],
    expect: () => ({
      stopReason: "error",
      diagnostic: "Subagent failure (provider: ACP; stage: process; category: process-exit; signal: SIGKILL)",
    }),
  },
  {
    name: "cancel",
    onPrompt: [{ do: "echo" }, { do: "hang" }],
    cancel: true,
    expect: () => ({ stopReason: "aborted" }),
  },
];

/** What a leak would show in: open handles by kind, and listeners that a provider could leave on the process. */
function footprint(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const resource of process.getActiveResourcesInfo?.() ?? []) {
    counts[resource] = (counts[resource] ?? 0) + 1;
  }
  for (const event of ["exit", "SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection"]) {
    counts[`${event} listeners`] = process.listenerCount(event);
  }
  return counts;
}

/** What is in use behind a garbage collection, where the runtime lets one ask for it. */
function collectedMemory(): { readonly live: number; readonly resident: number } {
  const { Bun, Deno } = globalThis as { Bun?: { gc(force: boolean): void }; Deno?: unknown };
  if (Bun !== undefined) Bun.gc(true);
  else if (Deno === undefined) {
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { live: heapUsed + external, resident: rss };
}

/** Coverage keeps its own records of every call, in memory that is not the library's. */
const countsCoverage = process.env["NODE_V8_COVERAGE"] !== undefined;

async function settled(): Promise<void> {
  // Timers and handles of what just ended leave the lists a turn of the event loop later.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

describe(`${RUNS} runs, ${AT_ONCE} at a time, with mixed endings`, () => {
  it("end right and leave no process, listener, handle or memory behind", { timeout: 300_000 }, async () => {
    using workplace = new Workplace();
    const firstText = new Map<string, () => void>();
    const early = new Set<string>();
    const subagents = new Subagents();
    for (const { name, onPrompt } of kinds) {
      const agent = scriptedAgent({ onPrompt });
      subagents.register(acpProvider({ ...agent, ...TEST_GRACES, providerName: name, stderr: "ignore" }, {
        onActivity: ({ kind, runId }) => {
          if (kind !== "text") return;
          early.add(runId);
          firstText.get(runId)?.();
        },
      }));
    }

    const delegate = async (index: number): Promise<void> => {
      const kind = kinds[index % kinds.length]!;
      const controller = new AbortController();
      const run = await subagents.start(kind.name, {
        prompt: `task ${index}`,
        parent: { id: "parent", cwd: workplace.path },
        signal: controller.signal,
      });
      if (kind.cancel) {
        if (!early.has(run.id)) await new Promise<void>((resolve) => firstText.set(run.id, resolve));
        // The echo comes in two pieces; the rest of the first one decides nothing.
        controller.abort();
      }
      const { output, ...ending } = await run.result;
      assert.deepEqual(ending, kind.expect(index), `run ${index} (${kind.name})`);
      const said = output.map((block) => (block as { readonly text: string }).text).join("");
      if (kind.cancel) {
        assert.ok(`task ${index}`.startsWith(said) && said !== "", `run ${index} said ${said}`);
      } else assert.equal(said, `task ${index}`);
      await run.dispose();
    };
    const delegateAll = async (runs: number): Promise<void> => {
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < runs) await delegate(next++);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      await settled();
    };

    // The first runs warm up what stays for good: code, buffers, the pools of the runtime.
    await delegateAll(2 * AT_ONCE);
    const before = { memory: collectedMemory(), footprint: footprint() };
    await delegateAll(RUNS);

    assert.deepEqual(workplace.processes(), []);
    assert.deepEqual(footprint(), before.footprint);
    const after = collectedMemory();
    const grown = (kind: "live" | "resident") => (after[kind] - before.memory[kind]) / MiB;
    assert.ok(grown("live") < 20, `live memory grew by ${grown("live").toFixed(1)} MiB`);
    if (!countsCoverage) {
      assert.ok(grown("resident") < 20, `resident memory grew by ${grown("resident").toFixed(1)} MiB`);
    }
  });
});
