/**
 * Refusing a schema that is outside the supported subset.
 *
 * @module
 */
import { OutputSchemaError } from "./errors.ts";
import type { OutputSchema } from "./output_schema.ts";
import { schemaViolations } from "./schema_violations.ts";
import { snapshotFrozenJsonValue } from "./snapshot_json_value.ts";

/**
 * Asserts that a schema is within the supported subset.
 *
 * @throws {OutputSchemaError} When it is not; `violations` lists everything that is wrong.
 */
export function assertOutputSchema(schema: unknown): asserts schema is OutputSchema {
  const violations = schemaViolations(schema);
  if (violations.length > 0) throw new OutputSchemaError(violations);
}

/**
 * Takes a schema over: what is checked is a frozen copy, so that the owner of the original has no way to change it
 * afterwards.
 *
 * @throws {OutputSchemaError} When the schema is not data that JSON carries without loss, or outside the subset.
 * @throws What a getter or a proxy's trap of the schema throws.
 */
export function snapshotOutputSchema(schema: unknown): OutputSchema {
  const copy: unknown = snapshotFrozenJsonValue(schema);
  if (copy === undefined) {
    throw new OutputSchemaError([
      "schema annotation must be JSON data; the complete schema must be losslessly JSON-serializable",
    ]);
  }
  assertOutputSchema(copy);
  return copy;
}
