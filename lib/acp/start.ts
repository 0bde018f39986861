/**
 * The start of one delegation: from the request to a published run, or back to nothing.
 *
 * @module
 */
import { contain } from "../seam/contain.ts";
import { startFailure, SubagentAbortedError, SubagentFailure } from "../seam/errors.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import { settleOpening } from "../seam/opening.ts";
import type { ProviderContext, ProviderStartRequest, SubagentRun } from "../seam/types.ts";
import type { ProcessHost } from "../process/port.ts";
import type { StartDirectory } from "../process/start_directory.ts";
import type { AcpActivityListener } from "./activity.ts";
import { AcpChild } from "./child.ts";
import type { ResolvedAcpConfig } from "./config.ts";
import { classifyFailure, teardownFailure } from "./failure.ts";
import { assertPromptBlocks } from "./prompt_content.ts";
import { publishRun } from "./run.ts";

/** What a start needs beside the request. */
export interface AcpStartOptions {
  /** The provider's configuration. */
  readonly config: ResolvedAcpConfig;
  /** What starts processes. */
  readonly host: ProcessHost;
  /** Finds the working directory: the configured one, else the parent's. */
  readonly resolveCwd: StartDirectory;
  /** Watches the run. */
  readonly onActivity?: AcpActivityListener | undefined;
}

/**
 * Starts one agent and publishes the run once its session exists.
 *
 * Until then nothing of it is the caller's: on failure or cancellation the process tree is ended first, and what
 * could not be ended is part of the error.
 *
 * @throws {SubagentAbortedError} When the request was cancelled before publication and everything is gone.
 * @throws {SubagentFailure} Naming the stage and category that failed.
 * @throws {AggregateError} Of `SubagentFailure`s, when the clean-up failed too.
 */
export async function startAcpRun(
  { config, host, resolveCwd, onActivity }: AcpStartOptions,
  request: ProviderStartRequest,
  context: ProviderContext,
): Promise<SubagentRun> {
  if (request.signal?.aborted) throw new SubagentAbortedError("ACP");
  assertPromptBlocks(request.prompt);
  const report = (operation: HostFailure["operation"], error: unknown) =>
    context.onHostFailure({ provider: config.providerName, operation, error });

  let cwd: string;
  try {
    cwd = resolveCwd(request.parent.cwd);
  } catch (error) {
    report("start", error);
    throw new SubagentFailure({ provider: "ACP", stage: "initialize", category: "configuration" }, {
      cause: error,
    });
  }

  const id = globalThis.crypto.randomUUID();
  const child = new AcpChild({
    config,
    host,
    cwd,
    onActivity: onActivity &&
      ((activity) =>
        contain(() => onActivity({ ...activity, runId: id }), (error) => report("listener", error))),
  });
  let opening = await settleOpening(() => child.open(), {
    timeoutMs: config.startTimeoutMs,
    signal: request.signal,
  });
  if (opening.kind === "open" && !request.signal?.aborted) {
    try {
      return publishRun({ id, child, providerName: config.providerName }, request, context);
    } catch (error) {
      // A signal that is none, say: the agent must not outlive a start that nobody gets a run from.
      opening = { kind: "failed", error };
    }
  }

  let reason: SubagentFailure | SubagentAbortedError = new SubagentAbortedError("ACP");
  if (opening.kind === "failed") {
    report("start", opening.error);
    reason = new SubagentFailure(await classifyFailure(opening.error, child.stage, child), {
      cause: opening.error,
    });
  }
  let teardown: SubagentFailure | undefined;
  try {
    await child.stop();
  } catch (error) {
    report("dispose", error);
    teardown = new SubagentFailure(teardownFailure(child.known), { cause: error });
  }
  throw startFailure(reason, teardown);
}
