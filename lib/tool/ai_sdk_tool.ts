/**
 * A tool for the AI SDK (the `ai` package, versions 5 to 7), which is not imported.
 *
 * @module
 */
import { adapterCall, type ToolAdapterOptions } from "./adapter_call.ts";
import { type StandardInputSchema, standardInputSchema } from "./input_schema_object.ts";
import type { ModelTool } from "./model_tool.ts";

/** What of the options of an AI SDK call is looked at. */
export interface AiSdkCallOptions {
  /** Id of the call. */
  readonly toolCallId: string;
  /** Ends the call early. */
  readonly abortSignal?: AbortSignal | undefined;
  /** The context of the call, by its name up to version 6. */
  readonly experimental_context?: unknown;
  /** The context of the call, by its name from version 7 on. */
  readonly context?: unknown;
}

/** A tool as `generateText`, `streamText` and agents of the AI SDK take it. */
export interface AiSdkTool<Schema = StandardInputSchema> {
  /** What it does, for the model. */
  description: string;
  /** Schema of the input. */
  inputSchema: Schema;
  /**
   * Does the work of one call. A rejection is how the AI SDK learns that the call failed: the model sees its message,
   * in version 7 behind `Error: `. The `cause` is the error of the tool.
   */
  execute: (input: Record<string, unknown>, options: AiSdkCallOptions) => Promise<string>;
}

/** Options of {@link toAiSdkTool} with the caller's own way to make a schema. */
export interface AiSdkSchemaOptions<Schema> extends ToolAdapterOptions<AiSdkCallOptions> {
  /** `jsonSchema` of the caller's `ai`. Version 5 needs it for its types; the others know the default schema. */
  readonly jsonSchema: (schema: never) => Schema;
}

/**
 * Makes an AI SDK tool; its name is the key that it gets in the `tools` object.
 *
 * @example
 * ```ts ignore
 * const tool = subagentTool(subagents, { provider: "acp", maxDepth: "provider-managed" });
 * const tools = { [tool.name]: toAiSdkTool(tool, { parent: { id: "chat-1", cwd: "/srv/project" } }) };
 * const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(10) });
 * ```
 */
export function toAiSdkTool<Schema>(tool: ModelTool, options: AiSdkSchemaOptions<Schema>): AiSdkTool<Schema>;
/** Makes an AI SDK tool whose schema versions 6 and 7 know by type, and version 5 at run time. */
export function toAiSdkTool(tool: ModelTool, options: ToolAdapterOptions<AiSdkCallOptions>): AiSdkTool;
export function toAiSdkTool(
  tool: ModelTool,
  options: ToolAdapterOptions<AiSdkCallOptions> & Partial<AiSdkSchemaOptions<unknown>>,
): AiSdkTool<unknown> {
  const { jsonSchema } = options;
  return {
    description: tool.description,
    inputSchema: jsonSchema === undefined
      ? aiSdkInputSchema(tool)
      : jsonSchema(structuredClone(tool.inputSchema) as never),
    execute: async (input, call) => {
      try {
        const { text } = await tool.execute(input, adapterCall(options, call, call.abortSignal));
        return text;
      } catch (error) {
        throw plainError(error);
      }
    },
  };
}

/** Version 7 shows an error with its class, earlier ones without: with a plain one the words are the same. */
function plainError(error: unknown): unknown {
  return error instanceof Error ? new Error(error.message, { cause: error }) : error;
}

/**
 * A standard schema that is a schema of the AI SDK as well: all versions know their own by this registered symbol, and
 * version 5 knows no others.
 */
function aiSdkInputSchema(tool: ModelTool): StandardInputSchema {
  const standard = standardInputSchema(tool);
  const { validate, jsonSchema } = standard["~standard"];
  return {
    ...standard,
    [Symbol.for("vercel.ai.schema")]: true,
    jsonSchema: jsonSchema.input({ target: "draft-07" }),
    validate: (value: unknown) => {
      const verdict = validate(value);
      return verdict.issues === undefined
        ? { success: true, value: verdict.value }
        : { success: false, error: new TypeError(verdict.issues.map(({ message }) => message).join("; ")) };
    },
  } as StandardInputSchema;
}
