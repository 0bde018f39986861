/**
 * The refusals of jobs, in fixed words that every implementation of the port uses.
 *
 * @module
 */
import { isPresentable, presentableError } from "../seam/presentable_error.ts";
import { kindOf } from "../seam/kind_of.ts";
import { JobError } from "./job_error.ts";
import { HIDDEN_ERROR } from "./job_texts.ts";

/** A field of the request has the wrong shape. */
export function invalidJob(field: string, expected: string): JobError {
  return new JobError("INVALID_JOB", `invalid job ${field}: expected ${expected}`);
}

/** The owner is not one that may have jobs now. */
export function ownerNotLive(owner: string): JobError {
  return new JobError(
    "OWNER_NOT_LIVE",
    `agent "${owner}" is not the registered agent instance (background job owner must be live)`,
  );
}

/** The owner would not be able to read or end its job. */
export function noJobController(): JobError {
  return new JobError(
    "UNAVAILABLE",
    "background jobs unavailable: no job controller serves this agent (give it the job tools)",
  );
}

/** There are no jobs any more. */
export function jobsDisposed(): JobError {
  return new JobError("UNAVAILABLE", "background jobs unavailable: jobs service disposed");
}

/** The owner has as many active jobs as it may have. */
export function limitReached(limit: number): JobError {
  return new JobError(
    "LIMIT_REACHED",
    `background job limit reached for this owner (limit: ${limit}); ` +
      "use job_kill to stop an unneeded job, wait for it to finish, then retry",
  );
}

/** The owner has used the key for another job. */
export function keyConflict(id: string): JobError {
  return new JobError(
    "KEY_CONFLICT",
    `the idempotency key belongs to job ${id}, which was asked for otherwise`,
  );
}

/** There is no such job. */
export function unknownJob(id: string): JobError {
  return new JobError("UNKNOWN_JOB", `unknown job ${id}`);
}

/** The job is another owner's. */
export function foreignJob(id: string): JobError {
  return new JobError("FOREIGN_JOB", `job ${id} belongs to another session`);
}

/** The work could not be told to end. */
export function cancelFailed(id: string, error: unknown): JobError {
  return new JobError("CANCEL_FAILED", `could not cancel job ${id}: ${shownError(error)}`);
}

/** The time to wait is no such time. */
export function invalidTimeout(value: unknown): JobError {
  const got = typeof value === "number" ? String(value) : kindOf(value);
  return new JobError(
    "INVALID_TIMEOUT",
    `invalid wait timeout: expected a positive number of milliseconds, got ${got}`,
  );
}

/** The signal ended the waiting. */
export function waitAborted(): JobError {
  return new JobError("WAIT_ABORTED", "wait aborted");
}

/** An error in words, if it is one of ours; else nothing of it. */
export function shownError(error: unknown): string {
  return isPresentable(error) ? String(presentableError(error, "unknown", "result")) : HIDDEN_ERROR;
}
