/**
 * The error body that both OpenAI protocols share.
 *
 * @module
 */
const KINDS: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["rate_limit_error", "rate_limit_exceeded"],
};

/** The body of an HTTP error. */
export function openaiError(status: number, message: string): unknown {
  const [type, code] = KINDS[status] ?? ["server_error", null];
  return { error: { message, type, code, param: null } };
}
