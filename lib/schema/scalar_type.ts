/**
 * The scalar types of the schema subset.
 *
 * @module
 */
import { isJsonScalar } from "./json_value.ts";

/** Name of a scalar type. */
export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

/** Tells whether a value is of a scalar type. NaN, the infinities and -0 are of none. */
export function isOfScalarType(value: unknown, type: ScalarType): boolean {
  if (!isJsonScalar(value)) return false;
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
  }
}
