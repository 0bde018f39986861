/**
 * Naming what a value is without showing it.
 *
 * @module
 */

/** Names the kind of a value for the "got" part of an error message: never the value itself. Never throws. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  try {
    return Array.isArray(value) ? "array" : typeof value;
  } catch {
    // A revoked proxy refuses even Array.isArray.
    return "object";
  }
}

/** Tells whether a value is an object that is no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return kindOf(value) === "object";
}
