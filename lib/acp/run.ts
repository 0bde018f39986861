/**
 * A published run: the prompt under way, its one result, and the end of its process.
 *
 * @module
 */
import { joinDiagnostic } from "../diagnostics/join_diagnostic.ts";
import type { AcpFailureFacts } from "../diagnostics/failure_facts.ts";
import { SubagentFailure } from "../seam/errors.ts";
import { Cancellation } from "../seam/cancellation.ts";
import { outOfProcessRun, settleRunResult } from "../seam/settlement.ts";
import type { ProviderContext, ProviderStartRequest, SubagentResult, SubagentRun } from "../seam/types.ts";
import type { AcpChild } from "./child.ts";
import { classifyFailure, teardownFailure } from "./failure.ts";
import { acpStopReason } from "./stop_reason.ts";

/** A child whose session is open. */
export interface OpenedChild {
  /** Id of the run. */
  readonly id: string;
  /** The process with its session. */
  readonly child: AcpChild;
  /** Registered name of the provider, for the host's log. */
  readonly providerName: string;
}

/** Sends the prompt and hands out the run. The result settles once and never rejects. */
export function publishRun(
  { id, child, providerName }: OpenedChild,
  request: ProviderStartRequest,
  { onHostFailure }: ProviderContext,
): SubagentRun {
  const { session } = child;
  const cancellation = new Cancellation(() => session.cancel());
  let failure: AcpFailureFacts | undefined;

  const attempt = async (): Promise<SubagentResult> => {
    try {
      const { stopReason, failure: facts } = acpStopReason(await session.prompt(request.prompt));
      const diagnostic = joinDiagnostic(facts, session.permission);
      return {
        output: session.collectOutput(),
        stopReason,
        ...(diagnostic === undefined ? {} : { diagnostic }),
      };
    } catch (error) {
      failure = await classifyFailure(error, session.stage, child);
      throw error;
    }
  };

  request.signal?.addEventListener("abort", cancellation.request, { once: true });
  const result = settleRunResult({
    attempt: () => Promise.race([attempt(), cancellation.requested]),
    collectOutput: () => session.collectOutput(),
    collectDiagnostic: () => joinDiagnostic(failure, session.permission),
    cancelled: () => cancellation.isRequested,
    onError: (error) => onHostFailure({ provider: providerName, operation: "run", runId: id, error }),
    signal: request.signal,
    onAbort: cancellation.request,
  });

  return outOfProcessRun({
    id,
    result,
    signal: request.signal,
    onAbort: cancellation.request,
    requestCancel: cancellation.request,
    teardown: async () => {
      try {
        await child.stop();
      } catch (error) {
        onHostFailure({ provider: providerName, operation: "dispose", runId: id, error });
        throw new SubagentFailure(teardownFailure(child.known), { cause: error });
      }
    },
  });
}
