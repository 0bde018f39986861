/**
 * Taking a value over from code that keeps a hold of the original.
 *
 * @module
 */
import { containerShape } from "./container_shape.ts";
import {
  isJsonScalar,
  type JsonArray,
  type JsonObject,
  type JsonScalar,
  type JsonValue,
} from "./json_value.ts";
import { runWalk, type Walk } from "./walk.ts";

/**
 * Copies a value that JSON carries without loss; what is copied shares nothing with the original.
 *
 * JSON carries null, booleans, strings, finite numbers other than -0, arrays without holes and without other
 * properties, and objects that have the intrinsic prototype (of any realm) or none and only enumerable string keys.
 * An object without a prototype becomes a usual one, and `__proto__` is a key like others. What contains itself is
 * refused; what occurs twice is fine, and its copy occurs twice as well.
 *
 * Every slot is read once, in the walk that checks it: a getter or a proxy is not able to answer the check with one
 * value and the copy with another. `toJSON` is not called. Depth is bounded by memory alone.
 *
 * @returns The copy, or `undefined` when JSON would lose something.
 * @throws What a getter or a proxy's trap of the value throws.
 */
export function snapshotJsonValue(value: unknown): JsonValue | undefined {
  return snapshot(value, (copy) => copy);
}

/** Does what {@link snapshotJsonValue} does; the copy is frozen through and through. */
export function snapshotFrozenJsonValue(value: unknown): JsonValue | undefined {
  return snapshot(value, Object.freeze);
}

type Container = JsonArray | JsonObject;

function snapshot(root: unknown, finish: (copy: Container) => Container): JsonValue | undefined {
  const ancestors: Set<object> = new Set();
  const finished: Map<object, Container> = new Map();

  function* copyOf(container: object): Walk<JsonValue | undefined> {
    if (ancestors.has(container)) return undefined;
    // A second visit would read every slot twice, and 2^n times where each level holds the next one twice.
    const known = finished.get(container);
    if (known !== undefined) return known;
    const { kind, keys, isPlain } = containerShape(container);
    if (!isPlain) return undefined;
    const copy: Container = kind === "array" ? [] : {};
    ancestors.add(container);
    for (const key of keys) {
      const slot = (container as Readonly<Record<string, unknown>>)[key];
      const value = isObject(slot) ? yield copyOf(slot) : scalarOf(slot);
      if (value === undefined) return undefined;
      // Assigning would call the setter of `__proto__`, and any that somebody gave Object.prototype.
      Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
    }
    ancestors.delete(container);
    finished.set(container, finish(copy));
    return copy;
  }

  return isObject(root) ? runWalk(copyOf(root)) : scalarOf(root);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function scalarOf(value: unknown): JsonScalar | undefined {
  return isJsonScalar(value) ? value : undefined;
}
