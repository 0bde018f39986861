/**
 * Time, as jobs need it.
 *
 * @module
 */

/** A clock and its timers. */
export interface JobClock {
  /** The time, in milliseconds since 1970. */
  now(): number;
  /**
   * Calls back once, after some time.
   *
   * @param delayMs Milliseconds, above 0 and at most 2147483647.
   * @param options.keepsProcess Whether the process stays for it, where that is a question.
   * @returns Takes it back; may be called more than once, and afterwards.
   */
  setTimer(
    callback: () => void,
    delayMs: number,
    options: { readonly keepsProcess: boolean },
  ): () => void;
}

/** The clock of the runtime. */
export const systemClock: JobClock = {
  now: () => Date.now(),
  setTimer: (callback, delayMs, { keepsProcess }) => {
    const timer: unknown = setTimeout(callback, delayMs);
    // Node, Bun and Deno have it on the timer; in a browser a timer is a number, and nothing stays for it.
    if (!keepsProcess) (timer as { unref?(): void }).unref?.();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};
