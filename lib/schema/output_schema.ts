/**
 * The subset of JSON Schema that structured output is described in, as types.
 *
 * Structured output is enforced by validating, so that a keyword that is not enforced would be a false promise:
 * whatever is not listed here is refused by `assertOutputSchema`.
 *
 * @module
 */
import type { JsonScalar, JsonValue } from "./json_value.ts";
import type { ScalarType } from "./scalar_type.ts";

/** Schema of a structured result: the root is an object, as the arguments of a tool call are. */
export type OutputSchema = ObjectSchema;

/** Schema of one place of a value. */
export type SchemaNode = ObjectSchema | ArraySchema | ScalarSchema | OneOfSchema | AnySchema;

/** What a schema may say for people and models. Nothing here has an effect on validity. */
export interface SchemaAnnotations {
  /** What the value means. */
  readonly description?: string;
  /** Short name. */
  readonly title?: string;
  /** Value that is usual. */
  readonly default?: JsonValue;
  /** Values as they may look. */
  readonly examples?: JsonValue;
}

/** An object. */
export interface ObjectSchema extends SchemaAnnotations {
  /** Discriminant. */
  readonly type: "object";
  /** Schemas of known properties. */
  readonly properties?: { readonly [name: string]: SchemaNode };
  /** Properties that must be there, each one of `properties`. */
  readonly required?: readonly string[];
  /** Whether other properties, with any JSON value, are allowed. Default: true. */
  readonly additionalProperties?: boolean;
}

/** A list. */
export interface ArraySchema extends SchemaAnnotations {
  /** Discriminant. */
  readonly type: "array";
  /** Schema of every item. Default: any JSON value. */
  readonly items?: SchemaNode;
}

/** A value without parts. */
export interface ScalarSchema extends SchemaAnnotations {
  /** Discriminant. An `integer` is a number without a fraction, of any size. */
  readonly type: ScalarType;
  /** The values that are allowed, all of `type`, at least one. */
  readonly enum?: readonly JsonScalar[];
  /** The only value that is allowed; one of `enum` if there is one. */
  readonly const?: JsonScalar;
}

/** A value that fits one of several schemas, and only one. */
export interface OneOfSchema extends SchemaAnnotations {
  /** Never beside `oneOf`. */
  readonly type?: never;
  /** At least two. */
  readonly oneOf: readonly SchemaNode[];
}

/** Any JSON value. */
export interface AnySchema extends SchemaAnnotations {
  /** Absent. */
  readonly type?: never;
  /** Absent. */
  readonly oneOf?: never;
}
