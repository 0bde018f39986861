/**
 * The error of delegating too deep.
 *
 * @module
 */
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** A delegation would lead deeper than its request allows. */
export class SubagentDepthError extends Error {
  static {
    brandError(this, "SubagentDepthError");
  }

  /** Stable. */
  readonly code = "DEPTH_EXCEEDED";
  /** How many delegations would lead to the child. */
  readonly attemptedDepth: number;
  /** The cap of the request. */
  readonly maxDepth: number;

  /** Makes the error of the two depths. */
  constructor(attemptedDepth: number, maxDepth: number, options?: ErrorOptions) {
    super(`subagent depth ${attemptedDepth} exceeds maxDepth ${maxDepth}`, options);
    this.attemptedDepth = attemptedDepth;
    this.maxDepth = maxDepth;
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is SubagentDepthError {
    return hasBrand(value, "SubagentDepthError");
  }
}

/** Tells whether a value is a depth: a non-negative safe integer, and not negative zero. */
export function isDepth(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0);
}
