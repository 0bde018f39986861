/**
 * The failure line.
 *
 * @module
 */
import { checkedFacts, type FailureFacts } from "./failure_facts.ts";
import { readElements } from "./read_own.ts";

/** How many failures one message lists at most. A start that fails has two: itself and its clean-up. */
export const MAX_FAILURES: number = 16;

/** The fields of the line in their order, with their labels. */
const fields: readonly (readonly [key: string, label: string])[] = [
  ["provider", "provider"],
  ["stage", "stage"],
  ["category", "category"],
  ["stopReason", "stop reason"],
  ["exitCode", "exit code"],
  ["signal", "signal"],
];

/**
 * Writes the fixed line for a failure, such as
 * `Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 3)`.
 *
 * Any value gives a line made of the closed vocabularies alone, and none makes it throw: see {@link checkedFacts}.
 */
export function formatFailure(facts: FailureFacts): string {
  const words: Readonly<Record<string, string | number | null>> = { ...checkedFacts(facts) };
  // Own fields only: a polluted Object.prototype has a say in neither checking nor writing.
  const parts = fields.filter(([key]) => Object.hasOwn(words, key))
    .map(([key, label]) => `${label}: ${words[key]}`);
  return `Subagent failure (${parts.join("; ")})`;
}

/**
 * Writes the lines of several failures in their order, joined by `; `: the message of an aggregate. A list that is
 * empty, longer than {@link MAX_FAILURES} or unreadable gives the line of a failure of which nothing is known.
 */
export function formatFailures(list: readonly FailureFacts[]): string {
  const entries = readElements(list, MAX_FAILURES);
  const lines = entries.length === 0 ? [undefined] : entries;
  return lines.map((facts) => formatFailure(facts as FailureFacts)).join("; ");
}
