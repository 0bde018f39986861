/**
 * Where the seam looks at an output schema before any provider does.
 *
 * @module
 */
import { SubagentError } from "./errors.ts";
import { isRecord, kindOf } from "./kind_of.ts";

/**
 * Checks an output schema and gives what the provider gets. This is the one place for the assertion of the supported
 * JSON Schema subset; the seam itself only asks for an object.
 *
 * @throws {SubagentError} `INVALID_REQUEST` when it is no object.
 */
export function checkedOutputSchema(schema: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(schema)) return schema;
  throw new SubagentError(
    "INVALID_REQUEST",
    `subagent request outputSchema must be a JSON Schema object, got ${kindOf(schema)}`,
  );
}
