/**
 * How much text of a child a host is willing to hold.
 *
 * @module
 */
import { utf8Prefix } from "../diagnostics/utf8.ts";
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** A limit on collected text, counted in bytes of UTF-8 piece by piece. */
export class OutputBudget {
  #remaining: number;
  #exceeded = false;

  /**
   * Makes a budget.
   *
   * @param maxBytes How many bytes of UTF-8 fit.
   * @throws {RangeError} When that is no non-negative safe integer.
   */
  constructor(maxBytes: number) {
    if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
      throw new RangeError(
        `Cannot make an output budget: maxBytes must be a non-negative safe integer, got ${maxBytes}`,
      );
    }
    this.#remaining = maxBytes;
  }

  /** How many bytes of UTF-8 still fit. */
  get remainingBytes(): number {
    return this.#remaining;
  }

  /** Whether some text did not fit. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /**
   * Takes the part of a piece that still fits, cut between code points. Once something did not fit, nothing does:
   * what was taken is the beginning of what came. A surrogate pair that is torn between two pieces counts 3 bytes a
   * half.
   */
  take(text: string): string {
    if (this.#exceeded) return "";
    const fitting = utf8Prefix(text, this.#remaining);
    this.#remaining -= fitting.bytes;
    this.#exceeded = fitting.text.length < text.length;
    return fitting.text;
  }
}

/** A child's answer is larger than `maxOutputBytes`. */
export class OutputLimitError extends Error {
  static {
    brandError(this, "OutputLimitError");
  }

  /** Stable code for callers that branch. */
  readonly code = "OUTPUT_LIMIT" as const;
  /** The limit, in bytes of UTF-8. */
  readonly limitBytes: number;

  /** Says how much was allowed. */
  constructor(limitBytes: number) {
    super(`The child's answer exceeds ${limitBytes} bytes: raise maxOutputBytes, or ask for less`);
    this.limitBytes = limitBytes;
  }

  /** Tells whether a value is such an error, also one of another copy of this library. Never throws. */
  static is(value: unknown): value is OutputLimitError {
    return hasBrand(value, "OutputLimitError");
  }
}
