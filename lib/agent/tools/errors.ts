/**
 * Errors of tool calls that have a code.
 *
 * @module
 */
import { brandError, hasBrand } from "../../diagnostics/error_brand.ts";

/** A call named a tool that its agent does not see, whether because there is none or because it is restricted. */
export class UnknownToolError extends Error {
  static {
    brandError(this, "UnknownToolError");
  }

  /** Stable. */
  readonly code = "UNKNOWN_TOOL";

  /** Makes the error. The message is written for the model that made the call. */
  constructor(name: string, options?: ErrorOptions) {
    super(`unknown tool "${name}"`, options);
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is UnknownToolError {
    return hasBrand(value, "UnknownToolError");
  }
}
