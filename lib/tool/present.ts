/**
 * The text a foreground delegation gives its caller.
 *
 * @module
 */
import { type ShownResult, shownResult } from "../seam/shown_result.ts";
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
 * @throws What {@link shownResult} throws.
 */
export function presentResult(result: SubagentResult): PresentedResult {
  const shown = shownResult(result);
  return shown.stopReason === "completed"
    ? { kind: "answer", text: shown.text }
    : { kind: "failure", text: failureText(shown) };
}

function failureText({ stopReason, text, diagnostic }: ShownResult): string {
  const lines = [HEADLINES.get(stopReason) ?? `subagent run ended abnormally (${stopReason})`];
  if (diagnostic !== undefined) lines.push(`Diagnostic: ${diagnostic}`);
  if (text !== "") lines.push("Partial output before the run ended:", text);
  return lines.join("\n");
}
