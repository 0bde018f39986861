/**
 * What of an error of the jobs port a model may see.
 *
 * @module
 */
import { limitDiagnostic } from "../diagnostics/limit_diagnostic.ts";
import { contain } from "../seam/contain.ts";
import { JobError } from "../jobs/job_error.ts";

/**
 * Makes an error that is safe to show. The refusals of the port keep their words; what else a port throws, as when
 * its database is away, may hold anything.
 *
 * @param report Takes what is not shown.
 */
export function shownJobsError(error: unknown, report: (error: unknown) => void): Error {
  if (JobError.is(error)) return new JobError(error.code, limitDiagnostic(error.message));
  contain(() => report(error), () => {});
  return new Error("background jobs unavailable: the jobs service failed");
}
