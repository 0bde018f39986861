/**
 * A delegation as the work of a job: data that any process with the same providers is able to carry out.
 *
 * @module
 */
import type { JsonObject } from "../schema/json_value.ts";
import { snapshotFrozenJsonValue } from "../schema/snapshot_json_value.ts";
import { withoutUndefined } from "../schema/without_undefined.ts";
import type { HostFailureSink } from "../seam/host_failure.ts";
import { isRecord } from "../seam/kind_of.ts";
import type { Subagents } from "../seam/subagents.ts";
import type { SubagentParent, SubagentStartRequest } from "../seam/types.ts";
import { JobError } from "./job_error.ts";
import type { JobActivity, JobAssignment, JobRunner } from "./jobs_types.ts";
import { settleStart } from "./settle_run.ts";

/** The kind of jobs that are delegations. */
export const DELEGATION_KIND = "subagent";

/** A request without what is no data: the parent is the job's owner, the signal is the job's own. */
export type DelegationRequest = Omit<SubagentStartRequest, "parent" | "signal">;

/** What the work of a job of this kind holds. */
export interface Delegation {
  /** Registered name of the provider, in the process that runs the job. */
  readonly provider: string;
  /** What it is asked for. */
  readonly request: DelegationRequest;
}

/**
 * Makes the work of a job out of a delegation; frozen, and detached from what it was made of.
 *
 * @throws {JobError} `INVALID_JOB` when JSON would lose something of it.
 */
export function delegationWork({ provider, request }: Delegation): JsonObject {
  const work = snapshotFrozenJsonValue({ provider, request: withoutUndefined(request) });
  if (work === undefined) {
    throw new JobError(
      "INVALID_JOB",
      "invalid job work: a background delegation must be losslessly JSON-serializable",
    );
  }
  return work as JsonObject;
}

/** Options of {@link delegationRunner}. */
export interface DelegationRunnerOptions {
  /**
   * Finds the parent of a child. Needed where the owner of a job was written down and read again, and the child is to
   * live in this process beside an agent: give that agent. @default the owner as it comes
   */
  readonly parentOf?: (owner: SubagentParent) => SubagentParent;
  /** Takes what is wrong with a result that cannot be read. Default: dropped, as by {@link settleStart}. */
  readonly onHostFailure?: HostFailureSink;
}

/**
 * Makes what runs delegations as jobs. The outcome is that of {@link settleStart}, so that a job is settled only
 * when its child is gone.
 */
export function delegationRunner(subagents: Subagents, options: DelegationRunnerOptions = {}): JobRunner {
  const { parentOf = (owner) => owner, onHostFailure } = options;
  return ({ kind, owner, work }: JobAssignment): JobActivity => {
    const { provider, request } = readDelegation(kind, work);
    const controller = new AbortController();
    const { signal } = controller;
    const start = subagents.start(provider, { ...request, parent: parentOf(owner), signal });
    return {
      cancel: (reason) => controller.abort(reason),
      done: settleStart(start, signal, { provider, ...(onHostFailure && { onHostFailure }) }),
    };
  };
}

/** The request itself is checked by the seam, as any is. */
function readDelegation(kind: string, work: JsonObject): Delegation {
  const { provider, request } = work;
  if (kind !== DELEGATION_KIND || typeof provider !== "string" || !isRecord(request)) {
    throw new TypeError(
      `Cannot run the job: expected one of kind "${DELEGATION_KIND}" whose work is { provider, request }`,
    );
  }
  return { provider, request: request as unknown as DelegationRequest };
}
