/**
 * Reading values that nobody vouches for.
 *
 * @module
 */

/**
 * Reads one own property, once. Gives `undefined` when there is none and `null` when it cannot be read, so that
 * neither a throwing getter nor a proxy gets an exception (whose text would be its own) out of the caller.
 *
 * Inherited properties do not count: a polluted `Object.prototype` adds nothing to a line.
 */
export function readOwn(source: unknown, key: PropertyKey): unknown {
  try {
    return Object.hasOwn(source as object, key) ? (source as Record<PropertyKey, unknown>)[key] : undefined;
  } catch {
    return null;
  }
}

/**
 * Reads the elements of an array, each once. Gives nothing for what is no array, has more than `limit` elements (a
 * proxy may claim any length) or cannot be read.
 */
export function readElements(source: unknown, limit: number): readonly unknown[] {
  try {
    if (!Array.isArray(source)) return [];
    const { length } = source;
    return length <= limit ? Array.from({ length }, (_, index) => source[index] as unknown) : [];
  } catch {
    return [];
  }
}
