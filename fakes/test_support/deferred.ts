/**
 * Promises of tests.
 *
 * @module
 */
import assert from "node:assert/strict";

/** A promise and what settles it. */
export interface Deferred<T> {
  /** The promise. */
  readonly promise: Promise<T>;
  /** Fulfils it. */
  readonly resolve: (value: T) => void;
  /** Rejects it. */
  readonly reject: (error: unknown) => void;
}

/** Makes a promise that is settled from outside. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise;
    reject = rejectPromise;
  });
  return { promise, resolve, reject };
}

/** Waits for a condition to come true, looking again every 5 milliseconds; fails at the deadline. */
export async function eventually(condition: () => boolean, what: string, deadlineMs = 10_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!condition()) {
    if (performance.now() > end) assert.fail(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
