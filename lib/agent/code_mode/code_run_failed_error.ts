/**
 * The error of a program that did not come to its end.
 *
 * @module
 */
import { brandError, hasBrand } from "../../diagnostics/error_brand.ts";

/**
 * Why a program did not come to its end.
 *
 * - `syntax`: it is no JavaScript.
 * - `exception`: it threw, or awaited what failed.
 * - `timeout`: it computed for too long, or took too long in all.
 * - `memory`: it needed too much memory.
 * - `calls`: it called tools too often.
 * - `output`: it said or returned too much.
 * - `deadlock`: it waits for something that will never come.
 * - `aborted`: whoever called it waits no longer.
 * - `crash`: the sandbox itself gave up.
 */
export type CodeRunFailure =
  | "syntax"
  | "exception"
  | "timeout"
  | "memory"
  | "calls"
  | "output"
  | "deadlock"
  | "aborted"
  | "crash";

/** A program failed. The message is for the model that wrote it: why, and what it said until then. */
export class CodeRunFailedError extends Error {
  static {
    brandError(this, "CodeRunFailedError");
  }

  /** Stable. */
  readonly code = "CODE_RUN_FAILED";
  /** Why. */
  readonly kind: CodeRunFailure;

  /**
   * Says why, and what the program said.
   *
   * @param kind Why.
   * @param detail What exactly; of an exception, its own words.
   * @param output What the program said until then.
   * @param options The `cause`, for the host.
   */
  constructor(kind: CodeRunFailure, detail: string, output = "", options?: ErrorOptions) {
    super(`code run failed (${kind}): ${detail}${output === "" ? "" : `\n${output}`}`, options);
    this.kind = kind;
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is CodeRunFailedError {
    return hasBrand(value, "CodeRunFailedError");
  }
}
