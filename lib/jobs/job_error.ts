/**
 * Why jobs refuse.
 *
 * @module
 */
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** Why a call was refused. */
export type JobErrorCode =
  /** A field of the request has the wrong shape. */
  | "INVALID_JOB"
  /** The owner is not, or no longer, there. */
  | "OWNER_NOT_LIVE"
  /** Nobody would be able to control the job, or there are no jobs at all any more. */
  | "UNAVAILABLE"
  /** The owner has as many active jobs as it may have. */
  | "LIMIT_REACHED"
  /** The owner has used the idempotency key for another job. */
  | "KEY_CONFLICT"
  /** There is no such job. */
  | "UNKNOWN_JOB"
  /** It is the job of another owner. */
  | "FOREIGN_JOB"
  /** The work could not be told to end. */
  | "CANCEL_FAILED"
  /** The time to wait is no such time. */
  | "INVALID_TIMEOUT"
  /** The signal ended the waiting. */
  | "WAIT_ABORTED";

/** A call was refused. The message is fixed text around ids and labels of the caller's own: safe to show to a model. */
export class JobError extends Error {
  static {
    brandError(this, "JobError");
  }

  /** Why; stable, unlike the message. */
  readonly code: JobErrorCode;

  /** Makes a refusal. There is no `cause`: the error goes where texts of strangers must not. */
  constructor(code: JobErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is JobError {
    return hasBrand(value, "JobError");
  }
}
