/**
 * The opening of a child: done, failed, cancelled or too late, whichever comes first.
 *
 * @module
 */
import { contain } from "./contain.ts";
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** What became of an opening. */
export type Opening =
  | { readonly kind: "open" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly error: unknown };

/** What ends an opening early. */
export interface OpeningBounds {
  /** Milliseconds it may take (at most 2147483647). @default {any number} */
  readonly timeoutMs?: number | undefined;
  /** Cancels it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens a child, unless the caller cancels or the time runs out first; with a signal that is aborted already, `open`
 * is not called. Never rejects, leaves no timer and no listener, and swallows what `open` comes to afterwards: who
 * gave up takes back what it made.
 */
export function settleOpening(
  open: () => Promise<void>,
  { timeoutMs, signal }: OpeningBounds,
): Promise<Opening> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ kind: "cancelled" });
    const settle = (opening: Opening) => {
      resolve(opening);
      clearTimeout(timer);
      contain(() => signal?.removeEventListener("abort", onAbort), () => {});
    };
    const onAbort = () => settle({ kind: "cancelled" });
    const timer = timeoutMs === undefined
      ? undefined
      : setTimeout(() => settle({ kind: "failed", error: new StartTimeoutError(timeoutMs) }), timeoutMs);
    try {
      signal?.addEventListener("abort", onAbort, { once: true });
    } catch (error) {
      return settle({ kind: "failed", error }); // a signal of a stranger's making; nothing was opened
    }
    void attempt(open).then(settle);
  });
}

async function attempt(open: () => Promise<void>): Promise<Opening> {
  try {
    await open();
    return { kind: "open" };
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** A child was not ready for its prompt within `startTimeoutMs`. */
export class StartTimeoutError extends Error {
  static {
    brandError(this, "StartTimeoutError");
  }

  /** Stable code for callers that branch. */
  readonly code = "START_TIMEOUT" as const;
  /** The bound, in milliseconds. */
  readonly timeoutMs: number;

  /** Says how long the child was given. */
  constructor(timeoutMs: number) {
    super(`The child was not ready for its prompt within ${timeoutMs} ms: see startTimeoutMs`);
    this.timeoutMs = timeoutMs;
  }

  /** Tells whether a value is such an error, also one of another copy of this library. Never throws. */
  static is(value: unknown): value is StartTimeoutError {
    return hasBrand(value, "StartTimeoutError");
  }
}
