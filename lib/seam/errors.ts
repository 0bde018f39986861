/**
 * The errors of the seam, and the one way to put those of a failed start together.
 *
 * @module
 */
import { checkedFacts, type FailureFacts } from "../diagnostics/failure_facts.ts";
import { type AbortedChild, abortedChild, formatAborted } from "../diagnostics/format_aborted.ts";
import { formatFailure, formatFailures } from "../diagnostics/format_failure.ts";
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** Why the seam itself refused. */
export type SubagentErrorCode =
  /** No provider is registered under the name. */
  | "NO_PROVIDER"
  /** The name is taken. */
  | "DUPLICATE_PROVIDER"
  /** The request needs what the provider cannot enforce. */
  | "UNSUPPORTED_CAPABILITY"
  /** A field of the request has the wrong shape. */
  | "INVALID_REQUEST"
  /** A field of the provider has the wrong shape. */
  | "INVALID_PROVIDER";

/** The seam refused a registration or a request before any provider was called. */
export class SubagentError extends Error {
  static {
    brandError(this, "SubagentError");
  }

  /** Why; stable, unlike the message. */
  readonly code: SubagentErrorCode;

  /** Makes a refusal. The message is shown to models: it names fields and kinds, never values of a request. */
  constructor(code: SubagentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is SubagentError {
    return hasBrand(value, "SubagentError");
  }
}

/**
 * A provider failed. The message is the fixed failure line and nothing else; the raw failure is the `cause`, for the
 * host alone.
 */
export class SubagentFailure extends Error {
  static {
    brandError(this, "SubagentFailure");
  }

  /** Stable. */
  readonly code = "SUBAGENT_FAILURE";
  /** What is known; frozen, every word from its closed list. */
  readonly facts: FailureFacts;

  /** Makes a failure of facts. Words outside the closed lists become `unknown`. */
  constructor(facts: FailureFacts, options?: ErrorOptions) {
    const checked = checkedFacts(facts);
    super(formatFailure(checked), options);
    this.facts = checked;
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is SubagentFailure {
    return hasBrand(value, "SubagentFailure");
  }
}

/** A start was cancelled before its run was published, and left nothing behind. */
export class SubagentAbortedError extends Error {
  static {
    brandError(this, "SubagentAbortedError");
  }

  /** Stable. */
  readonly code = "ABORTED";
  /** Which kind of child did not come to be. */
  readonly child: AbortedChild;

  /** Makes the error; its message is one of three fixed texts. */
  constructor(child: AbortedChild, options?: ErrorOptions) {
    super(formatAborted(child), options);
    this.child = abortedChild(child);
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is SubagentAbortedError {
    return hasBrand(value, "SubagentAbortedError");
  }
}

/**
 * Makes the error that a provider's `start` rejects with.
 *
 * - clean-up went well: the reason itself;
 * - a failure whose clean-up failed too: an `AggregateError` of both, in this order, its message their lines joined
 *   by `; `;
 * - a cancelled start whose clean-up failed: an `AggregateError` of the clean-up failure alone, because a plain
 *   "aborted" would claim that nothing was left behind. The cancellation is its `cause`.
 *
 * @param reason Why there is no run.
 * @param cleanup What went wrong while the child was taken down again, if anything did.
 */
export function startFailure(
  reason: SubagentFailure | SubagentAbortedError,
  cleanup?: SubagentFailure,
): SubagentFailure | SubagentAbortedError | AggregateError {
  if (cleanup === undefined) return reason;
  if (SubagentAbortedError.is(reason)) {
    return new AggregateError([cleanup], formatFailure(cleanup.facts), { cause: reason });
  }
  return new AggregateError([reason, cleanup], formatFailures([reason.facts, cleanup.facts]));
}
