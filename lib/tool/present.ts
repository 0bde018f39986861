/**
 * The text a foreground delegation gives its caller.
 *
 * @module
 */
import { joinText } from "../seam/content.ts";
import type { SubagentResult } from "../seam/types.ts";

/** A result as text: the answer, or why there is none. */
export type PresentedResult =
  | {
    /** The child completed. */
    readonly kind: "answer";
    /** Its answer; may be empty. */
    readonly text: string;
  }
  | {
    /** The child did not complete. */
    readonly kind: "failure";
    /** Headline, diagnostic if there is one, partial output if there is any. */
    readonly text: string;
  };

/** First lines of a failure. The words are fixed; hosts and models match on them. */
const HEADLINES: ReadonlyMap<string, string> = new Map([
  ["aborted", "subagent run was cancelled"],
  ["error", "subagent run failed"],
  ["max-tokens", "subagent run hit its token limit before finishing"],
  ["refusal", "subagent declined the task"],
]);

/**
 * Puts a result into words. Only `completed` is an answer: partial output of any other run stands in a failure, so
 * that nobody takes it for the whole.
 *
 * Text blocks are joined with no separator; blocks of other kinds are dropped.
 */
export function presentResult({ stopReason, output, diagnostic }: SubagentResult): PresentedResult {
  const text = joinText(output);
  if (stopReason === "completed") return { kind: "answer", text };
  const lines = [
    HEADLINES.get(stopReason) ?? `subagent run ended abnormally (${shownStopReason(stopReason)})`,
  ];
  if (diagnostic !== undefined) lines.push(`Diagnostic: ${diagnostic}`);
  if (text !== "") lines.push("Partial output before the run ended:", text);
  return { kind: "failure", text: lines.join("\n") };
}

/**
 * A stop reason as it may be shown. The set is open and the word is the provider's, so only a short lower-case word
 * passes; anything else, of whatever type, is `unknown`.
 */
export function shownStopReason(stopReason: unknown): string {
  return typeof stopReason === "string" && /^[a-z][a-z0-9_-]{0,63}$/.test(stopReason)
    ? stopReason
    : "unknown";
}
