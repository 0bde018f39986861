/**
 * Raw failures on their way to the host's own log.
 *
 * @module
 */
import type { HostFailure, HostFailureSink } from "../seam/host_failure.ts";

/** A raw failure of this provider, with what the runtime said about it. */
export interface DshSdkHostFailure extends HostFailure {
  /**
   * The last of the runtime's stderr, with `stderr: "tail"`. It grows while the runtime still writes, so the later it is
   * read the more it says. Text of the child: not enumerable, so that no printer and no copy of the failure holds it.
   */
  readonly stderrTail?: string;
}

/** Reports the failures of one run. Never throws. */
export type HostReport = (operation: HostFailure["operation"], error: unknown, runId?: string) => void;

/** Makes the reports of one run; `stderrTail` gives what its runtime wrote until then. */
export function hostReport(provider: string, sink: HostFailureSink, stderrTail: () => string): HostReport {
  return (operation, error, runId) => {
    const failure: DshSdkHostFailure = {
      provider,
      operation,
      error,
      ...(runId === undefined ? {} : { runId }),
    };
    sink(Object.defineProperty(failure, "stderrTail", { get: stderrTail }));
  };
}
