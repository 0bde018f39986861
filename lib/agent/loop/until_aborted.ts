/**
 * Not waiting for what ignores that it was aborted.
 *
 * @module
 */

/** Work was given up because its signal was aborted. */
export class AbortedWork extends Error {}

/** @throws {AbortedWork} When the signal is aborted. */
export function assertNotAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortedWork("The work was aborted");
}

/**
 * Gives what the promise comes to, or rejects as soon as the signal is aborted; what the promise comes to after that is
 * dropped, a rejection too. Leaves no listener.
 *
 * @throws {AbortedWork} When the signal is aborted first, or was before.
 */
export function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new AbortedWork("The work was aborted"));
    const settle = () => signal.removeEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    // Resolving with a stranger's thenable looks its `then` up where a throw becomes a rejection.
    Promise.resolve(promise).then((value) => {
      settle();
      resolve(value);
    }, (error) => {
      settle();
      reject(error);
    });
  });
}
