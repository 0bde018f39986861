/**
 * Tries all scenarios with one agent, one after the other.
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

const PATIENCE: Patience = { startMs: 60_000, promptMs: 60_000, eofGraceMs: 2_000 };

/** For an agent of which it is known that it goes on for minutes, in milliseconds. */
const SHORT_PATIENCE_MS = 5_000;

/** How to try an agent. */
export interface TryAgentOptions {
  readonly scenarios: readonly ScenarioName[];
  /** Takes each result as it comes. */
  onResult(result: TrialResult): void;
  /** Takes what else is worth a line. */
  onProgress(line: string): void;
}

/** Installs an agent and tries it. A scenario that throws is a failed one, and the others still run. */
export async function tryAgent(
  recipe: Recipe,
  { scenarios, onResult, onProgress }: TryAgentOptions,
): Promise<TrialResult[]> {
  const { folder, installMs } = await installPackages(recipe);
  onProgress(
    installMs === undefined
      ? `${recipe.name}: from the cache`
      : `${recipe.name}: installed in ${installMs} ms`,
  );
  const agent = { recipe, folder, node: await nodeBinary(recipe.node) };
  const results: TrialResult[] = [];
  for (const scenario of scenarios) {
    const result = await trial(agent, scenario);
    results.push(result);
    onResult(result);
  }
  return results;
}

async function trial(agent: InstalledAgent, scenario: ScenarioName): Promise<TrialResult> {
  const deviation = agent.recipe.expectations[scenario];
  const expected = deviation ?? SCENARIO[scenario].norm;
  const patience = expected.endedBy === "runner" ? { ...PATIENCE, promptMs: SHORT_PATIENCE_MS } : PATIENCE;
  const head = { agent: agent.recipe.name, scenario, deviates: deviation !== undefined };
  const started = performance.now();
  try {
    const observed = await tryScenario(agent, SCENARIO[scenario], patience);
    const { outcome: { stopReason }, totalMs } = observed;
    return { ...head, outcome: stopReason, totalMs, differences: differences(expected, observed) };
  } catch (error) {
    const totalMs = Math.round(performance.now() - started);
    return { ...head, outcome: "threw", totalMs, differences: [String(error)] };
  }
}
