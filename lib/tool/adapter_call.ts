/**
 * Who calls, where a library knows nothing of parents.
 *
 * @module
 */
import type { SubagentParent } from "../seam/types.ts";
import type { ModelToolCall } from "./model_tool.ts";

/** Options of an adapter. */
export interface ToolAdapterOptions<Context> {
  /** The agent or session whose model calls: always the same one, or found by what the library hands over with a call. */
  readonly parent: SubagentParent | ((context: Context) => SubagentParent | undefined);
  /**
   * Gives the key that makes a call idempotent where it starts a background job. Default: none, since the ids that
   * models give their calls may repeat.
   */
  readonly key?: (context: Context) => string | undefined;
}

/** Puts the circumstances of a call together. */
export function adapterCall<Context>(
  { parent, key }: ToolAdapterOptions<Context>,
  context: Context,
  signal: AbortSignal | undefined,
): ModelToolCall {
  return {
    parent: typeof parent === "function" ? parent(context) : parent,
    signal,
    key: key?.(context),
  };
}
