/**
 * What the end of a child's turn means for the parent.
 *
 * @module
 */
import type { SdkFailureFacts } from "../diagnostics/failure_facts.ts";
import type { SdkCategory } from "../diagnostics/vocabularies.ts";
import { isRecord } from "../seam/kind_of.ts";
import type { SubagentStopReason } from "../seam/types.ts";

/** The end of a child's turn in the shared vocabulary. */
export interface SdkChildOutcome {
  /** The shared stop reason. */
  readonly stopReason: SubagentStopReason;
  /** Facts of the failure line, where the shared stop reason does not say it all. */
  readonly failure?: SdkFailureFacts;
}

/**
 * Maps the `reason` of the last `turn/end` event of a DeepSeek Harness session.
 *
 * `completed`, `max-tokens`, `aborted` and `blocked` have a shared counterpart; an `aborted` turn whose cause is
 * `disposed` says so besides. `error` is an error with a category of its own. `interrupted` is written by the repair of
 * a stored session alone, and says no more than `error`. Without a reason the session went idle before any turn ended.
 * Any other kind, of whatever type, is an error of an unknown child reason; no value is ever copied.
 *
 * Older runtimes write `disposed` for a turn aborted by disposal, and `rejected` for a blocked one.
 */
export function sdkChildOutcome(reason: unknown): SdkChildOutcome {
  if (reason === undefined) return failed("error", "missing-terminal");
  switch (isRecord(reason) ? reason["kind"] : undefined) {
    case "completed":
      return { stopReason: "completed" };
    case "max-tokens":
      return { stopReason: "max-tokens" };
    case "aborted":
      return isDisposal((reason as { readonly reason?: unknown }).reason)
        ? failed("aborted", "child-disposed")
        : { stopReason: "aborted" };
    case "disposed":
      return failed("aborted", "child-disposed");
    case "blocked":
    case "rejected":
      return { stopReason: "refusal" };
    case "error":
      return failed("error", "child-error");
    case "interrupted":
      return { stopReason: "error" };
    default:
      return failed("error", "child-unknown");
  }
}

function isDisposal(cause: unknown): boolean {
  return isRecord(cause) && cause["kind"] === "disposed";
}

function failed(stopReason: SubagentStopReason, category: SdkCategory): SdkChildOutcome {
  return { stopReason, failure: { provider: "DSH SDK", stage: "session-run", category } };
}
