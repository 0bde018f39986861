/**
 * Reading lists of names from code that nobody vouches for.
 *
 * @module
 */
import { kindOf } from "../seam/kind_of.ts";

/**
 * Copies a list of names, each read once.
 *
 * @param where What the list is, as the beginning of an error message.
 * @throws {TypeError} When it is no array of strings.
 */
export function checkedNames(list: unknown, where: string): ReadonlySet<string> {
  if (!Array.isArray(list)) throw new TypeError(`${where} must be an array of strings, got ${kindOf(list)}`);
  // Array.from visits holes, which map() would skip.
  return new Set(Array.from(list, (name: unknown, index) => {
    if (typeof name === "string") return name;
    throw new TypeError(`${where}[${index}] must be a string, got ${kindOf(name)}`);
  }));
}
