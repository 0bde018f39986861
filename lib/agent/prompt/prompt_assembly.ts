/**
 * Reading assemblies from code that nobody vouches for.
 *
 * @module
 */
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import { isRecord } from "../../seam/kind_of.ts";
import type { PromptAssembly } from "./prompt_types.ts";

/** Takes over what a listener returned: a detached, deep-frozen copy. @throws {TypeError} When it is no assembly. */
export function checkedAssembly(value: unknown): PromptAssembly {
  const copy: unknown = snapshotFrozenJsonValue(value);
  if (isAssembly(copy)) return copy;
  throw new TypeError(
    "systemPrompt.onAssemble() listener returned an invalid assembly; expected { sections, tools, variables } " +
      "that is losslessly JSON-serializable",
  );
}

function isAssembly(value: unknown): value is PromptAssembly {
  return isRecord(value) && isListOf(value.sections, isSection) && isListOf(value.tools, isToolSchema) &&
    isRecord(value.variables) && Object.values(value.variables).every((text) => typeof text === "string");
}

function isListOf(
  value: unknown,
  isEntry: (entry: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  return Array.isArray(value) && value.every((entry) => isRecord(entry) && isEntry(entry));
}

function isSection({ name, order, text, literal }: Readonly<Record<string, unknown>>): boolean {
  return typeof name === "string" && typeof order === "number" && typeof text === "string" &&
    (literal === undefined || typeof literal === "boolean");
}

function isToolSchema({ name, description, parameters }: Readonly<Record<string, unknown>>): boolean {
  return typeof name === "string" && typeof description === "string" && isRecord(parameters);
}
