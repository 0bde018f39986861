/**
 * A bounded wait.
 *
 * @module
 */

/**
 * Waits for a promise, at most `boundMs` milliseconds (at most 2147483647). True when it was fulfilled in time; when it
 * rejects in time, so does this. Leaves no timer behind.
 */
export async function settlesWithin(promise: Promise<unknown>, boundMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), boundMs);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
