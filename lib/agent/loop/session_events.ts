/**
 * What an agent writes into its session: the data of each event, by type. Types only.
 *
 * A turn is `turn/start`, the prompts that were admitted, steps, `turn/end`. A step is what was steered since the one
 * before, `step/start`, `request/header`, pieces and message of the model, calls and results of tools, `step/end`; one
 * that is cut short has no `step/end`.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../../schema/json_value.ts";
import type { ContentBlock } from "../../seam/content.ts";
import type { AgentOptions } from "../agent.ts";
import type { ModelChunk, ModelFinishReason, ModelUsage } from "../model/model_types.ts";
import type { AssembledSection } from "../prompt/prompt_types.ts";
import type { ToolResult, ToolSchema } from "../tools/tool_types.ts";

/**
 * Why a turn ended.
 *
 * - `completed`: the model said what it had to say.
 * - `max-tokens`: its answer was cut off.
 * - `blocked`: its provider withheld the answer.
 * - `aborted`: the turn was cancelled. `disposed`: its agent ended.
 * - `rejected`: no prompt was admitted.
 * - `error`: anything else; the host's failure sink knows what.
 */
export type TurnEndReason =
  | "completed"
  | "max-tokens"
  | "blocked"
  | "aborted"
  | "disposed"
  | "rejected"
  | "error";

/** Data of the events by type. */
export interface AgentSessionEvents {
  /** A turn began. Turns count from 1 in a session, those of its seed included. */
  readonly "turn/start": { readonly turn: number };
  /** The user said something. */
  readonly "user/message": {
    readonly message: { readonly role: "user"; readonly content: readonly ContentBlock[] };
  };
  /** A step began. Steps count from 1 in a turn. */
  readonly "step/start": { readonly turn: number; readonly step: number };
  /** What the model is asked, but for the conversation: that stands in the events before. */
  readonly "request/header": {
    readonly system: string;
    readonly sections: readonly AssembledSection[];
    readonly tools: readonly ToolSchema[];
    readonly variables: Readonly<Record<string, string>>;
    readonly options: AgentOptions;
  };
  /** A piece of the answer. */
  readonly "assistant/chunk": { readonly chunk: ModelChunk };
  /** The whole answer. One that broke off has none; its pieces remain. */
  readonly "assistant/message": {
    readonly message: { readonly role: "assistant"; readonly content: readonly ContentBlock[] };
  };
  /** A tool is about to be called. `arguments` are the model's JSON text. */
  readonly "tool/call": { readonly callId: string; readonly name: string; readonly arguments: string };
  /** What came of it. */
  readonly "tool/result": {
    readonly callId: string;
    readonly name: string;
    readonly content: readonly ContentBlock[];
    readonly isError: boolean;
    readonly error?: ToolResult["error"] & JsonObject;
    readonly meta?: JsonValue;
  };
  /** A step ended. */
  readonly "step/end": {
    readonly turn: number;
    readonly step: number;
    readonly finishReason: ModelFinishReason;
    readonly usage?: ModelUsage;
  };
  /** A turn ended. */
  readonly "turn/end": { readonly turn: number; readonly reason: TurnEndReason };
}
