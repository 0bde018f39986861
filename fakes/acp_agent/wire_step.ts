/**
 * Steps that write. Every `Json` field may hold placeholders (`placeholders.ts`); text fields that are `Json` take a
 * string or a placeholder, and anything else is written as its JSON text.
 *
 * @module
 */
import type { Json } from "./json.ts";
import type { Step } from "./script.ts";

/**
 * Answers a request. Steps behind it still run, so an agent can speak after its answer. A handler without a `reply`
 * or `stop` leaves its request unanswered.
 */
export interface ReplyStep {
  /** Discriminant. */
  readonly do: "reply";
  /** Member `result`. Without `result` and `error` the reply has neither. */
  readonly result?: Json;
  /** Member `error`. With `result` given too, the reply has both. */
  readonly error?: Json;
  /** Another id than the request's. `{ "$requestId": "string" }` is the right id in the wrong type. */
  readonly id?: Json;
  /** Members to leave out. */
  readonly omit?: readonly ("jsonrpc" | "id")[];
  /** Answers the newest open request of this method instead of the one being handled. */
  readonly to?: string;
  /** How often the same line is written. @default {1} */
  readonly times?: number;
}

/** Ends a prompt turn: a `reply` whose result is `{ stopReason }`. */
export interface StopStep {
  /** Discriminant. */
  readonly do: "stop";
  /** The stop reason, right or wrong. @default {"end_turn"} */
  readonly reason?: Json;
}

/** Streams agent text: an `agent_message_chunk` with one text block. */
export interface TextStep {
  /** Discriminant. */
  readonly do: "text";
  /** The text. */
  readonly text: Json;
  /** Another session than the handled one. */
  readonly sessionId?: Json;
  /** How many such chunks are written, in large buffers. `{ "$index": true }` counts them from 0. @default {1} */
  readonly times?: number;
}

/** Sends any `session/update`: thought, tool call, plan, non-text chunk, a kind that nobody knows. */
export interface UpdateStep {
  /** Discriminant. */
  readonly do: "update";
  /** Member `update` of the params, as on the wire. */
  readonly update: Json;
  /** Another session than the handled one. */
  readonly sessionId?: Json;
  /** How many are written, in large buffers. @default {1} */
  readonly times?: number;
}

/** Streams the prompt's own text back in two chunks, cut in the middle, never inside a code point. */
export interface EchoStep {
  /** Discriminant. */
  readonly do: "echo";
}

/** Sends a notification. */
export interface NotifyStep {
  /** Discriminant. */
  readonly do: "notify";
  /** Method name. */
  readonly method: string;
  /** Params; left out when absent. */
  readonly params?: Json;
}

/** Writes any JSON value as one line: a batch, a scalar, a message that no other step would write. */
export interface SendStep {
  /** Discriminant. */
  readonly do: "send";
  /** The value. */
  readonly message: Json;
  /** How often it is written. @default {1} */
  readonly times?: number;
}

/** Writes a line that need not be JSON: noise, a banner, cut JSON. */
export interface LineStep {
  /** Discriminant. */
  readonly do: "line";
  /** The line without its end. */
  readonly text: Json;
  /** How often it is written, in large buffers. @default {1} */
  readonly times?: number;
}

/** Writes text as it is, with no line end. Repeated a few million times it is an endless line. */
export interface RawStep {
  /** Discriminant. */
  readonly do: "raw";
  /** The text. */
  readonly text: Json;
  /** How often it is written, in large buffers. @default {1} */
  readonly times?: number;
}

/** Writes bytes as they are, for what is no UTF-8 text. */
export interface BytesStep {
  /** Discriminant. */
  readonly do: "bytes";
  /** The bytes. */
  readonly base64: string;
  /** How often they are written, in large buffers. @default {1} */
  readonly times?: number;
}

/** Gathers what its steps write and hands it over in one write, or cut into several at chosen bytes. */
export interface BurstStep {
  /** Discriminant. */
  readonly do: "burst";
  /** The steps whose output is gathered. */
  readonly steps: readonly Step[];
  /** Byte offsets to cut at, or `"character"`: behind the first byte of the first multibyte character. */
  readonly cut?: "character" | readonly number[];
  /** Wait between two parts, in milliseconds, so that a reader gets them apart. @default {20} */
  readonly gapMs?: number;
}

/** Sets what surrounds every later line: CRLF, blank lines, a byte order mark, no line end at all. */
export interface FramingStep {
  /** Discriminant. */
  readonly do: "framing";
  /** Text in front of a line. @default {""} */
  readonly before?: string;
  /** Text behind a line. @default {"\n"} */
  readonly after?: string;
}

/** Writes to stderr; more than the pipe holds blocks the handler until somebody reads. */
export interface StderrStep {
  /** Discriminant. */
  readonly do: "stderr";
  /** The text. */
  readonly text: Json;
  /** How often it is written, in large buffers. @default {1} */
  readonly times?: number;
}

/** Steps that write. */
export type WireStep =
  | ReplyStep
  | StopStep
  | TextStep
  | UpdateStep
  | EchoStep
  | NotifyStep
  | SendStep
  | LineStep
  | RawStep
  | BytesStep
  | BurstStep
  | FramingStep
  | StderrStep;
