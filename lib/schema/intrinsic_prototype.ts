/**
 * Knowing the prototypes of plain objects and arrays, also those of another realm (a `node:vm` context, a frame).
 *
 * @module
 */

/** Tells whether a prototype is the `Object.prototype` of some realm. */
export function isObjectPrototype(prototype: object): boolean {
  return prototype === Object.prototype || isPrototypeOf(prototype, "Object");
}

/** Tells whether a prototype is the `Array.prototype` of some realm. */
export function isArrayPrototype(prototype: object): boolean {
  return prototype === Array.prototype || isPrototypeOf(prototype, "Array");
}

/**
 * Realms share no identity, so the proof is the constructor: source text with `[native code]` is no JavaScript, and
 * only built-in functions show it under that name. (Bun shows it for bound functions too. Whoever goes to such lengths
 * gets their instance treated as plain data, of which nothing but own properties is read.)
 */
function isPrototypeOf(prototype: object, name: "Object" | "Array"): boolean {
  const constructor = ownValue(prototype, "constructor");
  return typeof constructor === "function" && ownValue(constructor, "prototype") === prototype &&
    sourceOf(constructor).replace(/\s+/g, "") === `function${name}(){[nativecode]}`;
}

function ownValue(owner: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(owner, key)?.value;
}

function sourceOf(callable: object): string {
  return Function.prototype.toString.call(callable);
}
