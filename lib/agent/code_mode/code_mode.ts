/**
 * Code Mode: models call tools from programs.
 *
 * @module
 */
import { ToolArgsError } from "../../schema/errors.ts";
import type { JsonObject, JsonValue } from "../../schema/json_value.ts";
import type { OutputSchema } from "../../schema/output_schema.ts";
import { validateStructuredValue } from "../../schema/validate_structured_value.ts";
import { joinText } from "../../seam/content.ts";
import { kindOf } from "../../seam/kind_of.ts";
import type { SystemPrompt } from "../prompt/system_prompt.ts";
import { RUN_CODE_TOOL } from "../tools/run_code_tool.ts";
import type { ToolRegistry } from "../tools/tool_registry.ts";
import type { ToolExecution } from "../tools/tool_types.ts";
import { type ProgramLimits, runProgram } from "./run_program.ts";
import { declareTools } from "./tool_declarations.ts";

/** How models get to call tools from programs. */
export interface CodeModeOptions {
  /** `code`: from programs only. `both`: also one by one. */
  readonly mode: "code" | "both";
  /**
   * Milliseconds a program may compute; waiting for tools does not count. Looked at between the program's own steps: a
   * built-in that works on megabytes at one go may take longer, and this thread with it. @default {5000}
   */
  readonly computeMs?: number;
  /** Bytes of memory a program may use. @default {33554432} */
  readonly memoryBytes?: number;
  /** Most tool calls of a program. @default {100} */
  readonly maxCalls?: number;
  /** Most characters a program may say and return. @default {100000} */
  readonly maxOutput?: number;
  /** A clock that never goes back, in milliseconds. @default {performance.now} */
  readonly now?: () => number;
}

/** Section of the system prompt that declares the tools, behind what guides their use. */
const SECTION = { name: "tools:sdk", order: 150 } as const;

const PARAMETERS = {
  type: "object",
  properties: {
    code: { type: "string", description: "Body of an async JavaScript function." },
  },
  required: ["code"],
  additionalProperties: false,
} satisfies JsonObject & OutputSchema;

const DESCRIPTION =
  "Runs a JavaScript program that may call tools: the body of an async function, so await and return work at its top " +
  "level. Its result is what it printed with console.log() and what it returned; a returned object comes as JSON.";

const INTRODUCTION =
  `These tools are called from programs that you run with \`${RUN_CODE_TOOL}\`. There is nothing else: no network, no ` +
  "files, no timers, no imports. A call that fails throws an Error. Calls are made one after the other.";

const EMPTY_RUN = `(${RUN_CODE_TOOL} completed with no output)`;

/**
 * Installs Code Mode for all agents of a runtime. The engine is loaded when the first program runs.
 *
 * @throws {TypeError} When an option is wrong, naming it and what it must be.
 */
export function installCodeMode(
  options: CodeModeOptions,
  { tools, prompt }: { readonly tools: ToolRegistry; readonly prompt: SystemPrompt },
): void {
  const { mode } = options;
  if (mode !== "code" && mode !== "both") {
    throw new TypeError(`codeMode: mode must be "code" or "both", got ${kindOf(mode)}`);
  }
  const limits: ProgramLimits = {
    computeMs: positive(options, "computeMs", 5000),
    memoryBytes: positive(options, "memoryBytes", 32 * 1024 * 1024),
    maxCalls: positive(options, "maxCalls", 100),
    maxOutput: positive(options, "maxOutput", 100_000),
    now: options.now ?? (() => performance.now()),
  };
  tools.installTransport({
    name: RUN_CODE_TOOL,
    description: DESCRIPTION,
    parameters: PARAMETERS,
    execute: (args, execution) => runCode(args, execution, tools, limits),
  }, { exclusive: mode === "code" });
  prompt.section({
    ...SECTION,
    // Braces in a declaration are no variables.
    literal: true,
    text: ({ agent }) => `${INTRODUCTION}\n\n${declareTools(tools.visible(agent))}`,
  });
  prompt.protect({ sections: [SECTION.name], tools: [RUN_CODE_TOOL] });
}

async function runCode(
  args: JsonValue,
  { callId, agent, token, signal }: ToolExecution,
  tools: ToolRegistry,
  limits: ProgramLimits,
): Promise<string> {
  const violations = validateStructuredValue(PARAMETERS, args);
  if (violations.length > 0) throw new ToolArgsError(violations);
  const { code } = args as { readonly code: string };
  const output = await runProgram(code, {
    limits,
    signal,
    toolNames: tools.visible(agent).map(({ name }) => name),
    async callTool(number, name, args) {
      const { content, isError } = await tools.execute({
        callId: `${callId}:code:${number}`,
        name,
        arguments: args,
        agent,
        parent: token,
        signal,
      });
      return { isError, text: joinText(content) };
    },
  });
  return output === "" ? EMPTY_RUN : output;
}

function positive(options: CodeModeOptions, name: keyof CodeModeOptions, fallback: number): number {
  const value = options[name] ?? fallback;
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  const got = typeof value === "number" ? value : kindOf(value);
  throw new TypeError(`codeMode: ${name} must be a positive safe integer, got ${got}`);
}
