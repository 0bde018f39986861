/**
 * The results as a table for a terminal.
 *
 * @module
 */
import { type ScenarioName, SCENARIOS } from "../../conformance/recipe.ts";

/** How one scenario went with one agent. */
export interface TrialResult {
  readonly agent: string;
  readonly scenario: ScenarioName;
  /** The stop reason, or what there is instead. */
  readonly outcome: string;
  readonly totalMs: number;
  /** Whether the recipe expects something other than the norm. */
  readonly deviates: boolean;
  /** What differs from the expectation; none when it passed. */
  readonly differences: readonly string[];
}

/** Agents side by side in one block, so that a block fits a terminal. */
const AGENTS_IN_A_BLOCK = 4;

/**
 * Makes a table with a row for each scenario and a column for each agent. A cell holds stop reason and milliseconds;
 * `~` marks a known deviation of the agent, `!` a failed expectation.
 */
export function resultTable(results: readonly TrialResult[]): string {
  const agents = [...new Set(results.map(({ agent }) => agent))];
  const scenarios = SCENARIOS.filter((name) => results.some(({ scenario }) => scenario === name));
  const blocks: string[] = [];
  for (let start = 0; start < agents.length; start += AGENTS_IN_A_BLOCK) {
    const columns = agents.slice(start, start + AGENTS_IN_A_BLOCK);
    const rows = scenarios.map((scenario) => [
      scenario,
      ...columns.map((agent) =>
        cell(results.find((one) => one.agent === agent && one.scenario === scenario))
      ),
    ]);
    blocks.push(aligned([["", ...columns], ...rows]));
  }
  return blocks.join("\n\n");
}

function cell(result: TrialResult | undefined): string {
  if (result === undefined) return "-";
  const mark = result.differences.length > 0 ? "!" : result.deviates ? "~" : " ";
  return `${mark} ${result.outcome} ${result.totalMs}`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ").trimEnd())
    .join("\n");
}
