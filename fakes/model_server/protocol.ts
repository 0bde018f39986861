/**
 * What each of the four wire protocols knows how to do.
 *
 * @module
 */
import type { Answer, JsonSchemaObject, ModelRequest, TextEnd, ToolCall } from "./conversation.ts";

/** Names of the protocols. */
export type ProtocolName = "anthropic-messages" | "openai-chat" | "openai-responses" | "gemini";

/** One step of a streamed answer: a server-sent event, or a place where the script may pause or cut. */
export type StreamStep =
  | { readonly kind: "event"; readonly event?: string; readonly data: string }
  | { readonly kind: "pause" };

/** What an answer repeats or needs beside its content. */
export interface AnswerContext {
  /** The model that was asked for. */
  readonly model: string;
  /** Makes an id with this prefix, unlike any before. */
  readonly newId: (prefix: string) => string;
}

/** One wire protocol. */
export interface Protocol {
  readonly name: ProtocolName;
  /** Whether a POST to this path asks for an answer. */
  matches(path: string): boolean;
  /** Reads a request. Whatever is missing or of another type reads as empty. */
  read(body: JsonSchemaObject, url: URL): ModelRequest;
  /** The answer in one piece. */
  whole(answer: Answer, context: AnswerContext): unknown;
  /** The answer as a stream. */
  stream(answer: Answer, context: AnswerContext): Iterable<StreamStep>;
  /** The body of an HTTP error. */
  error(status: number, message: string): unknown;
}

/** Where a stream may pause. */
export const PAUSE: StreamStep = { kind: "pause" };

/** A server-sent event with JSON in it. */
export function jsonEvent(data: unknown, event?: string): StreamStep {
  return { kind: "event", ...(event === undefined ? {} : { event }), data: JSON.stringify(data) };
}

/** Answers carry a time; a fixed one keeps them comparable. Seconds since 1970. */
export const CREATED_AT = 1_700_000_000;

/** The full text of an answer, empty for a tool call. */
export function fullText(answer: Answer): string {
  return answer.kind === "text" ? answer.pieces.join("") : "";
}

/** A tool call's arguments as JSON, for protocols that know no other kind of call. */
export function argumentsOf(call: ToolCall): JsonSchemaObject {
  switch (call.kind) {
    case "function":
      return call.arguments;
    case "freeform":
      return { input: call.input };
    case "local-shell":
      return { command: call.command };
  }
}

/** Made-up usage: ten tokens in, a token for four characters out. */
export function usageOf(answer: Answer): { readonly input: number; readonly output: number } {
  return { input: 10, output: Math.max(1, Math.ceil(fullText(answer).length / 4)) };
}

/** A protocol's name for the reason why an answer ends. */
export function endOf<T>(answer: Answer, names: Readonly<Record<TextEnd | "tool-call", T>>): T {
  return names[answer.kind === "text" ? answer.end : "tool-call"];
}
