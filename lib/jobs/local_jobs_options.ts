/**
 * How jobs in this process are set up, and what that gives.
 *
 * @module
 */
import {
  aFunction,
  aPositiveInteger,
  checkedOptions,
  objectWith,
  type OptionCheck,
} from "../seam/checked_options.ts";
import { contain } from "../seam/contain.ts";
import type { SubagentParent } from "../seam/types.ts";
import { type JobClock, systemClock } from "./job_clock.ts";
import type { JobRunner, Jobs, JobSnapshot } from "./jobs_types.ts";

/**
 * Whether an owner may have a job. `live`: it may. `not-live`: it is gone, or is not the one that goes by its id.
 * `uncontrolled`: it has no tool to read or end one, so that what came of the job would never reach it.
 */
export type JobOwnerState = "live" | "not-live" | "uncontrolled";

/** A raw failure around a job, for the host's own log. It may hold anybody's text: never show it to a model. */
export interface JobFailure {
  /** The job. */
  readonly jobId: string;
  /** What failed: the runner or what it began, asking that to end, or a listener. */
  readonly operation: "run" | "cancel" | "notice";
  /** The original error. */
  readonly error: unknown;
}

/** Options of {@link localJobs}. */
export interface LocalJobsOptions {
  /** Does the work of the jobs; `delegationRunner()` makes one. */
  readonly run: JobRunner;
  /** Active jobs that one owner may have. @default {10} */
  readonly limit?: number;
  /** Settled jobs of one owner that are remembered after they were read or killed. @default {1000} */
  readonly remembered?: number;
  /** Tells whether an owner may have a job. Default: every one may. */
  readonly ownerState?: (owner: SubagentParent) => JobOwnerState;
  /** Milliseconds until a listener that failed gets its notices again. @default {5000} */
  readonly noticeRetryMs?: number;
  /** Takes raw failures. Default: they are dropped. */
  readonly onFailure?: (failure: JobFailure) => void;
  /** The time. Default: that of the runtime. */
  readonly clock?: JobClock;
}

/** Jobs in this process, and their end. */
export interface LocalJobs extends Jobs, AsyncDisposable {
  /**
   * Ends the jobs of an owner that goes, waits until they are settled, and forgets them. Meanwhile the owner cannot
   * start others. As long as work does not end although it was told to, this waits.
   *
   * @param owner Id of the owner.
   * @returns The jobs at the end.
   */
  disposeOwner(owner: string): Promise<readonly JobSnapshot[]>;
  /** Ends all jobs and waits until they are settled; none can be started any more. Idempotent: one shared promise. */
  dispose(): Promise<void>;
}

/**
 * Checks options and fills in the defaults. `onFailure` never throws any more.
 *
 * @throws {TypeError} When an option is wrong, naming it and what it must be.
 */
export function checkedLocalJobsOptions(options: LocalJobsOptions): Required<LocalJobsOptions> {
  const given = checkedOptions("localJobs()", options, OPTION_CHECKS);
  const { run, limit = 10, remembered = 1000, noticeRetryMs = 5000, clock = systemClock } = given;
  const { ownerState = () => "live", onFailure = () => {} } = given;
  if (run === undefined) throw new TypeError('localJobs(): option "run" is required');
  return {
    run,
    limit,
    remembered,
    noticeRetryMs,
    clock,
    ownerState,
    onFailure: (failure) => contain(() => onFailure(failure), () => {}),
  };
}

const OPTION_CHECKS: Readonly<Record<keyof LocalJobsOptions, OptionCheck>> = {
  run: aFunction,
  limit: aPositiveInteger,
  remembered: aPositiveInteger,
  ownerState: aFunction,
  noticeRetryMs: aPositiveInteger,
  onFailure: aFunction,
  clock: objectWith("setTimer"),
};
