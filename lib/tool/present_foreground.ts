/**
 * From a run to what a foreground delegation gives its caller.
 *
 * @module
 */
import type { SeamStage } from "../diagnostics/vocabularies.ts";
import { contain } from "../seam/contain.ts";
import type { ContentBlock } from "../seam/content.ts";
import type { HostFailureSink } from "../seam/host_failure.ts";
import { presentableError } from "../seam/presentable_error.ts";
import type { SubagentResult, SubagentRun } from "../seam/types.ts";
import type { ModelToolResult } from "./model_tool.ts";
import { type PresentedResult, presentResult } from "./present.ts";

/** The answer of a child that completed and is gone. */
export interface ForegroundAnswer {
  /** Discriminant, beside what a background delegation gives. */
  readonly kind: "foreground";
  /** `id` of the run. */
  readonly runId: string;
  /** The child's answer. */
  readonly output: readonly ContentBlock[];
}

/** What is known of a run besides its handle. */
export interface PresentForegroundOptions {
  /** The provider's registered name, for the line about an error that must not be shown. @default {"unknown"} */
  readonly provider?: string;
  /**
   * Takes what is wrong with a result that fulfilled but cannot be read. What a run of `Subagents` rejects with goes
   * to the sink of that.
   */
  readonly onHostFailure?: HostFailureSink;
}

/**
 * Waits for a run, disposes of it on every path, and gives its answer.
 *
 * @throws {Error} When the run did not complete: headline, diagnostic, partial output.
 * @throws {SubagentFailure} When its result rejected, or only its disposal failed, with an error that may be shown or
 *   `Subagent failure (provider: <name>; stage: result|dispose; category: unknown)` in its place.
 * @throws {AggregateError} When both failed: `subagent run failed: <error>; dispose failed: <error>`.
 */
export async function presentForeground(
  run: SubagentRun,
  options: PresentForegroundOptions = {},
): Promise<ForegroundAnswer> {
  return (await foregroundResult(run, options)).value;
}

/**
 * Does what {@link presentForeground} does.
 *
 * @returns The answer, and its text blocks joined with no separator; may be empty.
 */
export async function foregroundResult(
  run: SubagentRun,
  options: PresentForegroundOptions,
): Promise<ModelToolResult<ForegroundAnswer>> {
  const execution = await attempt(() => answerOf(run, options));
  const disposal = await attempt(() => disposalOf(run, options));
  if (execution.kind === "done") {
    if (disposal.kind === "failed") throw disposal.error;
    return execution.value;
  }
  if (disposal.kind === "done") throw execution.error;
  const [failure, leftover] = [execution.error, disposal.error];
  throw new AggregateError(
    [failure, leftover],
    `subagent run failed: ${String(failure)}; dispose failed: ${String(leftover)}`,
  );
}

async function answerOf(
  run: SubagentRun,
  options: PresentForegroundOptions,
): Promise<ModelToolResult<ForegroundAnswer>> {
  const result = await resultOf(run, options);
  const { presented, output } = readingOf(result, run.id, options);
  if (presented.kind === "failure") throw new Error(presented.text);
  return { text: presented.text, value: { kind: "foreground", runId: run.id, output } };
}

async function disposalOf(run: SubagentRun, options: PresentForegroundOptions): Promise<void> {
  try {
    await run.dispose();
  } catch (error) {
    throw shown(error, "dispose", options);
  }
}

async function resultOf(run: SubagentRun, options: PresentForegroundOptions): Promise<SubagentResult> {
  try {
    return await run.result;
  } catch (error) {
    throw shown(error, "result", options);
  }
}

interface Reading {
  readonly presented: PresentedResult;
  readonly output: readonly ContentBlock[];
}

/** Reads each field once: a getter is not able to throw anything of its own later on. */
function readingOf(result: SubagentResult, runId: string, options: PresentForegroundOptions): Reading {
  try {
    const { stopReason, diagnostic } = result;
    const output = [...result.output];
    const presented = presentResult({
      stopReason,
      output,
      ...(diagnostic === undefined ? {} : { diagnostic }),
    });
    return { presented, output };
  } catch (error) {
    const { provider = "unknown", onHostFailure } = options;
    contain(() => onHostFailure?.({ provider, operation: "run", runId, error }), () => {});
    throw shown(error, "result", options);
  }
}

function shown(error: unknown, stage: SeamStage, { provider = "unknown" }: PresentForegroundOptions): Error {
  return presentableError(error, provider, stage);
}

type Attempt<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown };

async function attempt<T>(action: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { kind: "done", value: await action() };
  } catch (error) {
    return { kind: "failed", error };
  }
}
