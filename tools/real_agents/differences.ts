/**
 * What an observation holds against an expectation.
 *
 * @module
 */
import type { ScenarioOutcome } from "../../conformance/recipe.ts";
import type { Observation } from "./try_scenario.ts";

/** Longest time, in milliseconds, that a cancelled run may take to settle: it waits for nothing. */
const LONGEST_CANCELLATION_MS = 200;

/**
 * Names each difference; none when all is as expected. Of `text`, `asked` and `effect` only those count that the
 * expectation has; a diagnostic counts also by its absence, and so does who ended the run.
 */
export function differences(expected: ScenarioOutcome, observed: Observation): string[] {
  const { outcome, leftovers, afterInterruptMs } = observed;
  const found: string[] = [];
  const compare = (name: keyof ScenarioOutcome, wanted: unknown): void => {
    if (outcome[name] === wanted) return;
    found.push(`${name}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(outcome[name])}`);
  };
  compare("stopReason", expected.stopReason);
  compare("diagnostic", expected.diagnostic);
  compare("endedBy", expected.endedBy ?? "agent");
  for (const name of ["text", "asked", "effect"] as const) {
    if (expected[name] !== undefined) compare(name, expected[name]);
  }
  if (
    expected.stopReason === "aborted" && afterInterruptMs !== undefined &&
    afterInterruptMs > LONGEST_CANCELLATION_MS
  ) {
    found.push(
      `the cancelled run settled after ${afterInterruptMs} ms, more than ${LONGEST_CANCELLATION_MS}`,
    );
  }
  for (const leftover of leftovers) found.push(`left behind: ${leftover}`);
  return found;
}
