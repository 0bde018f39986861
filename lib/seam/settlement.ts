/**
 * How a run outside this process comes to its result, and what its handle is.
 *
 * @module
 */
import { limitDiagnostic } from "../diagnostics/limit_diagnostic.ts";
import { contain } from "./contain.ts";
import type { ContentBlock } from "./content.ts";
import { sharedDisposal } from "./shared_disposal.ts";
import type { SubagentResult, SubagentRun } from "./types.ts";

/** The parts of a run that settles. */
export interface SettlementParts {
  /** Drives the child to its end. */
  attempt(): Promise<SubagentResult>;
  /** Gives the output so far; asked at settlement, so that text which came meanwhile is kept. */
  collectOutput(): readonly ContentBlock[];
  /** Gives the diagnostic of an attempt that was rejected. */
  collectDiagnostic?(): string | undefined;
  /** Tells whether the host cancelled the run or disposed of it; asked at settlement. */
  cancelled(): boolean;
  /** Takes the raw error of an attempt that was rejected, unless it was cancelled. What it throws is dropped. */
  onError?(error: Error, stopReason: "error"): void;
  /** The request's signal, if it has one. */
  readonly signal?: AbortSignal | undefined;
  /** The listener that the run put on the signal; taken off at settlement. */
  readonly onAbort: () => void;
}

/**
 * Brings a run to its result. Never rejects, and a part that throws never keeps it from settling.
 *
 * - cancelled: `aborted` with the output so far, even when the attempt went well or failed;
 * - the attempt fulfilled: its result; a completed one without a diagnostic, another with its diagnostic limited;
 * - the attempt rejected: `error` with the output so far and the limited diagnostic.
 *
 * A diagnostic that is not there is an absent key.
 */
export async function settleRunResult(parts: SettlementParts): Promise<SubagentResult> {
  try {
    const result = await parts.attempt();
    return isCancelled(parts) ? aborted(parts) : normalised(result);
  } catch (error) {
    return isCancelled(parts) ? aborted(parts) : failed(parts, error);
  } finally {
    contain(() => parts.signal?.removeEventListener("abort", parts.onAbort), () => {});
  }
}

function aborted(parts: SettlementParts): SubagentResult {
  return { output: outputOf(parts), stopReason: "aborted" };
}

function failed(parts: SettlementParts, error: unknown): SubagentResult {
  contain(() => parts.onError?.(asError(error), "error"), () => {});
  const diagnostic = attempted(() => parts.collectDiagnostic?.(), undefined);
  return { output: outputOf(parts), ...limited(diagnostic), stopReason: "error" };
}

function normalised({ diagnostic, ...rest }: SubagentResult): SubagentResult {
  return rest.stopReason === "completed" ? rest : { ...rest, ...limited(diagnostic) };
}

function limited(diagnostic: string | undefined): { readonly diagnostic?: string } {
  const text = diagnostic === undefined ? "" : limitDiagnostic(diagnostic);
  return text === "" ? {} : { diagnostic: text };
}

function isCancelled(parts: SettlementParts): boolean {
  return attempted(() => parts.cancelled(), false);
}

function outputOf(parts: SettlementParts): readonly ContentBlock[] {
  return attempted(() => parts.collectOutput(), []);
}

function attempted<T>(action: () => T, fallback: T): T {
  try {
    return action();
  } catch {
    return fallback;
  }
}

function asError(value: unknown): Error {
  if (attempted(() => value instanceof Error, false)) return value as Error;
  return new Error("The run failed with a value that is not an error", { cause: value });
}

/** The parts of a run whose child is another process. */
export interface OutOfProcessRunParts {
  /** Minted by the provider, never by the child. */
  readonly id: string;
  /** The result; never rejects. */
  readonly result: Promise<SubagentResult>;
  /** The request's signal, if it has one. */
  readonly signal?: AbortSignal | undefined;
  /** The listener that the run put on the signal; taken off at disposal. */
  readonly onAbort: () => void;
  /** Makes `result` settle without the child's help, unless it is settled. */
  requestCancel(): void;
  /** Ends the child and waits until it is gone. Called once. */
  teardown(): Promise<void>;
}

/**
 * Makes the handle of a run whose child is another process. Disposal takes the abort listener off, cancels what is
 * unsettled and ends the child, all begun within the first call; the child is ended even when the rest throws.
 */
export function outOfProcessRun(parts: OutOfProcessRunParts): SubagentRun {
  const dispose = sharedDisposal(async () => {
    try {
      parts.signal?.removeEventListener("abort", parts.onAbort);
      parts.requestCancel();
    } finally {
      await parts.teardown();
    }
  });
  return Object.freeze({
    id: parts.id,
    localAgent: undefined,
    result: parts.result,
    dispose,
    [Symbol.asyncDispose]: dispose,
  });
}
