/**
 * Tries one scenario with one agent, through the library's public interface.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { acpProvider, type ContentBlock, Subagents } from "../../mod.ts";
import { startModelServer } from "../../fakes/model_server.ts";
import type { ScenarioOutcome } from "../../conformance/recipe.ts";
import { type InstalledAgent, prepareLaunch } from "./agent_launch.ts";
import { AgentProcesses } from "./agent_processes.ts";
import type { Scenario } from "./scenarios.ts";

/** What was seen. */
export interface Observation {
  readonly outcome: ScenarioOutcome;
  /** Milliseconds from the start request to the end of the disposal. */
  readonly totalMs: number;
  /** Milliseconds from the interruption to the result, if there was one. */
  readonly afterInterruptMs: number | undefined;
  /** Processes that outlived the disposal, as `pid command`. */
  readonly leftovers: readonly string[];
}

/** How long the runner waits. */
export interface Patience {
  /** Longest start, in milliseconds. */
  readonly startMs: number;
  /** Longest prompt, in milliseconds; then the runner cancels. */
  readonly promptMs: number;
}

/**
 * Tries one scenario in a fresh process, home and working directory, against a fresh model server.
 *
 * @throws {Error} If the agent does not start, or its disposal fails.
 */
export async function tryScenario(
  agent: InstalledAgent,
  scenario: Scenario,
  patience: Patience,
): Promise<Observation> {
  await using server = await startModelServer();
  await using launch = await prepareLaunch(agent, server.url);
  const processes = new AgentProcesses(launch.root);
  const effect = join(launch.cwd, "effect.txt");
  const cancellation = new AbortController();
  const started = performance.now();
  let texts = 0;
  let asked = false;
  let interruptedAt: number | undefined;

  const interrupt = (): void => {
    if (scenario.interrupt === undefined || interruptedAt !== undefined) return;
    interruptedAt = performance.now();
    if (scenario.interrupt === "abort") return cancellation.abort();
    const { pid } = processes.direct() ?? {};
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  };

  const { command, args, env, cwd } = launch;
  const subagents = new Subagents();
  subagents.register(acpProvider(
    {
      command,
      args,
      env,
      permission: scenario.permission,
      startTimeoutMs: patience.startMs,
      stderr: "ignore",
    },
    {
      onActivity: ({ kind }) => {
        if (kind === "permission") asked = true;
        // Some agents begin with a notice of their own, so the second piece is the first that is surely the model's.
        else if (++texts === 2) interrupt();
      },
    },
  ));
  const run = await subagents.start("acp", {
    prompt: scenario.prompt(effect),
    parent: { id: "real-agents", cwd },
    signal: cancellation.signal,
  });
  let endedBy: "agent" | "runner" = "agent";
  const impatience = setTimeout(() => {
    endedBy = "runner";
    cancellation.abort();
  }, patience.promptMs);
  try {
    const { stopReason, diagnostic, output } = await run.result;
    const settledAt = performance.now();
    processes.look();
    await run.dispose();
    const leftovers = await processes.leftovers();
    return {
      outcome: {
        stopReason: stopReason as ScenarioOutcome["stopReason"],
        ...(diagnostic === undefined ? {} : { diagnostic }),
        text: textOf(output),
        asked,
        effect: existsSync(effect),
        endedBy,
      },
      totalMs: Math.round(performance.now() - started),
      afterInterruptMs: interruptedAt === undefined ? undefined : Math.round(settledAt - interruptedAt),
      leftovers: leftovers.map(({ pid, argv }) => `${pid} ${argv.join(" ")}`),
    };
  } finally {
    clearTimeout(impatience);
    await run.dispose();
  }
}

function textOf(output: readonly ContentBlock[]): string {
  return output.map((block) => block.type === "text" ? String(block["text"]) : "").join("");
}
