/**
 * What goes wrong between the model port and a language model.
 *
 * @module
 */
import { brandError, hasBrand } from "../../diagnostics/error_brand.ts";
import { readOwn } from "../../diagnostics/read_own.ts";

/** Why there is no answer, or no whole one. */
export type LanguageModelErrorCode =
  /** A message holds what no language model takes; nothing was asked. */
  | "UNSUPPORTED_CONTENT"
  /** An option of the agent has the wrong type; nothing was asked. */
  | "INVALID_OPTION"
  /** The model refused the question, or could not be reached. */
  | "CALL_FAILED"
  /** The model reported an error while it answered, or the connection broke. */
  | "STREAM_FAILED"
  /** The answer ended without a word about why. */
  | "BROKEN_OFF"
  /** The model does not keep to its specification. */
  | "MALFORMED_ANSWER";

/** A language model gave no answer, or no whole one. What the model itself said about it is the `cause`. */
export class LanguageModelError extends Error {
  static {
    brandError(this, "LanguageModelError");
  }

  /** Why; stable, unlike the message. */
  readonly code: LanguageModelErrorCode;
  /** Status of the HTTP response, from 400 to 599, if the cause tells one. */
  readonly httpStatus: number | undefined;

  /** Makes the error. The message never holds text of the cause; a status of its HTTP response is appended. */
  constructor(code: LanguageModelErrorCode, message: string, options: ErrorOptions = {}) {
    const httpStatus = httpStatusOf(options.cause);
    super(httpStatus === undefined ? message : `${message} (HTTP status: ${httpStatus})`, options);
    this.code = code;
    this.httpStatus = httpStatus;
  }

  /** Tells whether a value is one, also of another copy of this package. Never throws. */
  static is(value: unknown): value is LanguageModelError {
    return hasBrand(value, "LanguageModelError");
  }
}

/**
 * The SDK's errors of API calls have a `statusCode`; a number is no text of the model's. One of a success, as of a
 * stream that breaks later, explains nothing.
 */
function httpStatusOf(cause: unknown): number | undefined {
  const status = readOwn(cause, "statusCode");
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599
    ? status as number
    : undefined;
}
