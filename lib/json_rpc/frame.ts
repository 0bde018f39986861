/**
 * From one line to one JSON-RPC message. Pure; decides what is what, not what becomes of it.
 *
 * @module
 */
import { decodeUtf8 } from "./decode.ts";
import type { RemoteError } from "./errors.ts";
import { skipTerminalSequences } from "./terminal_sequence.ts";

const LEFT_BRACE = 0x7b;

/** Identifies a request. The types are kept apart: `1` and `"1"` are two ids. */
export type JsonRpcId = string | number;

/** A call that is not answered. */
export interface NotificationFrame {
  /** Discriminant. */
  readonly kind: "notification";
  /** The method called. */
  readonly method: string;
  /** Its params as they came, undefined without any. */
  readonly params: unknown;
}

/** A call that is answered exactly once. */
export interface RequestFrame {
  /** Discriminant. */
  readonly kind: "request";
  /** Goes back with the answer as it came; only an integer beyond 2^53 has lost digits, as JSON.parse reads it. */
  readonly id: JsonRpcId;
  /** The method called. */
  readonly method: string;
  /** Its params as they came, undefined without any. */
  readonly params: unknown;
}

/** An answer, good or bad. */
export interface ResponseFrame {
  /** Discriminant. */
  readonly kind: "response";
  /** The request it answers, if that is one of ours. */
  readonly id: JsonRpcId;
  /** What it says. */
  readonly outcome: ResponseOutcome;
}

/**
 * What a response says. `malformed`: neither or both of `result` and `error`, where a null beside the other counts as
 * absent, or an error that is no object.
 */
export type ResponseOutcome =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: RemoteError }
  | { readonly kind: "malformed" };

/** A line that is no message: log output, a broken or foreign envelope, a batch. */
export interface JunkFrame {
  /** Discriminant. */
  readonly kind: "junk";
}

/** One line, understood. */
export type Frame = NotificationFrame | RequestFrame | ResponseFrame | JunkFrame;

const JUNK: JunkFrame = { kind: "junk" };

/**
 * Reads one line, `bytes` from `start` up to, not including, `end`. Never throws: what is no message is junk.
 *
 * A missing or wrong `jsonrpc` member is tolerated; real agents leave it out. A call with `id: null` is a
 * notification, as in JSON-RPC 1.0: an answer to it would reach nobody. A call with any other id that is neither string
 * nor finite number is junk.
 */
export function readFrame(bytes: Uint8Array, start = 0, end: number = bytes.length): Frame {
  const message = parseObject(bytes, skipTerminalSequences(bytes, start, end), end);
  if (message === undefined) return JUNK;
  const { id, method, params } = message;
  if (typeof method === "string") {
    if (id === undefined || id === null) return { kind: "notification", method, params };
    return isId(id) ? { kind: "request", id, method, params } : JUNK;
  }
  if (method !== undefined || !isId(id)) return JUNK;
  return { kind: "response", id, outcome: readOutcome(message) };
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(bytes: Uint8Array, start: number, end: number): JsonObject | undefined {
  // Spares noise the cost of a parser error. JSON allows white space here; the writers of frames do not use it.
  if (bytes[start] !== LEFT_BRACE && !isWhiteSpace(bytes[start])) return undefined;
  try {
    const value: unknown = JSON.parse(decodeUtf8(bytes, start, end));
    return isObject(value) ? value : undefined;
  } catch {
    // A SyntaxError for what is no JSON; a RangeError, on some engines, for JSON nested too deep or a text too long.
    return undefined;
  }
}

function readOutcome(message: JsonObject): ResponseOutcome {
  const error = message["error"];
  // JSON-RPC 1.0 demands both members, one of them null, and libraries that grew up with it still send both.
  const hasError = error !== undefined && error !== null;
  // Asked for as an own member, because null is a result.
  const hasResult = Object.hasOwn(message, "result");
  if (hasResult && !hasError) return { kind: "result", result: message["result"] };
  if (hasResult && message["result"] !== null) return { kind: "malformed" };
  if (!isObject(error)) return { kind: "malformed" };
  const { code, message: text, data } = error;
  return {
    kind: "error",
    error: {
      code: typeof code === "number" && Number.isFinite(code) ? code : undefined,
      message: typeof text === "string" ? text : undefined,
      data,
    },
  };
}

// JSON.parse reads 1e999 as Infinity, which no reply is able to carry back.
function isId(value: unknown): value is JsonRpcId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
