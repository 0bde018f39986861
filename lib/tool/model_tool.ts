/**
 * A tool for a model, as plain data and one function. Adapters make of it what an ecosystem expects. Types only.
 *
 * @module
 */
import type { JsonObject } from "../schema/json_value.ts";
import type { SubagentParent } from "../seam/types.ts";

/** The circumstances of one call. */
export interface ModelToolCall {
  /** The agent or session whose model calls. */
  readonly parent: SubagentParent | undefined;
  /** Ends the call early. It does not end what the call left running in the background. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Makes the call idempotent where it starts a background job: a call of the same parent with the same key gives the
   * job that is there. Give one only if it is unique to the call; ids that models make up are not.
   */
  readonly key?: string | undefined;
}

/** What came of a call. */
export interface ModelToolResult<Value> {
  /** What the model gets to see. */
  readonly text: string;
  /** The same as data, for the host. */
  readonly value: Value;
}

/** A tool for a model. */
export interface ModelTool<Value = unknown> {
  /** Name that the model calls it by. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of its input; deep-frozen. */
  readonly inputSchema: JsonObject;
  /**
   * Does the work of one call.
   *
   * @param input What the model gave: any value, it is checked here.
   * @throws {Error} When the call failed. The message is what the model is to see; neither it nor the error's class,
   *   `cause` or other fields hold text of a provider or of a child, but for partial output that is marked as such.
   */
  execute(input: unknown, call: ModelToolCall): Promise<ModelToolResult<Value>>;
}
