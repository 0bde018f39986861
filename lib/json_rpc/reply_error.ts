/**
 * What a request handler throws to answer with an error of its choice.
 *
 * @module
 */
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** Error code for a line that is no JSON (JSON-RPC 2.0, section 5.1). */
export const JSON_RPC_PARSE_ERROR: number = -32700;
/** Error code for JSON that is no request (JSON-RPC 2.0, section 5.1). */
export const JSON_RPC_INVALID_REQUEST: number = -32600;
/** Error code for a method that is not there (JSON-RPC 2.0, section 5.1). */
export const JSON_RPC_METHOD_NOT_FOUND: number = -32601;
/** Error code for params that do not fit the method (JSON-RPC 2.0, section 5.1). */
export const JSON_RPC_INVALID_PARAMS: number = -32602;
/** Error code for a failure of the receiver (JSON-RPC 2.0, section 5.1). */
export const JSON_RPC_INTERNAL_ERROR: number = -32603;
/** Error code for a request that was cancelled (Agent Client Protocol, "Cancellation"). */
export const JSON_RPC_REQUEST_CANCELLED: number = -32800;

/** An error reply. Code and message go to the peer as they are; anything else thrown reveals nothing to it. */
export class JsonRpcReplyError extends Error {
  /** JSON-RPC error code. */
  readonly code: number;

  static {
    brandError(this, "JsonRpcReplyError");
  }

  /**
   * Makes an error reply.
   *
   * @throws {RangeError} When the code is not an integer, which JSON-RPC asks for.
   */
  constructor(code: number, message: string) {
    if (!Number.isInteger(code)) throw new RangeError(`JSON-RPC error code must be an integer, got ${code}`);
    super(message);
    this.code = code;
  }

  /** Tells whether a value is such an error, also one of another copy of this library. */
  static is(value: unknown): value is JsonRpcReplyError {
    return hasBrand(value, "JsonRpcReplyError");
  }
}
