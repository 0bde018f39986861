/**
 * Checks of options.
 *
 * @module
 */

/**
 * Returns a limit in bytes if it can be one.
 *
 * @throws {RangeError} When it is not a positive integer.
 */
export function checkLimit(option: string, bytes: number): number {
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new RangeError(`${option} must be a positive integer, got ${bytes}`);
}
