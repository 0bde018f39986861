/**
 * What an agent's stop reason means for the parent.
 *
 * @module
 */
import type { AcpFailureFacts } from "../diagnostics/failure_facts.ts";
import type { SubagentStopReason } from "../seam/types.ts";

/** An agent's stop reason in the shared vocabulary. */
export interface AcpStopOutcome {
  /** The shared stop reason. */
  readonly stopReason: SubagentStopReason;
  /** Facts of the failure line, where the shared stop reason does not say it all. */
  readonly failure?: AcpFailureFacts;
}

/**
 * Maps the `stopReason` of a `session/prompt` response (https://agentclientprotocol.com/protocol/prompt-turn#stop-reasons).
 *
 * `end_turn`, `max_tokens`, `refusal` and `cancelled` have a shared counterpart. `max_turn_requests` is an `error`
 * with a category of its own. Anything else, of whatever type, is an `error` of unknown category; the value itself
 * is never copied.
 */
export function acpStopReason(reason: unknown): AcpStopOutcome {
  switch (reason) {
    case "end_turn":
      return { stopReason: "completed" };
    case "max_tokens":
      return { stopReason: "max-tokens" };
    case "refusal":
      return { stopReason: "refusal" };
    case "cancelled":
      return { stopReason: "aborted" };
    case "max_turn_requests":
      return failed("remote-limit", "max_turn_requests");
    default:
      return failed("unknown", "unknown");
  }
}

function failed(
  category: "remote-limit" | "unknown",
  stopReason: "max_turn_requests" | "unknown",
): AcpStopOutcome {
  return { stopReason: "error", failure: { provider: "ACP", stage: "prompt", category, stopReason } };
}
