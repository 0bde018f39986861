/**
 * Refusing listeners that cannot be called, where they are registered and not where they would be called.
 *
 * @module
 */
import { kindOf } from "../seam/kind_of.ts";

/**
 * Gives a function back.
 *
 * @param where What takes the function, as the beginning of an error message.
 * @throws {TypeError} When it is none.
 */
export function checkedFunction<Listener>(listener: Listener, where: string): Listener {
  if (typeof listener === "function") return listener;
  throw new TypeError(`${where} takes a function, got ${kindOf(listener)}`);
}
