/**
 * Jobs whose work and time the tests move by hand.
 *
 * @module
 */
import { type Deferred, deferred } from "../../fakes/test_support/deferred.ts";
import type { JobClock } from "./job_clock.ts";
import type { JobAssignment, JobOutcome, JobRequest, JobRunner } from "./jobs_types.ts";
import { localJobs } from "./local_jobs.ts";
import type { JobFailure, LocalJobs, LocalJobsOptions } from "./local_jobs_options.ts";

/** The work of one job. */
export interface Work extends Deferred<JobOutcome> {
  /** What the runner got. */
  readonly assignment: JobAssignment;
  /** Why it was told to end, each time. */
  readonly cancels: string[];
}

/** A clock that stands still until it is told to go on. */
export class HandClock implements JobClock {
  #now = 1000;
  readonly #timers: Set<{ readonly due: number; readonly callback: () => void }> = new Set();

  /** Timers that are set. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    const timer = { due: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Lets time pass and calls back what is due. */
  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.due > this.#now || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
  }
}

/** Jobs, and what moves them. */
export interface Bench {
  readonly jobs: LocalJobs;
  /** The work that was begun, in order. */
  readonly work: Work[];
  readonly clock: HandClock;
  readonly failures: JobFailure[];
}

/** Makes jobs whose work goes on until a test settles it; `cancel` is what that does when it is told to end. */
export function benchOf(
  options: Partial<LocalJobsOptions> = {},
  cancel: (work: Work, reason: string) => void = () => {},
): Bench {
  const work: Work[] = [];
  const clock = new HandClock();
  const failures: JobFailure[] = [];
  const run: JobRunner = (assignment) => {
    const one: Work = { assignment, cancels: [], ...deferred<JobOutcome>() };
    work.push(one);
    return {
      cancel: (reason) => {
        one.cancels.push(reason);
        cancel(one, reason);
      },
      done: one.promise,
    };
  };
  const jobs = localJobs({ run, clock, onFailure: (failure) => failures.push(failure), ...options });
  return { jobs, work, clock, failures };
}

/** A request of the owner `parent`. */
export function requestOf(parts: Partial<JobRequest> = {}): JobRequest {
  return { kind: "subagent", label: "look around", owner: { id: "parent" }, work: { task: 1 }, ...parts };
}

/** Lets everything that is due happen: promises react in turns of the microtask queue. */
export async function settleDown(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
