/**
 * As much of JSON Schema 2020-12 as the published ACP schema uses. A keyword that is not known here throws, so that no
 * rule of the schema is passed over in silence.
 *
 * @module
 */
import { atPointer, isObject, type Json, type JsonObject } from "../acp_agent/json.ts";

/** Keywords that say nothing about validity. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "discriminator",
  "format",
  "$defs",
  "$schema",
]);

type Rule = (limit: Json, value: Json, root: Json, schema: JsonObject) => boolean;

const list = (value: Json): readonly Json[] => Array.isArray(value) ? value as readonly Json[] : [];
const same = (left: Json, right: Json | undefined) => JSON.stringify(left) === JSON.stringify(right);
const count = (schemas: Json, value: Json, root: Json) =>
  list(schemas).filter((schema) => isValid(value, schema, root)).length;

const RULES: Readonly<Record<string, Rule>> = {
  $ref: (ref, value, root) => isValid(value, atPointer(root, String(ref as string).slice(1)) ?? false, root),
  type: (types, value) => [types].flat().some((type) => hasType(value, type as string)),
  const: (wanted, value) => same(wanted, value),
  enum: (wanted, value) => list(wanted).some((one) => same(one, value)),
  allOf: (schemas, value, root) => count(schemas, value, root) === list(schemas).length,
  anyOf: (schemas, value, root) => count(schemas, value, root) > 0,
  oneOf: (schemas, value, root) => count(schemas, value, root) === 1,
  not: (schema, value, root) => !isValid(value, schema, root),
  required: (names, value) =>
    !isObject(value) || list(names).every((name) => value[name as string] !== undefined),
  properties: (schemas, value, root) =>
    !isObject(value) ||
    Object.entries(schemas as JsonObject).every(([name, schema]) =>
      value[name] === undefined || isValid(value[name], schema ?? true, root)
    ),
  additionalProperties: (schema, value, root, { properties }) =>
    !isObject(value) ||
    Object.entries(value).every(([name, member]) =>
      (isObject(properties) && Object.hasOwn(properties, name)) || isValid(member ?? null, schema, root)
    ),
  items: (schema, value, root) => list(value).every((item) => isValid(item, schema, root)),
  minimum: (limit, value) => typeof value !== "number" || value >= (limit as number),
  maximum: (limit, value) => typeof value !== "number" || value <= (limit as number),
  minLength: (limit, value) => typeof value !== "string" || value.length >= (limit as number),
};

function hasType(value: Json, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  const actual: string = typeof value;
  return actual === type;
}

/** Whether a value fits a schema. */
export function isValid(value: Json, schema: Json, root: Json = schema): boolean {
  if (!isObject(schema)) return schema === true;
  return Object.entries(schema).every(([keyword, limit]) => {
    if (limit === undefined || keyword.startsWith("x-") || ANNOTATIONS.has(keyword)) return true;
    const rule = RULES[keyword];
    if (rule === undefined) throw new Error(`Unknown schema keyword "${keyword}"`);
    return rule(limit, value, root, schema);
  });
}
