/**
 * Tools as declarations that a model reads to write programs.
 *
 * @module
 */
import type { JsonValue } from "../../schema/json_value.ts";
import { isRecord } from "../../seam/kind_of.ts";
import type { ToolSchema } from "../tools/tool_types.ts";

/** Deeper parts of a schema are `unknown`. */
const DEEPEST = 8;

/** Declares tools in TypeScript, as an object `tools`. Nothing that a description or a name holds leaves its place. */
export function declareTools(tools: readonly ToolSchema[]): string {
  const members = tools.map(({ name, description, parameters }) =>
    `${comment(description, "  ")}  ${propertyName(name)}(args: ${typeOf(parameters)}): Promise<string>;\n`
  );
  return `declare const tools: {\n${members.join("")}};`;
}

/** The TypeScript type of what a schema describes; `unknown` where it is not clear. */
export function typeOf(schema: unknown, depth = 0): string {
  if (!isRecord(schema) || depth > DEEPEST) return "unknown";
  if (schema.const !== undefined) return literal(schema.const as JsonValue);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return union(schema.enum.map(literal));
  const choices = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(choices) && choices.length > 0) {
    return union(choices.map((one) => typeOf(one, depth + 1)));
  }
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, depth + 1)));
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `${wrapped(typeOf(schema.items, depth + 1))}[]`;
    case "object":
      return objectType(schema, depth);
    default:
      return "unknown";
  }
}

function objectType(schema: Readonly<Record<string, unknown>>, depth: number): string {
  const { properties, required, additionalProperties } = schema;
  if (!isRecord(properties) || Object.keys(properties).length === 0) {
    return additionalProperties === false ? "{}" : "{ [name: string]: unknown }";
  }
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = Object.entries(properties).map(([name, property]) => {
    const description = isRecord(property) && typeof property.description === "string"
      ? inlineComment(property.description)
      : "";
    return `${description}${propertyName(name)}${needed.includes(name) ? "" : "?"}: ${
      typeOf(property, depth + 1)
    }`;
  });
  return `{ ${members.join("; ")} }`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function wrapped(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}

function literal(value: JsonValue): string {
  return typeof value === "object" && value !== null ? "unknown" : escaped(value);
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : escaped(name);
}

/** JSON, without the two line ends that JSON allows in text and a reader may take for the end of a line. */
function escaped(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}

function comment(description: string, indent: string): string {
  const lines = safe(description).split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.trimEnd());
  if (lines.join("") === "") return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

function inlineComment(description: string): string {
  const line = safe(description).replace(/\s+/g, " ").trim();
  return line === "" ? "" : `/** ${line} */ `;
}

/** No description ends its comment. */
function safe(description: string): string {
  return description.replaceAll("*/", "*\\/");
}
