/**
 * Tries scenarios with one agent, one after the other.
 *
 * @module
 */
import type { Recipe, ScenarioName } from "../../conformance/recipe.ts";
import type { InstalledAgent } from "./agent_launch.ts";
import { differences } from "./differences.ts";
import { nodeBinary } from "./node_binary.ts";
import { installPackages } from "./package_cache.ts";
import type { TrialResult } from "./result_table.ts";
import { SCENARIO } from "./scenarios.ts";
import { type Patience, tryScenario } from "./try_scenario.ts";

const PATIENCE: Patience = { startMs: 120_000, promptMs: 60_000, eofGraceMs: 1_000 };

/** For the result of an agent of which it is known that it goes on for minutes, in milliseconds. */
const SHORT_PATIENCE_MS = 5_000;

/** An agent, and how long its installation took. */
export interface InstallReport {
  readonly agent: InstalledAgent;
  /** In milliseconds; undefined when it was there already. */
  readonly installMs: number | undefined;
}

/**
 * Installs an agent and what it runs on, unless they are installed.
 *
 * @throws {Error} If npm fails.
 */
export async function installAgent(recipe: Recipe): Promise<InstallReport> {
  const { folder, installMs } = await installPackages(recipe);
  return { agent: { recipe, folder, node: await nodeBinary(recipe.node) }, installMs };
}

/** Tries scenarios. One that throws is a failed one, and those behind it are still tried. */
export async function* tryAgent(
  agent: InstalledAgent,
  scenarios: readonly ScenarioName[],
): AsyncGenerator<TrialResult> {
  for (const scenario of scenarios) yield await trial(agent, scenario);
}

async function trial(agent: InstalledAgent, scenario: ScenarioName): Promise<TrialResult> {
  const { name, expectations: { [scenario]: deviation } } = agent.recipe;
  const expected = deviation ?? SCENARIO[scenario].norm;
  const patience = expected.endedBy === "runner" ? { ...PATIENCE, promptMs: SHORT_PATIENCE_MS } : PATIENCE;
  const head = { agent: name, scenario, deviates: deviation !== undefined };
  const startedAt = performance.now();
  try {
    const observed = await tryScenario(agent, SCENARIO[scenario], patience);
    const { outcome: { stopReason }, totalMs } = observed;
    return { ...head, outcome: stopReason, totalMs, differences: differences(expected, observed) };
  } catch (error) {
    const totalMs = Math.round(performance.now() - startedAt);
    return { ...head, outcome: "threw", totalMs, differences: [String(error)] };
  }
}
