/**
 * From a raw failure to closed facts. The class of the error decides, never its text.
 *
 * @module
 */
import type { SdkFailureFacts } from "../diagnostics/failure_facts.ts";
import type { SdkCategory, SdkStage } from "../diagnostics/vocabularies.ts";
import { JsonRpcProtocolError, JsonRpcResponseError, TransportClosedError } from "../json_rpc/errors.ts";
import { ProcessStartError } from "../process/errors.ts";
import { StartTimeoutError } from "../seam/opening.ts";
import { SdkProtocolError } from "./errors.ts";

/**
 * Classifies the failure of an operation.
 *
 * A connection that is over, or was not ready in time, is `transport`: this protocol knows no other sign of a dead runtime.
 * An answer that is an error or no answer at all is `protocol`. Anything else is `unknown`, a request that timed out
 * among it.
 */
export function sdkFailure(stage: SdkStage, error: unknown): SdkFailureFacts {
  return { provider: "DSH SDK", stage, category: categoryOf(error) };
}

function categoryOf(error: unknown): SdkCategory {
  if (TransportClosedError.is(error) || ProcessStartError.is(error) || StartTimeoutError.is(error)) {
    return "transport";
  }
  if (SdkProtocolError.is(error) || JsonRpcResponseError.is(error) || JsonRpcProtocolError.is(error)) {
    return "protocol";
  }
  return "unknown";
}

/** Facts of a start without a working directory. */
export const CONFIGURATION_FAILURE: SdkFailureFacts = Object.freeze({
  provider: "DSH SDK",
  stage: "initialize",
  category: "configuration",
});

/** Facts of a runtime that could not be ended completely, whatever was in the way. */
export const SHUTDOWN_FAILURE: SdkFailureFacts = Object.freeze({
  provider: "DSH SDK",
  stage: "shutdown",
  category: "unknown",
});
