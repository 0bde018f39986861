/**
 * Tries one scenario with one agent, through the library's public interface.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { ScenarioOutcome } from "../../conformance/recipe.ts";
import { startModelServer } from "../../fakes/model_server.ts";
import { type AcpActivity, acpProvider, type ContentBlock, Subagents } from "../../mod.ts";
import { type InstalledAgent, prepareLaunch } from "./agent_launch.ts";
import { AgentProcesses } from "./agent_processes.ts";
import type { Scenario } from "./scenarios.ts";

/** What was seen. */
export interface Observation {
  /** The outcome with all its fields. The model server's address in texts reads `${URL}`. */
  readonly outcome: ScenarioOutcome;
  /** Milliseconds from the start request to the end of the disposal. */
  readonly totalMs: number;
  /** Milliseconds from the interruption to the result, if there was one. */
  readonly afterInterruptMs: number | undefined;
  /** Processes that outlived the disposal, as `pid command`. */
  readonly leftovers: readonly string[];
}

/** How long the runner waits, in milliseconds. */
export interface Patience {
  /** For the session to exist. */
  readonly startMs: number;
  /** For the result; then the runner cancels. */
  readonly promptMs: number;
  /** For the agent to end by itself after its stdin was closed; then the library terminates it. */
  readonly eofGraceMs: number;
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
  const { command, args, env, cwd } = launch;
  const effect = join(cwd, "effect.txt");
  const processes = new AgentProcesses(launch.root);
  const cancellation = new AbortController();
  let interruptedAt: number | undefined;
  const watch = new Watch(() => {
    if (scenario.interrupt === undefined) return;
    interruptedAt = performance.now();
    if (scenario.interrupt === "abort") cancellation.abort();
    else kill(processes.direct()?.pid);
  });
  const subagents = new Subagents();
  subagents.register(acpProvider({
    command,
    args,
    env,
    permission: scenario.permission,
    startTimeoutMs: patience.startMs,
    disposeEofGraceMs: patience.eofGraceMs,
    stderr: "ignore",
  }, { onActivity: (activity) => watch.see(activity) }));

  const startedAt = performance.now();
  await using run = await subagents.start("acp", {
    prompt: scenario.prompt(effect),
    parent: { id: "real-agents", cwd },
    signal: cancellation.signal,
  });
  let endedBy: "agent" | "runner" = "agent";
  const impatience = setTimeout(() => {
    endedBy = "runner";
    cancellation.abort();
  }, patience.promptMs);
  const { stopReason, diagnostic, output } = await run.result;
  clearTimeout(impatience);
  const settledAt = performance.now();
  processes.look();
  await run.dispose();
  // At once and without patience: the library has just said that nothing is left.
  const leftovers = processes.look();
  const totalMs = Math.round(performance.now() - startedAt);
  return {
    outcome: {
      stopReason: stopReason as ScenarioOutcome["stopReason"],
      ...(diagnostic === undefined ? {} : { diagnostic }),
      text: textOf(output).replaceAll(server.url, "${URL}"),
      asked: watch.asked,
      effect: existsSync(effect),
      endedBy,
    },
    totalMs,
    afterInterruptMs: interruptedAt && Math.round(settledAt - interruptedAt),
    leftovers: leftovers.map(({ pid, argv }) => `${pid} ${argv.join(" ")}`),
  };
}

/** Watches a run from outside until it is in the middle of its answer. */
class Watch {
  /** Whether the agent asked for permission. */
  asked = false;
  readonly #reached: () => void;
  #pieces = 0;

  /** @param reached Called once, when the answer is under way. */
  constructor(reached: () => void) {
    this.#reached = reached;
  }

  see({ kind }: AcpActivity): void {
    if (kind === "permission") this.asked = true;
    // Some agents begin with a notice of their own: the second piece is the first that is surely the model's.
    if (kind === "text" && ++this.#pieces === 2) this.#reached();
  }
}

function kill(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

function textOf(output: readonly ContentBlock[]): string {
  return output.map((block) => block.type === "text" ? String(block["text"]) : "").join("");
}
