/**
 * Waiting for something, for some time, as long as somebody wants to.
 *
 * @module
 */
import { LONGEST_TIMER_MS } from "../seam/config_fields.ts";
import type { JobClock } from "./job_clock.ts";
import { invalidTimeout, waitAborted } from "./job_refusals.ts";

/** What ends a wait early. */
export interface WaitBounds {
  /** Milliseconds, above 0; more than 2147483647 counts as that. Default: no bound. */
  readonly timeoutMs?: number | undefined;
  /** Ends it by a rejection. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks a time to wait. Infinity is no bound.
 *
 * @throws {JobError} `INVALID_TIMEOUT`.
 */
export function assertWaitTimeout(timeoutMs: unknown): asserts timeoutMs is number | undefined {
  if (timeoutMs === undefined) return;
  if (typeof timeoutMs !== "number" || !(timeoutMs > 0)) throw invalidTimeout(timeoutMs);
}

/**
 * Fulfils when the promise does or the time is over. Leaves no timer and no listener.
 *
 * @param settled Must not reject.
 * @throws {JobError} `WAIT_ABORTED`.
 */
export function waitFor(
  settled: Promise<unknown>,
  { timeoutMs = Infinity, signal }: WaitBounds,
  clock: JobClock,
): Promise<void> {
  if (signal?.aborted) return Promise.reject(waitAborted());
  return new Promise((resolve, reject) => {
    const cancelTimer = timeoutMs === Infinity
      ? undefined
      : clock.setTimer(() => finish(resolve), Math.min(timeoutMs, LONGEST_TIMER_MS), { keepsProcess: true });
    const onAbort = () => finish(() => reject(waitAborted()));
    const finish = (settle: () => void) => {
      cancelTimer?.();
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    void settled.then(() => finish(resolve));
  });
}
