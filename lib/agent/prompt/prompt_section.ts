/**
 * Taking a section over from whoever registers it.
 *
 * @module
 */
import { isRecord, kindOf } from "../../seam/kind_of.ts";
import type { PromptSection } from "./prompt_types.ts";

/** Copies a section, each field read once. @throws {TypeError} When a field has the wrong shape. */
export function snapshotSection(section: PromptSection): PromptSection {
  if (!isRecord(section)) {
    throw new TypeError(`system prompt section must be an object, got ${kindOf(section)}`);
  }
  const { name, order, text, literal = false } = section as {
    readonly [Key in keyof PromptSection]?: unknown;
  };
  if (typeof name !== "string" || name === "") {
    throw new TypeError(
      `system prompt section name must be a non-empty string, got ${name === "" ? '""' : kindOf(name)}`,
    );
  }
  // The order ends up in the assembly, which is JSON; that has no infinities and no negative zero.
  if (typeof order !== "number" || !Number.isFinite(order)) {
    throw new TypeError(
      `system prompt section "${name}" order must be a finite number, got ${kindOf(order)}`,
    );
  }
  if (typeof text !== "string" && typeof text !== "function") {
    throw new TypeError(
      `system prompt section "${name}" text must be a string or a function, got ${kindOf(text)}`,
    );
  }
  if (typeof literal !== "boolean") {
    throw new TypeError(`system prompt section "${name}" literal must be a boolean, got ${kindOf(literal)}`);
  }
  return Object.freeze({ name, order: order + 0, text: text as PromptSection["text"], literal });
}
