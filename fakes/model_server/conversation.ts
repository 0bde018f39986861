/**
 * What a request to a model says, whichever protocol brought it.
 *
 * @module
 */

/** A JSON object whose fields nobody has checked yet. */
export type JsonSchemaObject = Readonly<Record<string, unknown>>;

/** One message of a conversation. */
export interface Message {
  /** Who speaks. A protocol that puts tool results into user messages keeps `user`. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** All its text, parts joined by line breaks. */
  readonly text: string;
  /** Names of the tools that the assistant called in it. */
  readonly toolCalls: readonly string[];
  /** What tools answered in it. */
  readonly toolResults: readonly string[];
}

/** One tool that the agent offers to the model. */
export interface Tool {
  /** The name to call it by. */
  readonly name: string;
  /** How it is called: with JSON arguments, with free text, or as OpenAI's built-in local shell. */
  readonly kind: "function" | "freeform" | "local-shell";
  /** JSON Schema of its arguments. */
  readonly parameters: JsonSchemaObject;
}

/** One request to the model. */
export interface ModelRequest {
  /** The model that was asked for; answers repeat it. */
  readonly model: string;
  /** Whether the answer is to come as a stream of events. */
  readonly stream: boolean;
  /** The conversation, oldest first. */
  readonly messages: readonly Message[];
  /** The tools on offer. */
  readonly tools: readonly Tool[];
  /** JSON Schema that the answer's text has to fit, if one is demanded. */
  readonly answerSchema: JsonSchemaObject | undefined;
}

/** One call of a tool by the model. */
export type ToolCall =
  | { readonly kind: "function"; readonly name: string; readonly arguments: JsonSchemaObject }
  | { readonly kind: "freeform"; readonly name: string; readonly input: string }
  | { readonly kind: "local-shell"; readonly name: string; readonly command: readonly string[] };

/** Why a text answer ends. */
export type TextEnd = "complete" | "max-tokens" | "refusal";

/** What the model answers. */
export type Answer =
  | {
    readonly kind: "text";
    /** Reasoning that goes before the text. */
    readonly thinking?: string;
    /** The text in the pieces that a stream sends one by one. */
    readonly pieces: readonly string[];
    readonly end: TextEnd;
  }
  | { readonly kind: "tool-call"; readonly thinking?: string; readonly call: ToolCall };
