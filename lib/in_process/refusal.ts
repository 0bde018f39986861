/**
 * Telling the errors of this folder, whose texts are fixed, from those of strangers.
 *
 * @module
 */

const refusals: WeakSet<object> = new WeakSet();

/** Marks an error as a refusal of a request: its message is fixed text and safe to show. Gives it back. */
export function refusal<Refusal extends Error>(error: Refusal): Refusal {
  refusals.add(error);
  return error;
}

/** Runs a check of another folder whose every error is a refusal. */
export function refusing<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw refusal(error as Error);
  }
}

/** Tells whether an error was marked here. */
export function isRefusal(error: unknown): error is Error {
  return typeof error === "object" && error !== null && refusals.has(error);
}
