/**
 * TypeScript types of what JSON Schemas describe.
 *
 * @module
 */
import { isRecord } from "../../seam/kind_of.ts";
import { inlineComment, literal, propertyName } from "./type_text.ts";

/** Deeper parts of a schema are `unknown`. */
const DEEPEST = 8;

/** Most parts of a schema that are written out; what comes after them is `unknown`. References could go on for ever. */
const MOST_PARTS = 500;

type Schema = Readonly<Record<string, unknown>>;

/** The types of one schema and of its parts, for a reader: `unknown` where it is not clear. */
export class SchemaTypes {
  readonly #root: unknown;
  #parts = 0;

  /** @param root What references in the schema begin at. */
  constructor(root: unknown) {
    this.#root = root;
  }

  /** The type of what a schema describes. */
  typeOf(schema: unknown, depth = 0): string {
    if (++this.#parts > MOST_PARTS || depth > DEEPEST || !isRecord(schema)) return "unknown";
    if (typeof schema.$ref === "string") return this.typeOf(this.#resolve(schema.$ref), depth + 1);
    if (schema.const !== undefined) return literalType(schema.const);
    if (isFilled(schema.enum)) return union(schema.enum.map(literalType));
    const choices = schema.oneOf ?? schema.anyOf;
    if (isFilled(choices)) return union(choices.map((one) => this.typeOf(one, depth + 1)));
    if (isFilled(schema.allOf)) {
      return intersection(schema.allOf.map((one) => this.typeOf(one, depth + 1)));
    }
    const { type } = schema;
    if (Array.isArray(type)) {
      return union(type.map((one) => this.typeOf({ ...schema, type: one }, depth + 1)));
    }
    switch (type) {
      case "string":
      case "boolean":
      case "null":
        return type;
      case "number":
      case "integer":
        return "number";
      case "array":
        return this.#arrayType(schema, depth);
      case "object":
        return this.#objectType(schema, depth);
      default:
        return "unknown";
    }
  }

  #arrayType({ items, prefixItems }: Schema, depth: number): string {
    if (isFilled(prefixItems)) {
      return `[${prefixItems.map((item) => this.typeOf(item, depth + 1)).join(", ")}]`;
    }
    const type = this.typeOf(items, depth + 1);
    return / [|&] /.test(type) ? `(${type})[]` : `${type}[]`;
  }

  #objectType({ properties, required, additionalProperties }: Schema, depth: number): string {
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const members: string[] = [];
    for (const [name, property] of isRecord(properties) ? Object.entries(properties) : []) {
      if (this.#parts > MOST_PARTS) break;
      const comment = inlineComment(isRecord(property) ? property.description : undefined);
      const mark = needed.includes(name) ? "" : "?";
      members.push(`${comment}${propertyName(name)}${mark}: ${this.typeOf(property, depth + 1)}`);
    }
    if (isRecord(additionalProperties)) {
      members.push(`[name: string]: ${this.typeOf(additionalProperties, depth + 1)}`);
    } else if (members.length === 0 && additionalProperties !== false) {
      members.push("[name: string]: unknown");
    }
    return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
  }

  /** What a reference within the schema points to. */
  #resolve(reference: string): unknown {
    const [root, ...path] = reference.split("/");
    if (root !== "#") return undefined;
    let part: unknown = this.#root;
    for (const step of path) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      part = isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined;
    }
    return part;
  }
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function literalType(value: unknown): string {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return literal(value);
    default:
      return value === null ? "null" : "unknown";
  }
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function intersection(types: readonly string[]): string {
  return [...new Set(types)].map((type) => type.includes(" | ") ? `(${type})` : type).join(" & ");
}
