/**
 * From a delegation to the outcome of a job.
 *
 * @module
 */
import { contain } from "../seam/contain.ts";
import type { HostFailureSink } from "../seam/host_failure.ts";
import { presentableError } from "../seam/presentable_error.ts";
import { shownResult } from "../seam/shown_result.ts";
import type { SubagentResult, SubagentRun } from "../seam/types.ts";
import type { SeamStage } from "../diagnostics/vocabularies.ts";
import type { JobOutcome } from "./jobs_types.ts";

/** What is known of a delegation besides its run. */
export interface SettleOptions {
  /** The provider's registered name, for the line about an error that must not be shown. @default {"unknown"} */
  readonly provider?: string;
  /**
   * Takes what is wrong with a result that fulfilled but cannot be read. What a run of `Subagents` rejects with goes
   * to the sink of that.
   */
  readonly onHostFailure?: HostFailureSink;
}

/**
 * Waits for a run, disposes of it, and says what came of it. Never rejects; fulfils once the run is disposed of.
 *
 * | result | outcome |
 * | --- | --- |
 * | `completed` | completed, with the text of its output |
 * | `aborted` without a diagnostic | killed |
 * | `aborted` with one | failed: `aborted; diagnostic: <it>` |
 * | another reason | failed: `<reason>`, with `; diagnostic: <it>` behind it if there is one |
 * | a rejection | failed: the error, as far as it may be shown |
 *
 * A disposal that fails makes any of them failed, with `dispose failed: <error>` behind what there is: whatever the
 * child came to, some of it is left. Partial output is never part of an outcome.
 */
export async function settleRun(run: SubagentRun, options: SettleOptions = {}): Promise<JobOutcome> {
  const outcome = await resultOutcome(run, options);
  try {
    await run.dispose();
    return outcome;
  } catch (error) {
    const failure = `dispose failed: ${shown(error, "dispose", options)}`;
    return {
      status: "failed",
      detail: outcome.status === "failed" ? `${outcome.detail}; ${failure}` : failure,
    };
  }
}

/**
 * Does what {@link settleRun} does, from a start on. A start that rejects is killed if the signal is aborted and
 * nothing was left behind, which an `AggregateError` says; else it is failed.
 *
 * @param start What `Subagents.start` returned.
 * @param signal The signal of the request.
 */
export async function settleStart(
  start: PromiseLike<SubagentRun>,
  signal: AbortSignal,
  options: SettleOptions = {},
): Promise<JobOutcome> {
  let run: SubagentRun;
  try {
    run = await start;
  } catch (error) {
    if (signal.aborted && !isAggregate(error)) return { status: "killed" };
    return { status: "failed", detail: shown(error, "start", options) };
  }
  return await settleRun(run, options);
}

async function resultOutcome(run: SubagentRun, options: SettleOptions): Promise<JobOutcome> {
  let result: SubagentResult;
  try {
    result = await run.result;
  } catch (error) {
    return { status: "failed", detail: shown(error, "result", options) };
  }
  try {
    return outcomeOf(result);
  } catch (error) {
    const { provider = "unknown", onHostFailure } = options;
    contain(() => onHostFailure?.({ provider, operation: "run", runId: run.id, error }), () => {});
    return { status: "failed", detail: shown(error, "result", options) };
  }
}

function outcomeOf(result: SubagentResult): JobOutcome {
  const { stopReason, text, diagnostic } = shownResult(result);
  if (stopReason === "completed") return { status: "completed", output: text };
  if (diagnostic !== undefined) {
    return { status: "failed", detail: `${stopReason}; diagnostic: ${diagnostic}` };
  }
  return stopReason === "aborted" ? { status: "killed" } : { status: "failed", detail: stopReason };
}

/** With its class before its message, as the outcome of a job has always named errors. */
function shown(error: unknown, stage: SeamStage, { provider = "unknown" }: SettleOptions): string {
  return String(presentableError(error, provider, stage));
}

/** Whoever says that several things went wrong does not say that nothing is left, whatever they are. */
function isAggregate(error: unknown): boolean {
  try {
    return error instanceof AggregateError;
  } catch {
    return true; // a proxy that will not say what it is
  }
}
