/**
 * What of an error a parent's model may see.
 *
 * @module
 */
import type { FailureFacts } from "../diagnostics/failure_facts.ts";
import type { AbortedChild } from "../diagnostics/format_aborted.ts";
import { formatFailures, MAX_FAILURES } from "../diagnostics/format_failure.ts";
import { limitDiagnostic } from "../diagnostics/limit_diagnostic.ts";
import { readElements, readOwn } from "../diagnostics/read_own.ts";
import type { SeamStage } from "../diagnostics/vocabularies.ts";
import { OutputSchemaError } from "../schema/errors.ts";
import { isDepth, SubagentDepthError } from "./depth_error.ts";
import { SubagentAbortedError, SubagentError, type SubagentErrorCode, SubagentFailure } from "./errors.ts";

/** An error that is safe to show: its message is fixed text, it has no `cause` and no fields of a stranger. */
export type PresentableError =
  | SubagentError
  | SubagentFailure
  | SubagentAbortedError
  | SubagentDepthError
  | OutputSchemaError
  | AggregateError;

/**
 * Makes an error that is safe to show out of one that is not known to be. The errors of the seam, and aggregates of
 * nothing but {@link SubagentFailure}s, keep their meaning; everything else becomes
 * `Subagent failure (provider: <name>; stage: <stage>; category: unknown)`.
 *
 * The result is always a new error and its message is written anew from closed vocabularies (that of a
 * {@link SubagentError} is kept): who is able to throw an error is also able to change its message.
 *
 * @param error What a provider or a run threw.
 * @param providerName The provider's registered name.
 * @param stage Which call threw it.
 */
export function presentableError(error: unknown, providerName: string, stage: SeamStage): PresentableError {
  return ownErrorOf(error) ?? new SubagentFailure({ provider: providerName, stage, category: "unknown" });
}

/** Tells whether {@link presentableError} keeps the meaning of an error. What it does not keep is for the host's log. */
export function isPresentable(error: unknown): boolean {
  return ownErrorOf(error) !== undefined;
}

function ownErrorOf(error: unknown): PresentableError | undefined {
  if (SubagentFailure.is(error)) return new SubagentFailure(factsOf(error));
  if (SubagentAbortedError.is(error)) {
    return new SubagentAbortedError(readOwn(error, "child") as AbortedChild);
  }
  if (SubagentError.is(error)) return refusalOf(error);
  if (SubagentDepthError.is(error)) return depthErrorOf(error);
  if (OutputSchemaError.is(error)) return schemaErrorOf(error);
  return aggregateOf(error);
}

const refusalCodes: readonly unknown[] = [
  "NO_PROVIDER",
  "DUPLICATE_PROVIDER",
  "UNSUPPORTED_CAPABILITY",
  "INVALID_REQUEST",
  "INVALID_PROVIDER",
] satisfies readonly SubagentErrorCode[];

function refusalOf(error: SubagentError): SubagentError | undefined {
  const code = readOwn(error, "code");
  const message = readOwn(error, "message");
  if (!refusalCodes.includes(code) || typeof message !== "string") return undefined;
  return new SubagentError(code as SubagentErrorCode, limitDiagnostic(message));
}

function depthErrorOf(error: SubagentDepthError): SubagentDepthError | undefined {
  const [attempted, cap] = [readOwn(error, "attemptedDepth"), readOwn(error, "maxDepth")];
  return isDepth(attempted) && isDepth(cap) ? new SubagentDepthError(attempted, cap) : undefined;
}

/** More than a person reads; what is left out is only how else the same schema is wrong. */
const SHOWN_VIOLATIONS = 32;
/** More than any schema has; a proxy may claim any length. */
const MAX_VIOLATIONS = 10_000;

function schemaErrorOf(error: OutputSchemaError): OutputSchemaError | undefined {
  const violations = readElements(readOwn(error, "violations"), MAX_VIOLATIONS).slice(0, SHOWN_VIOLATIONS);
  if (violations.length === 0 || !violations.every((violation) => typeof violation === "string")) {
    return undefined;
  }
  return new OutputSchemaError(violations.map((violation) => limitDiagnostic(violation)));
}

function aggregateOf(error: unknown): AggregateError | undefined {
  const errors = readElements(readOwn(error, "errors"), MAX_FAILURES);
  if (
    !isAggregateError(error) || errors.length === 0 || !errors.every((entry) => SubagentFailure.is(entry))
  ) {
    return undefined;
  }
  const failures = errors.map((failure) => new SubagentFailure(factsOf(failure)));
  return new AggregateError(failures, formatFailures(failures.map(({ facts }) => facts)));
}

function factsOf(failure: SubagentFailure): FailureFacts {
  return readOwn(failure, "facts") as FailureFacts;
}

function isAggregateError(error: unknown): boolean {
  try {
    return error instanceof AggregateError;
  } catch {
    // A proxy may throw when its prototype is asked for.
    return false;
  }
}
