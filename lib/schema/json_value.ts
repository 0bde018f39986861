/**
 * What JSON is able to carry without loss.
 *
 * @module
 */

/** A value that survives being written as JSON and read again. */
export type JsonValue = JsonScalar | JsonArray | JsonObject;

/** A value without parts. Numbers are finite, and none of them is negative zero. */
export type JsonScalar = null | boolean | number | string;

/** A list of values. */
export type JsonArray = readonly JsonValue[];

/** A map from names to values. */
export interface JsonObject {
  /** The value under a name. */
  readonly [key: string]: JsonValue;
}

/** Tells whether a value is a scalar that JSON keeps: it has no NaN and no infinities, and loses the sign of -0. */
export function isJsonScalar(value: unknown): value is JsonScalar {
  return value === null || typeof value === "boolean" || typeof value === "string" ||
    (Number.isFinite(value) && !Object.is(value, -0));
}
