/**
 * Reading JSON that somebody else wrote: what is missing or of another type reads as empty, never as an error.
 *
 * @module
 */
import type { JsonSchemaObject } from "./conversation.ts";

/** The value as an object; an empty one if it is none. */
export function objectOf(value: unknown): JsonSchemaObject {
  return isObject(value) ? value : {};
}

/** The value as a list of objects; entries of other types are left out. */
export function objectsOf(value: unknown): readonly JsonSchemaObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value as a string; an empty one if it is none. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The text of a content field: a string, or parts of which the ones with a `text` count. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content).filter((part) => typeof part["text"] === "string").map((part) => part["text"])
    .join("\n");
}

/** The value if it is an object, else undefined. */
export function optionalObject(value: unknown): JsonSchemaObject | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is JsonSchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
