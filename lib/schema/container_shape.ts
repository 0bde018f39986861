/**
 * The outside of an object or array: what can be known of it before any slot is read.
 *
 * @module
 */
import { isArrayPrototype, isObjectPrototype } from "./intrinsic_prototype.ts";

/** What an object or array is made of. */
export interface ContainerShape {
  /** Which of the two it is. */
  readonly kind: "object" | "array";
  /** Names of its slots: own string keys of an object, own indices of an array. */
  readonly keys: readonly string[];
  /**
   * Whether JSON has a form for it, its slots aside: an object with the intrinsic prototype or none and nothing but
   * enumerable string keys, or an array with the intrinsic prototype, without holes and without other properties.
   */
  readonly isPlain: boolean;
}

/**
 * Looks at a container without reading a slot, so that no getter runs. What a proxy's traps throw comes through.
 */
export function containerShape(value: object): ContainerShape {
  return Array.isArray(value) ? arrayShape(value) : objectShape(value);
}

function objectShape(value: object): ContainerShape {
  const prototype: object | null = Object.getPrototypeOf(value);
  const owned = Reflect.ownKeys(value);
  const keys = owned.filter((key) => typeof key === "string");
  const isPlain = (prototype === null || isObjectPrototype(prototype)) && keys.length === owned.length &&
    keys.every((key) => Object.prototype.propertyIsEnumerable.call(value, key));
  return { kind: "object", keys, isPlain };
}

function arrayShape(value: readonly unknown[]): ContainerShape {
  const prototype: object | null = Object.getPrototypeOf(value);
  const { length } = value;
  // Indices come first and in order, then `length`: whatever is missing or added puts `length` or itself out of place.
  const owned = Reflect.ownKeys(value);
  const isPlain = prototype !== null && isArrayPrototype(prototype) &&
    owned.every((key, index) => key === (index === length ? "length" : String(index)));
  return { kind: "array", keys: owned.filter((key) => isIndex(key, length)), isPlain };
}

function isIndex(key: string | symbol, length: number): key is string {
  return typeof key === "string" && /^\d+$/.test(key) && Number(key) < length;
}
