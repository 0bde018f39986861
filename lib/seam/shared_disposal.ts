/**
 * Disposal that happens once however often it is asked for.
 *
 * @module
 */

/**
 * Makes a `dispose` that calls `action` at the first call, at once, and gives the same promise to every caller,
 * also to one that calls from inside `action`. A synchronous throw becomes a rejection.
 *
 * @param action Disposes. Called at most once.
 * @param onError Hears once of a rejection, beside the callers. Must not throw.
 */
export function sharedDisposal(
  action: () => PromiseLike<void> | void,
  onError?: (error: unknown) => void,
): () => Promise<void> {
  let shared: Promise<void> | undefined;
  return () => {
    if (shared !== undefined) return shared;
    let settle: (outcome: PromiseLike<void> | void) => void = () => {};
    // The promise exists before `action` runs, for the sake of a caller inside it.
    shared = new Promise<void>((resolve) => {
      settle = resolve;
    });
    if (onError !== undefined) shared.catch(onError);
    try {
      settle(action());
    } catch (error) {
      settle(Promise.reject(error));
    }
    return shared;
  };
}
