/**
 * What a piece of work leaves behind in the process that did it: listeners on a signal, timers.
 *
 * @module
 */

/** A signal with a look at its listeners. */
export interface WatchedAbort {
  /** Aborts the signal. */
  readonly controller: AbortController;
  /** The signal. */
  readonly signal: AbortSignal;
  /** The listeners it has now. */
  readonly listeners: ReadonlySet<unknown>;
}

/** Makes a signal whose listeners are seen coming and going. */
export function watchedAbort(): WatchedAbort {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal) as (...all: unknown[]) => void;
  const remove = signal.removeEventListener.bind(signal) as (...all: unknown[]) => void;
  Object.assign(signal, {
    addEventListener: (type: string, listener: unknown, options?: unknown) => {
      listeners.add(listener);
      add(type, listener, options);
    },
    removeEventListener: (type: string, listener: unknown) => {
      listeners.delete(listener);
      remove(type, listener);
    },
  });
  return { controller, signal, listeners };
}

/** Counts the timers of one delay that are set while the body runs, and those of them that are not cleared by its end. */
export async function timersOf(
  delayMs: number,
  body: () => Promise<void>,
): Promise<{ readonly set: number; readonly left: number }> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const pending = new Set<unknown>();
  let count = 0;
  Object.assign(globalThis, {
    setTimeout: (callback: () => void, ms?: number, ...rest: unknown[]) => {
      const timer = (set as (...all: unknown[]) => unknown)(callback, ms, ...rest);
      if (ms === delayMs) {
        count++;
        pending.add(timer);
      }
      return timer;
    },
    clearTimeout: (timer: unknown) => {
      pending.delete(timer);
      (clear as (timer: unknown) => void)(timer);
    },
  });
  try {
    await body();
    return { set: count, left: pending.size };
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}
