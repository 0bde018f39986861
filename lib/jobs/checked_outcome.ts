/**
 * Reading what a runner says that a job came to.
 *
 * @module
 */
import { isRecord } from "../seam/kind_of.ts";
import type { JobOutcome } from "./jobs_types.ts";

/**
 * Gives the outcome with nothing else in it: a runner may be anybody's.
 *
 * @throws {TypeError} When it is none.
 */
export function checkedOutcome(outcome: unknown): JobOutcome {
  if (isRecord(outcome)) {
    const { status, output, detail } = outcome;
    if (status === "killed") return { status };
    if (status === "completed" && typeof output === "string") return { status, output };
    if (status === "failed" && typeof detail === "string") return { status, detail };
  }
  throw new TypeError("The runner of a job must fulfil with a JobOutcome");
}
