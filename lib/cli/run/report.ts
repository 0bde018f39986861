/**
 * What came of a run, as data and as text.
 *
 * @module
 */
import { ProcessStartError } from "../../process/errors.ts";
import { presentableError } from "../../seam/presentable_error.ts";
import { SubagentAbortedError } from "../../seam/errors.ts";
import { joinText } from "../../seam/content.ts";
import { shownStopReason } from "../../seam/shown_result.ts";
import type { SubagentResult } from "../../seam/types.ts";
import { type PresentedResult, presentResult } from "../../tool/present.ts";
import { jsonLine } from "../terminal_text.ts";

/** How the run went. */
export type RunOutcome =
  | {
    /** It came to a result. */
    readonly kind: "result";
    /** The result. */
    readonly result: SubagentResult;
  }
  | {
    /** It did not start, or broke. */
    readonly kind: "no-result";
    /** `aborted` if it was told to stop. */
    readonly stopReason: "aborted" | "error";
    /** The safe line about it. */
    readonly problem: string;
  };

/** What `--json` prints. Nothing in it is text of the child but the output and the structured result. */
export interface RunReport {
  /** `completed`, or why not. A run that did not start is `aborted` or `error`. */
  readonly stopReason: string;
  /** The answer, or what there was of it. */
  readonly output: string;
  /** The structured result of a run with a schema, if the child reported one. */
  readonly structured?: unknown;
  /** The diagnostic of the result. */
  readonly diagnostic?: string;
  /** What went wrong outside the result: the start, the time limit, the end of the agent. */
  readonly error?: string;
  /** From the start of the run to its result, in whole milliseconds. */
  readonly elapsedMs: number;
}

/** The outcome of a start, or of a result, that rejected. */
export function outcomeOfError(error: unknown, provider: string, stage: "start" | "result"): RunOutcome {
  const stopReason = SubagentAbortedError.is(error) ? "aborted" : "error";
  return { kind: "no-result", stopReason, problem: presentableError(error, provider, stage).message };
}

/** The outcome in words; a structured result is an answer of JSON, on one line. */
export function presentOutcome(outcome: RunOutcome): PresentedResult {
  if (outcome.kind === "no-result") return { kind: "failure", text: outcome.problem };
  const { stopReason, structured } = outcome.result;
  return stopReason === "completed" && structured !== undefined
    ? { kind: "answer", text: jsonLine(structured) }
    : presentResult(outcome.result);
}

/** The outcome as data; `problems` is what else went wrong, in order. */
export function reportOf(outcome: RunOutcome, problems: readonly string[], elapsedMs: number): RunReport {
  if (outcome.kind === "no-result") {
    const { stopReason, problem } = outcome;
    return { stopReason, output: "", error: [...problems, problem].join("; "), elapsedMs };
  }
  const { stopReason, output, structured, diagnostic } = outcome.result;
  return {
    stopReason: shownStopReason(stopReason),
    output: joinText(output),
    ...(structured === undefined ? {} : { structured }),
    ...(stopReason === "completed" || diagnostic === undefined ? {} : { diagnostic }),
    ...(problems.length === 0 ? {} : { error: problems.join("; ") }),
    elapsedMs,
  };
}

/** Says more about a run with a schema that failed and gave no value, for the person who typed the command. */
export function explainMissingResult(
  outcome: RunOutcome,
  { outputSchemaFile }: { readonly outputSchemaFile?: string },
): string | undefined {
  if (outputSchemaFile === undefined || outcome.kind === "no-result") return undefined;
  const { stopReason, structured } = outcome.result;
  return stopReason === "error" && structured === undefined
    ? "The agent reported no result that matches the schema of --output-schema"
    : undefined;
}

/**
 * Says more about a failed start, for the person who typed the command: why no process came to be. Its text is fixed
 * and comes from before there was a child.
 */
export function explainStart(error: unknown): string | undefined {
  let inner = error;
  // Bounded: an error may be its own cause.
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (ProcessStartError.is(inner)) return inner.message;
    inner = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
  }
  return undefined;
}
