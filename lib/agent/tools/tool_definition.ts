/**
 * Taking a tool over from whoever registers it.
 *
 * @module
 */
import type { JsonObject } from "../../schema/json_value.ts";
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import { isRecord, kindOf } from "../../seam/kind_of.ts";
import type { ToolDefinition } from "./tool_types.ts";

/**
 * Copies a definition, each field read once, so that changing the original changes nothing. `execute` is still called
 * as its method.
 *
 * @throws {TypeError} When a field has the wrong shape.
 */
export function snapshotToolDefinition(definition: ToolDefinition): ToolDefinition {
  if (!isRecord(definition)) throw new TypeError(`tool must be an object, got ${kindOf(definition)}`);
  const { name, description, parameters, execute } = definition as {
    readonly [Key in keyof ToolDefinition]: unknown;
  };
  if (typeof name !== "string" || name === "") {
    throw new TypeError(`tool name must be a non-empty string, got ${name === "" ? '""' : kindOf(name)}`);
  }
  if (typeof description !== "string") {
    throw new TypeError(`tool "${name}" description must be a string, got ${kindOf(description)}`);
  }
  const schema: unknown = snapshotFrozenJsonValue(parameters);
  if (!isRecord(schema)) {
    throw new TypeError(`tool "${name}" parameters must be a losslessly JSON-serializable object`);
  }
  if (typeof execute !== "function") {
    throw new TypeError(`tool "${name}" execute must be a function, got ${kindOf(execute)}`);
  }
  const body = execute as ToolDefinition["execute"];
  return Object.freeze(
    {
      name,
      description,
      parameters: schema as JsonObject,
      execute: (args, execution) => body.call(definition, args, execution),
    } satisfies ToolDefinition,
  );
}
