/**
 * One delegation behind the seam: from the request to a published run, or back to nothing.
 *
 * @module
 */
import type { SessionEvent } from "../agent/session/session_event.ts";
import type { OwnerScope } from "../agent/scope/owner_scope.ts";
import { startFailure, SubagentAbortedError, SubagentError, SubagentFailure } from "../seam/errors.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import { isPresentable } from "../seam/presentable_error.ts";
import type { ProviderContext, ProviderStartRequest, SubagentRun } from "../seam/types.ts";
import { isRefusal } from "./refusal.ts";
import { RunDrive } from "./run_drive.ts";
import { acceptRunRequest } from "./run_request.ts";
import { type ChildRuntime, runParentOf } from "./seam_parent.ts";
import { type RunParent, SEAM_RULES } from "./seam_rules.ts";
import { seamRun } from "./seam_run.ts";

/** What a provider starts its children with. */
export interface SeamStartOptions {
  /** Where the children are made. */
  readonly runtime: ChildRuntime;
  /** Ends the children. */
  readonly owner: OwnerScope;
  /** Registered name of the provider. */
  readonly name: string;
  /** What a child's session begins with. @throws {SubagentError} When the parent has nothing of the kind. */
  readonly seedOf: (parent: RunParent) => readonly SessionEvent[] | undefined;
  /** Makes an id, fresh at every call. */
  readonly newId: () => string;
}

/**
 * Starts one child and gives its run back once it is published. On failure or cancellation everything is taken back
 * first, and what could not be taken back is part of the error.
 *
 * @throws {SubagentAbortedError} When the request was cancelled before publication.
 * @throws {SubagentError} `INVALID_REQUEST`, also where the older driver throws a `TypeError` or `RangeError`.
 * @throws {SubagentDepthError} When the child would be deeper than `maxDepth`.
 * @throws {OutputSchemaError} When the schema is outside the supported subset of JSON Schema.
 * @throws {SubagentFailure} When the child could not be made.
 * @throws {AggregateError} Of `SubagentFailure`s, when the clean-up failed too.
 */
export async function startSeamRun(
  options: SeamStartOptions,
  request: ProviderStartRequest,
  { onHostFailure }: ProviderContext,
): Promise<SubagentRun> {
  const { name } = options;
  const { signal } = request;
  if (signal?.aborted) throw new SubagentAbortedError("in-process");
  const report = (operation: HostFailure["operation"], error: unknown, runId?: string) =>
    onHostFailure({ provider: name, operation, ...(runId === undefined ? {} : { runId }), error });
  const faultOf = (error: unknown): Error => {
    const fault = startFault(error, name);
    // What the message holds back is for the host.
    if (fault.cause !== undefined) report("start", fault.cause);
    return fault;
  };

  let drive: RunDrive<RunParent>;
  try {
    drive = beginRun(options, request);
  } catch (error) {
    throw faultOf(error);
  }

  let fault: Error | undefined;
  try {
    await drive.started;
    if (!signal?.aborted) return seamRun(drive, { name, report });
  } catch (error) {
    if (!signal?.aborted) fault = faultOf(error);
  }
  fault ??= new SubagentAbortedError("in-process");
  try {
    await drive.dispose();
  } catch (cause) {
    report("dispose", cause);
    throw withCleanup(fault, name, new SubagentFailure(factsOf(name, "dispose"), { cause }));
  }
  throw fault;
}

function beginRun(
  { runtime, owner, seedOf, newId }: SeamStartOptions,
  request: ProviderStartRequest,
): RunDrive<RunParent> {
  const rules = SEAM_RULES;
  const parent = runParentOf(request.parent, runtime);
  const plan = acceptRunRequest({ ...request, parent }, { seed: seedOf(parent), rules, newId });
  return new RunDrive(plan, { owner, agents: runtime.agents, rules, newId });
}

/** An error that is safe to show, with what it stands for as its cause. */
function startFault(error: unknown, name: string): Error {
  if (isRefusal(error)) return new SubagentError("INVALID_REQUEST", error.message);
  if (isPresentable(error)) return error as Error;
  return new SubagentFailure(factsOf(name, "start"), { cause: error });
}

function withCleanup(fault: Error, name: string, cleanup: SubagentFailure): Error {
  const reason = SubagentAbortedError.is(fault) || SubagentFailure.is(fault)
    ? fault
    // A refusal would claim that nothing was begun.
    : new SubagentFailure(factsOf(name, "start"), { cause: fault });
  return startFailure(reason, cleanup);
}

function factsOf(provider: string, stage: "start" | "dispose") {
  return { provider, stage, category: "unknown" } as const;
}
