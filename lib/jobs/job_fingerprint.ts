/**
 * Telling whether two requests ask for the same job.
 *
 * @module
 */
import type { JsonValue } from "../schema/json_value.ts";
import type { JobRequest } from "./jobs_types.ts";

/**
 * Text that is equal for two requests if and only if they ask for the same: kind, label and work. Neither the order
 * of names nor the owner's working directory makes a difference.
 */
export function jobFingerprint({ kind, label, work }: Pick<JobRequest, "kind" | "label" | "work">): string {
  return JSON.stringify([kind, label, work], sortNames);
}

function sortNames(_name: string, value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, (value as Record<string, JsonValue>)[name]!]));
}
