/**
 * A small value that fits a JSON Schema.
 *
 * @module
 */
import type { JsonSchemaObject } from "./conversation.ts";
import { objectOf, objectsOf, stringOf } from "./json.ts";

/**
 * Makes a small value that fits a schema: constants and first choices where the schema names them, required properties
 * only (every property where none is required), empty arrays where they are allowed.
 *
 * @param schema The schema. Numbers, patterns and formats beyond `minimum` and `minItems` are not heeded.
 * @param root Where `$ref` looks things up. @default {schema}
 */
export function exampleOf(schema: JsonSchemaObject, root: JsonSchemaObject = schema): unknown {
  const { $ref, const: constant, enum: choices, anyOf, oneOf, allOf, minimum, minItems, items } = schema;
  if (typeof $ref === "string") return exampleOf(definitionAt($ref, root), root);
  if (constant !== undefined) return constant;
  if (Array.isArray(choices) && choices.length > 0) return choices[0];
  const alternative = objectsOf(anyOf ?? oneOf ?? allOf)[0];
  if (alternative !== undefined) return exampleOf(alternative, root);
  switch (typeOf(schema)) {
    case "object":
      return requiredArguments(schema, root, { orElseAll: true });
    case "array": {
      const length = typeof minItems === "number" ? minItems : 0;
      return Array.from({ length }, () => exampleOf(objectOf(items), root));
    }
    case "integer":
    case "number":
      return typeof minimum === "number" ? minimum : 1;
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return "text";
  }
}

/**
 * Makes values for the required properties of an object schema.
 *
 * @param options `orElseAll` takes every property when none is required.
 */
export function requiredArguments(
  schema: JsonSchemaObject,
  root: JsonSchemaObject = schema,
  { orElseAll = false }: { readonly orElseAll?: boolean } = {},
): Record<string, unknown> {
  const properties = objectOf(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const names = required.length === 0 && orElseAll ? Object.keys(properties) : required;
  return Object.fromEntries(names.map((name) => [name, exampleOf(objectOf(properties[name]), root)]));
}

/** The type a schema asks for, in lower case (Gemini writes `STRING`); of several the first that is not null. */
export function typeOf(schema: JsonSchemaObject): string {
  const { type } = schema;
  const named = Array.isArray(type) ? type.find((one) => one !== "null") : type;
  return stringOf(named).toLowerCase() || (schema["properties"] === undefined ? "string" : "object");
}

function definitionAt(reference: string, root: JsonSchemaObject): JsonSchemaObject {
  const steps = reference.replace(/^#\/?/, "").split("/").filter((step) => step !== "");
  return steps.reduce((at, step) => objectOf(at[step.replaceAll("~1", "/").replaceAll("~0", "~")]), root);
}
