/**
 * JSON values and JSON-RPC messages as the scripted agent handles them: loosely, since a fake must be able to send
 * and to survive anything.
 *
 * @module
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A missing member and an `undefined` one are the same. */
export interface JsonObject {
  /** One member. */
  readonly [key: string]: Json | undefined;
}

/** A string as it is, anything else as its JSON text, nothing as an empty string. */
export function asText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

/** Whether a value is a JSON object, so neither an array nor `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Follows a JSON Pointer (RFC 6901).
 *
 * @returns The value, or `undefined` when the path leads nowhere.
 */
export function atPointer(value: Json | undefined, pointer: string): Json | undefined {
  const keys = pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  let at: Json | undefined = value;
  for (const key of keys) {
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(key)];
    else if (isObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}
