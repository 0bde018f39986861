/**
 * How a JSON-RPC connection or one request on it fails. No message holds text of the peer.
 *
 * @module
 */
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** The connection is over: the stream ended, a write failed, or it was closed on this side. */
export class TransportClosedError extends Error {
  static {
    brandError(this, "TransportClosedError");
  }

  /** Stable code for callers that branch. */
  get code(): "TRANSPORT_CLOSED" {
    return "TRANSPORT_CLOSED";
  }

  /** Tells whether a value is such an error, also one of another copy of this library. */
  static is(value: unknown): value is TransportClosedError {
    return hasBrand(value, "TransportClosedError");
  }
}

/** What grew past its limit: one incoming message, or the replies that the peer does not take. */
export type TransportLimitSubject = "message" | "replies";

const LIMIT_ADVICE: Readonly<Record<TransportLimitSubject, (limitBytes: number) => string>> = {
  message: (limitBytes) =>
    `A JSON-RPC message exceeds ${limitBytes} bytes: raise the limit, or send smaller messages`,
  replies: (limitBytes) =>
    `The JSON-RPC peer keeps sending requests and leaves more than ${limitBytes} bytes of replies unread`,
};

/** The connection was given up because a byte limit was exceeded. Also a {@linkcode TransportClosedError}. */
export class TransportLimitError extends TransportClosedError {
  /** What grew past the limit. */
  readonly what: TransportLimitSubject;
  /** The limit, in bytes. */
  readonly limitBytes: number;

  static {
    brandError(this, "TransportLimitError");
  }

  /** Says what grew and how much was allowed. */
  constructor(what: TransportLimitSubject, limitBytes: number) {
    super(LIMIT_ADVICE[what](limitBytes));
    this.what = what;
    this.limitBytes = limitBytes;
  }

  /** Tells whether a value is such an error, also one of another copy of this library. */
  static override is(value: unknown): value is TransportLimitError {
    return hasBrand(value, "TransportLimitError");
  }
}

/** What the peer put into an error reply. All of it is the peer's text: for the host's own log only. */
export interface RemoteError {
  /** Error code, if it was a finite number. */
  readonly code?: number | undefined;
  /** Message, if it was a string. */
  readonly message?: string | undefined;
  /** Additional data, verbatim. */
  readonly data?: unknown;
}

/**
 * The peer answered a request with an error. The message is fixed. What the peer said is behind getters over private
 * state: no printer finds it, neither `console.log` nor `JSON.stringify`, not even with hidden properties shown or
 * as the `cause` of another error.
 */
export class JsonRpcResponseError extends Error {
  readonly #remote: RemoteError;

  static {
    brandError(this, "JsonRpcResponseError");
  }

  /** Keeps what the peer said. */
  constructor(remote: RemoteError) {
    super("The peer answered with a JSON-RPC error");
    this.#remote = remote;
  }

  /** The peer's error code; undefined when it was not a finite number. */
  get code(): number | undefined {
    return this.#remote.code;
  }

  /** The peer's error data, verbatim. */
  get data(): unknown {
    return this.#remote.data;
  }

  /** The peer's error message; undefined when it was not a string. */
  get remoteMessage(): string | undefined {
    return this.#remote.message;
  }

  /** Tells whether a value is such an error, also one of another copy of this library. */
  static is(value: unknown): value is JsonRpcResponseError {
    return hasBrand(value, "JsonRpcResponseError");
  }
}

/** The peer answered a request with something that is no response. The message is fixed and nothing of it is kept. */
export class JsonRpcProtocolError extends Error {
  static {
    brandError(this, "JsonRpcProtocolError");
  }

  /** Says what a response needs. */
  constructor() {
    super("The peer's response has neither or both of result and error, or an error that is no object");
  }

  /** Stable code for callers that branch. */
  get code(): "PROTOCOL" {
    return "PROTOCOL";
  }

  /** Tells whether a value is such an error, also one of another copy of this library. */
  static is(value: unknown): value is JsonRpcProtocolError {
    return hasBrand(value, "JsonRpcProtocolError");
  }
}

/** A request was not answered within its `timeoutMs`. */
export class RequestTimeoutError extends Error {
  /** The method called. */
  readonly method: string;
  /** How long the answer could take, in milliseconds. */
  readonly timeoutMs: number;

  static {
    brandError(this, "RequestTimeoutError");
  }

  /** Says which call took too long. */
  constructor(method: string, timeoutMs: number) {
    super(`JSON-RPC request ${JSON.stringify(method)} was not answered within ${timeoutMs} ms`);
    this.method = method;
    this.timeoutMs = timeoutMs;
  }

  /** Stable code for callers that branch. */
  get code(): "REQUEST_TIMEOUT" {
    return "REQUEST_TIMEOUT";
  }

  /** Tells whether a value is such an error, also one of another copy of this library. */
  static is(value: unknown): value is RequestTimeoutError {
    return hasBrand(value, "RequestTimeoutError");
  }
}
