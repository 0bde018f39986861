/**
 * The model port: one call that streams. Types only.
 *
 * @module
 */
import type { JsonObject } from "../../schema/json_value.ts";
import type { ContentBlock } from "../../seam/content.ts";
import type { AgentOptions } from "../agent.ts";
import type { ToolSchema } from "../tools/tool_types.ts";

/** What a user said. */
export interface UserModelMessage {
  /** Discriminant. */
  readonly role: "user";
  /** What was said. */
  readonly content: readonly ContentBlock[];
}

/** What the model said before. */
export interface AssistantModelMessage {
  /** Discriminant. */
  readonly role: "assistant";
  /** Text, reasoning and tool calls, in order. */
  readonly content: readonly ContentBlock[];
}

/** What came of one tool call of the assistant message before. */
export interface ToolModelMessage {
  /** Discriminant. */
  readonly role: "tool";
  /** Id of the call. */
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** The result. */
  readonly content: readonly ContentBlock[];
  /** Whether the call failed. */
  readonly isError: boolean;
}

/** A message of the conversation. */
export type ModelMessage = UserModelMessage | AssistantModelMessage | ToolModelMessage;

/** One question to a model; deep-frozen apart from the signal. */
export interface ModelRequest {
  /** The system prompt; empty when there is none. */
  readonly system: string;
  /**
   * The conversation so far, oldest first. Behind an assistant message stands exactly one result for each of its calls;
   * neither two user messages nor two assistant messages stand next to each other.
   */
  readonly messages: readonly ModelMessage[];
  /** The tools that the model may call. */
  readonly tools: readonly ToolSchema[];
  /** What the asking agent is made of: `model`, `maxTokens` and whatever a host adds. */
  readonly options: AgentOptions;
  /** Aborted when nobody waits for the answer any longer. */
  readonly signal: AbortSignal;
}

/** Why a model stopped. */
export type ModelFinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "error" | "other";

/** Tokens that an answer took; what a model does not tell is left out. */
export interface ModelUsage {
  /** Tokens of the question. */
  readonly inputTokens?: number;
  /** Tokens of the answer, reasoning included. */
  readonly outputTokens?: number;
  /** Tokens of the answer that were reasoning. */
  readonly reasoningTokens?: number;
  /** Tokens of the question that came from a cache. */
  readonly cachedInputTokens?: number;
}

/** A piece of the answer's text. */
export interface TextDeltaChunk {
  /** Discriminant. */
  readonly type: "text-delta";
  /** The piece; empty when there are only facts to carry. */
  readonly text: string;
  /** What the provider needs back with this text in the next question. Ends the block: text behind it is another one. */
  readonly providerMetadata?: JsonObject;
}

/** A piece of the model's reasoning. */
export interface ReasoningDeltaChunk {
  /** Discriminant. */
  readonly type: "reasoning-delta";
  /** The piece; empty when there are only facts to carry, as at the end of signed reasoning. */
  readonly text: string;
  /**
   * What the provider needs back with this reasoning in the next question, such as a signature: as `providerMetadata` of
   * the block. Ends the block: reasoning behind it is another one.
   */
  readonly providerMetadata?: JsonObject;
}

/** A piece of a tool call's arguments on their way, for whoever watches. Nothing acts on it. */
export interface ToolCallDeltaChunk {
  /** Discriminant. */
  readonly type: "tool-call-delta";
  /** Id of the call. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** The piece of JSON text. */
  readonly arguments: string;
}

/** A whole tool call. */
export interface ToolCallChunk {
  /** Discriminant. */
  readonly type: "tool-call";
  /** Id of the call as the model gave it. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** The arguments as JSON text; not known to be JSON. */
  readonly arguments: string;
  /** What the provider needs back with this call in the next question. */
  readonly providerMetadata?: JsonObject;
}

/** The end of the answer. An answer without one is broken off, which fails the turn. */
export interface FinishChunk {
  /** Discriminant. */
  readonly type: "finish";
  /** Why the model stopped. */
  readonly reason: ModelFinishReason;
  /** What it took. */
  readonly usage?: ModelUsage;
}

/** A piece of an answer. */
export type ModelChunk =
  | TextDeltaChunk
  | ReasoningDeltaChunk
  | ToolCallDeltaChunk
  | ToolCallChunk
  | FinishChunk;

/** A language model. `fromLanguageModel()` makes one out of any model of the AI SDK. */
export interface ModelPort {
  /**
   * Asks the model. Nothing happens before the first piece is asked for. What the iteration throws fails the agent's
   * turn; a broken connection is an error, never an early end. After an abort it ends or throws soon.
   */
  stream(request: ModelRequest): AsyncIterable<ModelChunk>;
}
