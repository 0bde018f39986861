/**
 * The errors of schemas and of values that do not fit them.
 *
 * @module
 */
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** An output schema is outside the supported subset of JSON Schema. */
export class OutputSchemaError extends Error {
  static {
    brandError(this, "OutputSchemaError");
  }

  /** Stable. */
  readonly code = "UNSUPPORTED_SCHEMA";
  /** Everything that is wrong, each with its path, in the order of the schema; frozen. */
  readonly violations: readonly string[];

  /** Makes the error of a list of violations. */
  constructor(violations: readonly string[], options?: ErrorOptions) {
    super(`unsupported JSON schema: ${violations.join("; ")}`, options);
    this.violations = Object.freeze([...violations]);
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is OutputSchemaError {
    return hasBrand(value, "OutputSchemaError");
  }
}

/** The arguments of a tool call do not fit the tool's parameter schema. */
export class ToolArgsError extends Error {
  static {
    brandError(this, "ToolArgsError");
  }

  /** Stable. */
  readonly code = "INVALID_ARGS";
  /** Everything that is wrong, each with its path, in the order of the schema; frozen. */
  readonly violations: readonly string[];

  /** Makes the error of a list of violations. The message is written for the model that made the call. */
  constructor(violations: readonly string[], options?: ErrorOptions) {
    super(`invalid arguments: ${violations.join("; ")}`, options);
    this.violations = Object.freeze([...violations]);
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is ToolArgsError {
    return hasBrand(value, "ToolArgsError");
  }
}
