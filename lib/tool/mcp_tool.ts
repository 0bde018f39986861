/**
 * A tool for servers of the Model Context Protocol, for the official TypeScript SDK (2.x) and any other; none is
 * imported.
 *
 * @module
 */
import { adapterCall, type ToolAdapterOptions } from "./adapter_call.ts";
import { type StandardInputSchema, standardInputSchema } from "./input_schema_object.ts";
import type { ModelTool } from "./model_tool.ts";

/** What of the context that the SDK hands to a handler is looked at. */
export interface McpCallContext {
  /** The request. */
  readonly mcpReq: {
    /** Its id, unique in its connection. */
    readonly id: string | number;
    /** Aborted when the client cancels the request. */
    readonly signal: AbortSignal;
  };
  /** Id of the transport's session, if it has one. */
  readonly sessionId?: string | undefined;
}

/** What a tool call answers (protocol revision 2025-06-18, `CallToolResult`). */
export interface McpToolResult {
  /** What the model gets to see. */
  content: { type: "text"; text: string }[];
  /** Whether the call failed. */
  isError: boolean;
  /** The protocol's results are open. */
  [key: string]: unknown;
}

/** JSON, in the shape that protocol libraries type it. */
export type McpJson = string | number | boolean | null | McpJson[] | { [name: string]: McpJson };

/** The schema of a tool's input as a `tools/list` answer holds it. */
export interface McpInputSchema {
  /** Always an object. */
  type: "object";
  /** Schemas by name. */
  properties?: { [name: string]: McpJson };
  /** The names that must be there. */
  required?: string[];
  /** Other keywords. */
  [keyword: string]: unknown;
}

/** A tool in the parts that `McpServer.registerTool()` takes, and what a server without the SDK needs. */
export interface McpTool {
  /** First argument of `registerTool()`. */
  readonly name: string;
  /** Second argument of `registerTool()`. */
  readonly config: { readonly description: string; readonly inputSchema: StandardInputSchema };
  /** Third argument of `registerTool()`. Never rejects: a failed call is an answer with `isError`. */
  readonly handler: (input: Record<string, unknown>, context: McpCallContext) => Promise<McpToolResult>;
  /** The entry of a `tools/list` answer. */
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: McpInputSchema;
  };
}

/**
 * Makes the parts of an MCP tool.
 *
 * @example
 * ```ts ignore
 * const { name, config, handler } = toMcpTool(tool, { parent: { id: "mcp", cwd: "/srv/project" } });
 * server.registerTool(name, config, handler);
 * ```
 */
export function toMcpTool(tool: ModelTool, options: ToolAdapterOptions<McpCallContext>): McpTool {
  const { name, description } = tool;
  const inputSchema = structuredClone(tool.inputSchema) as unknown as McpInputSchema;
  return {
    name,
    config: { description, inputSchema: standardInputSchema(tool) },
    definition: { name, description, inputSchema },
    handler: async (input, context) => {
      try {
        const { text } = await tool.execute(input, adapterCall(options, context, context.mcpReq.signal));
        return answer(text, false);
      } catch (error) {
        return answer(messageOf(error), true);
      }
    },
  };
}

function answer(text: string, isError: boolean): McpToolResult {
  return { content: [{ type: "text", text }], isError };
}

/** A tool throws errors only; a host's own tool, or its way to find the parent, may do otherwise. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "tool call failed";
}
