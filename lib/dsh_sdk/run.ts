/**
 * A published run: the prompt under way, its one result, and the end of its runtime.
 *
 * @module
 */
import type { SdkFailureFacts } from "../diagnostics/failure_facts.ts";
import { joinDiagnostic } from "../diagnostics/join_diagnostic.ts";
import { Cancellation } from "../seam/cancellation.ts";
import { SubagentFailure } from "../seam/errors.ts";
import { outOfProcessRun, settleRunResult } from "../seam/settlement.ts";
import type { ProviderStartRequest, SubagentResult, SubagentRun } from "../seam/types.ts";
import type { SdkChild } from "./child.ts";
import { sdkChildOutcome } from "./child_outcome.ts";
import { sdkFailure, SHUTDOWN_FAILURE } from "./failure.ts";
import type { HostReport } from "./host_report.ts";

/** A runtime that is ready for its prompt. */
export interface ReadyChild {
  /** Id of the run. */
  readonly id: string;
  /** The runtime with its session. */
  readonly child: SdkChild;
  /** Takes raw failures. */
  readonly report: HostReport;
}

/** Sends the prompt and hands out the run. The result settles once and never rejects. */
export function publishRun(
  { id, child, report }: ReadyChild,
  { prompt, signal }: ProviderStartRequest,
): SubagentRun {
  // The protocol has no cancel: the runtime works on until it is disposed of, and nobody listens any more.
  const cancellation = new Cancellation(() => {});
  let failure: SdkFailureFacts | undefined;

  const attempt = async (): Promise<SubagentResult> => {
    try {
      const { stopReason, failure } = sdkChildOutcome(await child.session.prompt(prompt));
      const diagnostic = joinDiagnostic(failure);
      const output = child.session.collectOutput();
      return { output, stopReason, ...(diagnostic === undefined ? {} : { diagnostic }) };
    } catch (error) {
      failure = sdkFailure("session-run", error);
      throw error;
    }
  };

  signal?.addEventListener("abort", cancellation.request, { once: true });
  const result = settleRunResult({
    attempt: () => Promise.race([attempt(), cancellation.requested]),
    collectOutput: () => child.session.collectOutput(),
    collectDiagnostic: () => joinDiagnostic(failure),
    cancelled: () => cancellation.isRequested,
    onError: (error) => report("run", error, id),
    signal,
    onAbort: cancellation.request,
  });

  return outOfProcessRun({
    id,
    result,
    signal,
    onAbort: cancellation.request,
    requestCancel: cancellation.request,
    teardown: async () => {
      try {
        await child.stop((error) => report("dispose", error, id));
      } catch (error) {
        report("dispose", error, id);
        throw new SubagentFailure(SHUTDOWN_FAILURE, { cause: error });
      }
    },
  });
}
