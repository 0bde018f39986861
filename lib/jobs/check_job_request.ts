/**
 * Taking over what a job is asked for with.
 *
 * @module
 */
import type { JsonObject } from "../schema/json_value.ts";
import { snapshotFrozenJsonValue } from "../schema/snapshot_json_value.ts";
import { isRecord } from "../seam/kind_of.ts";
import type { SubagentParent } from "../seam/types.ts";
import { invalidJob } from "./job_refusals.ts";
import type { JobRequest } from "./jobs_types.ts";

/** A request that has the right shape and that nobody is able to change any more, but for the owner object. */
export interface CheckedJobRequest extends JobRequest {
  /** The owner's id, as it was. */
  readonly ownerId: string;
}

/**
 * Reads each field of a request once.
 *
 * @throws {JobError} `INVALID_JOB`, naming the first field that is wrong.
 */
export function checkedJobRequest(request: JobRequest): CheckedJobRequest {
  if (!isRecord(request)) throw invalidJob("request", "an object");
  const { kind, label, owner, key, work } = request;
  if (!isNonEmptyString(kind)) throw invalidJob("kind", "a non-empty string");
  if (!isNonEmptyString(label)) throw invalidJob("label", "a non-empty string");
  const ownerId = isRecord(owner) ? owner.id : undefined;
  if (!isNonEmptyString(ownerId)) throw invalidJob("owner", "an object whose id is a non-empty string");
  if (key !== undefined && !isNonEmptyString(key)) throw invalidJob("key", "a non-empty string");
  return {
    kind,
    label,
    owner: owner as unknown as SubagentParent,
    ownerId,
    ...(key === undefined ? {} : { key }),
    work: checkedWork(work),
  };
}

function checkedWork(work: unknown): JsonObject {
  const snapshot = attempt(() => snapshotFrozenJsonValue(work));
  if (!isRecord(snapshot)) throw invalidJob("work", "a losslessly JSON-serializable object");
  return snapshot as JsonObject;
}

/** A getter may throw, and its text would be its own. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
