/**
 * A tool for the agents of the in-process runtime.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../schema/json_value.ts";
import type { SubagentParent } from "../seam/types.ts";
import type { ModelTool } from "./model_tool.ts";

/** What of a call of the runtime is looked at. */
export interface AgentToolExecution {
  /** The agent that calls; it becomes the parent of the child. */
  readonly agent?: SubagentParent;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool as the runtime's tool registry takes it: a `ToolDefinition`. */
export interface AgentTool {
  /** Name that the model calls it by. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: JsonObject;
  /** Does the work of one call. */
  execute(args: JsonValue, execution: AgentToolExecution): Promise<string>;
}

/**
 * Makes a tool for `runtime.tools.register()` or `agent.scope.tools.register()`. The agent that calls is the parent, so
 * children of `spawn` and `fork` providers are its own.
 */
export function toAgentTool(tool: ModelTool): AgentTool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.inputSchema,
    execute: async (args, { agent, signal }) => {
      const { text } = await tool.execute(args, { parent: agent, signal });
      return text;
    },
  };
}
