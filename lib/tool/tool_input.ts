/**
 * The schemas of tools, and holding what a model gave against them.
 *
 * @module
 */
import { ToolArgsError } from "../schema/errors.ts";
import type { JsonObject } from "../schema/json_value.ts";
import type { ObjectSchema } from "../schema/output_schema.ts";
import { snapshotFrozenJsonValue, snapshotJsonValue } from "../schema/snapshot_json_value.ts";
import { validateStructuredValue } from "../schema/validate_structured_value.ts";
import { withoutUndefined } from "../schema/without_undefined.ts";

/** Makes the schema of a tool's input; frozen through and through. */
export function toolSchema(schema: ObjectSchema): JsonObject {
  return snapshotFrozenJsonValue(schema) as JsonObject;
}

/**
 * Lists what is wrong with an input. Properties that the schema does not know are let through, also where it forbids
 * them: models make some up, and a call that says all that is needed is worth answering.
 */
export function inputViolations(schema: JsonObject, input: unknown): string[] {
  return validateStructuredValue({ ...schema, type: "object", additionalProperties: true }, input);
}

/**
 * Checks an input and takes it over.
 *
 * @throws {ToolArgsError} When the schema does not allow it.
 */
export function checkedInput(schema: JsonObject, input: unknown): JsonObject {
  const violations = inputViolations(schema, input);
  if (violations.length > 0) throw new ToolArgsError(violations);
  // A property that is `undefined` is allowed, and no JSON.
  const snapshot = snapshotJsonValue(withoutUndefined(input as object));
  if (snapshot === undefined) throw new ToolArgsError(['"value" must be a lossless JSON object']);
  return snapshot as JsonObject;
}

/** Looks at a call before its tool does. @throws {Error} When nobody waits for it any longer. */
export function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Error("tool call aborted before dispatch");
}
