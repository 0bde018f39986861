/**
 * Error classes that two copies of this package recognise in each other, as when a host gets one from npm and
 * another one from JSR.
 *
 * @module
 */

/** Gives an error class its `name` and its brand, both on the prototype and hidden like those of built-in errors. */
export function brandError(errorClass: { readonly prototype: object }, name: string): void {
  Object.defineProperty(errorClass.prototype, "name", { value: name, writable: true, configurable: true });
  Object.defineProperty(errorClass.prototype, brandOf(name), { value: true });
}

/** Tells whether a value carries the brand of an error class. Never throws. */
export function hasBrand(value: unknown, name: string): boolean {
  try {
    return typeof value === "object" && value !== null &&
      (value as Readonly<Record<symbol, unknown>>)[brandOf(name)] === true;
  } catch {
    return false;
  }
}

function brandOf(name: string): symbol {
  return Symbol.for(`@subagent/seam.${name}`);
}
