/**
 * The placeholders of recipes.
 *
 * @module
 */

/** Values by placeholder name. */
export type Placeholders = Readonly<Record<string, string>>;

/**
 * Replaces `${NAME}` in every string of a value, object keys included.
 *
 * @throws {RangeError} If a name has no value.
 */
export function fillPlaceholders<T>(value: T, placeholders: Placeholders): T {
  return fill(value, placeholders) as T;
}

function fill(value: unknown, placeholders: Placeholders): unknown {
  if (typeof value === "string") {
    return value.replace(/\$\{(\w*)\}/g, (placeholder, name: string) => {
      const replacement = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined;
      if (replacement === undefined) throw new RangeError(`No value for the placeholder "${placeholder}"`);
      return replacement;
    });
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, placeholders));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fill(key, placeholders), fill(item, placeholders)]),
  );
}
