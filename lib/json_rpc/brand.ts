/**
 * Names and brands of error classes. They live on prototypes, where no printer lists them.
 *
 * @module
 */

/** Gives a class the name that stack traces show and the brand that {@linkcode hasBrand} looks for. */
export function brand(prototype: Error, name: string): void {
  Object.defineProperty(prototype, "name", { value: name, writable: true, configurable: true });
  Object.defineProperty(prototype, brandOf(name), { value: true });
}

/** Tells whether a value carries the brand of a class, also one of another copy of this library. Never throws. */
export function hasBrand(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    return (value as Readonly<Record<symbol, unknown>>)[brandOf(name)] === true;
  } catch {
    return false; // the trap of a proxy threw: whatever it is, it is no error of ours
  }
}

// The registry of symbols is shared by all copies of a package in one process, unlike classes.
function brandOf(name: string): symbol {
  return Symbol.for(`subagent-seam.${name}`);
}
