/**
 * The error of doing something on behalf of what has ended.
 *
 * @module
 */
import { brandError, hasBrand } from "../../diagnostics/error_brand.ts";

/** A scope was asked to own something new while it closes or after it closed. */
export class InactiveScopeError extends Error {
  static {
    brandError(this, "InactiveScopeError");
  }

  /** Stable. */
  readonly code = "INACTIVE_EFFECT";

  /** Makes the error. The message is for people. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is InactiveScopeError {
    return hasBrand(value, "InactiveScopeError");
  }
}
