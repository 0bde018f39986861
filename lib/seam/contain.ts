/**
 * Calling code that must not be able to break its caller.
 *
 * @module
 */

/**
 * Calls a function and hands what it throws, or what the promise it returned rejects with, to `onError`. Does not
 * wait for that promise. `onError` must not throw.
 */
export function contain(action: () => unknown, onError: (error: unknown) => void): void {
  let outcome: unknown;
  try {
    outcome = action();
  } catch (error) {
    onError(error);
    return;
  }
  if (typeof outcome !== "object" || outcome === null) return;
  // Resolving with a stranger's object looks its `then` up in a place where a throw becomes a rejection.
  void new Promise((resolve) => resolve(outcome)).catch(onError);
}
