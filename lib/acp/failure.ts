/**
 * From a raw failure to closed facts. What a failure is follows from process events and from our own checks, never
 * from the text of an error.
 *
 * @module
 */
import type { AcpFailureFacts } from "../diagnostics/failure_facts.ts";
import type { AcpStage } from "../diagnostics/vocabularies.ts";
import { TransportClosedError, TransportLimitError } from "../json_rpc/errors.ts";
import type { ProcessExit } from "../process/port.ts";
import { StartTimeoutError } from "../seam/opening.ts";
import { SessionIdError } from "./errors.ts";

/** What is known, or can be waited for, about the end of the process. */
export interface ExitFacts {
  /** The exit, if it happened already. */
  readonly known: ProcessExit | undefined;
  /** Waits for the exit, at most as long as the observation window. */
  observe(): Promise<ProcessExit | undefined>;
}

/**
 * Classifies the failure of an operation.
 *
 * Before there is a process, whatever its host throws is a failed start of it. An answer of a live agent, however bad, is
 * `transport` at once. Only a closed or broken connection is worth waiting
 * for: the exit that explains it comes a moment later, or not at all.
 *
 * @param stage The operation that failed, `process` as long as none was started. Once a run is published a dead process is its own stage.
 */
export async function classifyFailure(
  error: unknown,
  stage: AcpStage,
  exit: ExitFacts,
): Promise<AcpFailureFacts> {
  if (stage === "process" && !StartTimeoutError.is(error)) {
    return { provider: "ACP", stage, category: "process-start" };
  }
  if (error instanceof SessionIdError) return { provider: "ACP", stage, category: "protocol" };
  const closed = TransportClosedError.is(error) && !TransportLimitError.is(error);
  const ended = exit.known ?? (closed ? await exit.observe() : undefined);
  if (ended === undefined) return { provider: "ACP", stage, category: "transport" };
  return exitFacts(stage === "prompt" ? "process" : stage, ended);
}

/** Facts of a teardown that did not end everything. */
export function teardownFailure(exit: ProcessExit | undefined): AcpFailureFacts {
  return exit === undefined
    ? { provider: "ACP", stage: "teardown", category: "unknown" }
    : exitFacts("teardown", exit);
}

function exitFacts(stage: AcpStage, exit: ProcessExit): AcpFailureFacts {
  return { provider: "ACP", stage, category: "process-exit", ...exit };
}
