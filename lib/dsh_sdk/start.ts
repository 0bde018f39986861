/**
 * The start of one delegation: from the request to a published run, or back to nothing.
 *
 * @module
 */
import type { ProcessHost } from "../process/port.ts";
import type { StartDirectory } from "../process/start_directory.ts";
import { startFailure, SubagentAbortedError, SubagentFailure } from "../seam/errors.ts";
import { settleOpening } from "../seam/opening.ts";
import type { ProviderContext, ProviderStartRequest, SubagentRun } from "../seam/types.ts";
import { SdkChild } from "./child.ts";
import type { ResolvedDshSdkConfig } from "./config.ts";
import { CONFIGURATION_FAILURE, sdkFailure, SHUTDOWN_FAILURE } from "./failure.ts";
import { hostReport } from "./host_report.ts";
import type { LaunchCommand } from "./launch.ts";
import { publishRun } from "./run.ts";

/** What a start needs beside the request. */
export interface SdkStartOptions {
  /** The provider's configuration. */
  readonly config: ResolvedDshSdkConfig;
  /** What is spawned. */
  readonly launch: LaunchCommand;
  /** What spawns it. */
  readonly host: ProcessHost;
  /** Finds the working directory: the configured one, else the parent's. */
  readonly resolveCwd: StartDirectory;
}

/**
 * Starts one runtime and publishes the run once it is ready.
 *
 * Until then nothing of it is the caller's: on failure or cancellation the process tree is ended first, and what could
 * not be ended is part of the error. Whichever of failure and cancellation comes first is what the start is about.
 *
 * @throws {SubagentAbortedError} When the request was cancelled before publication and everything is gone.
 * @throws {SubagentFailure} Naming the stage and category that failed.
 * @throws {AggregateError} Of `SubagentFailure`s, when the clean-up failed too.
 */
export async function startSdkRun(
  { config, launch, host, resolveCwd }: SdkStartOptions,
  request: ProviderStartRequest,
  { onHostFailure }: ProviderContext,
): Promise<SubagentRun> {
  if (request.signal?.aborted) throw new SubagentAbortedError("DSH SDK");
  const { providerName } = config;
  let cwd: string;
  try {
    cwd = resolveCwd(request.parent.cwd);
  } catch (error) {
    onHostFailure({ provider: providerName, operation: "start", error });
    throw new SubagentFailure(CONFIGURATION_FAILURE, { cause: error });
  }

  const child = new SdkChild({ config, launch, host, cwd });
  const report = hostReport(providerName, onHostFailure, () => child.stderrTail);
  let opening = await settleOpening(() => child.open(), {
    timeoutMs: config.startTimeoutMs,
    signal: request.signal,
  });
  if (opening.kind === "open" && !request.signal?.aborted) {
    try {
      return publishRun({ id: globalThis.crypto.randomUUID(), child, report }, request);
    } catch (error) {
      // A signal that is none, say: the runtime must not outlive a start that nobody gets a run from.
      opening = { kind: "failed", error };
    }
  }
  let reason: SubagentFailure | SubagentAbortedError = new SubagentAbortedError("DSH SDK");
  if (opening.kind === "failed") {
    report("start", opening.error);
    reason = new SubagentFailure(sdkFailure("initialize", opening.error), { cause: opening.error });
  }
  throw startFailure(reason, await rollBack(child, report));
}

async function rollBack(
  child: SdkChild,
  report: ReturnType<typeof hostReport>,
): Promise<SubagentFailure | undefined> {
  try {
    await child.stop((error) => report("dispose", error));
    return undefined;
  } catch (error) {
    report("dispose", error);
    return new SubagentFailure(SHUTDOWN_FAILURE, { cause: error });
  }
}
