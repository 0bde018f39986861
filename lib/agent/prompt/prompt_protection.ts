/**
 * Names of what listeners cannot change.
 *
 * @module
 */
import { isRecord, kindOf } from "../../seam/kind_of.ts";
import { checkedNames } from "../checked_names.ts";
import type { PromptProtection } from "./prompt_types.ts";

/** A protection in force. */
export interface ProtectedNames {
  /** Names of sections. */
  readonly sections: ReadonlySet<string>;
  /** Names of tools. */
  readonly tools: ReadonlySet<string>;
}

/** Reads a protection, each field once. @throws {TypeError | Error} When it has the wrong shape, or no name. */
export function snapshotProtection(protection: PromptProtection): ProtectedNames {
  if (!isRecord(protection)) {
    throw new TypeError(`systemPrompt.protect() protection must be an object, got ${kindOf(protection)}`);
  }
  const { sections = [], tools = [] } = protection;
  const names = {
    sections: checkedNames(sections, 'systemPrompt.protect() "sections"'),
    tools: checkedNames(tools, 'systemPrompt.protect() "tools"'),
  };
  if (names.sections.size + names.tools.size === 0) {
    throw new Error("systemPrompt.protect() requires at least one section or tool name");
  }
  return names;
}
