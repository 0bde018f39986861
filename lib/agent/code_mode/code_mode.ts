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
import { type ProgramLimits, readProgramLimits } from "./program_limits.ts";
import { runProgram } from "./run_program.ts";
import { declareTools } from "./tool_declarations.ts";

/**
 * How models get to call tools from programs.
 *
 * Every program runs in a JavaScript engine of its own that knows nothing of this one, has memory of its own and is
 * metered, so that it stops when its time is over whatever it does. The engine comes with the package
 * `quickjs-emscripten`, which is loaded when the first program runs; it works on the thread of its host.
 *
 * A program has the language (with `Date`, which shows the host's clock and time zone, and `Math.random()`) and two more
 * globals:
 *
 * - `tools.<name>(args)` for each tool that the agent sees when the program starts, `tools["<name>"](args)` for names
 *   that are no identifiers. `args` must survive JSON, members that are `undefined` aside; without it, it is `{}`. Gives
 *   a promise of the text of the result, or of an `Error` whose message is the text of the failure.
 * - `console.log(...)`, as well as `debug`, `info`, `warn` and `error`: a line of output each.
 *
 * There is no network, file, module, timer, or anything else.
 */
export interface CodeModeOptions {
  /** `code`: from programs only. `both`: also one by one. */
  readonly mode: "code" | "both";
  /**
   * Milliseconds that a program may compute; waiting for tools does not count. The host does nothing else meanwhile.
   *
   * @default {2000}
   */
  readonly computeMs?: number;
  /**
   * Milliseconds that a program may take from its start to its end, tools included. The tool that runs then is told so by
   * its signal, and not waited for.
   *
   * @default none: it takes as long as its tools do
   */
  readonly timeoutMs?: number;
  /**
   * Bytes of memory of the engine that a program runs in; at least 16 MiB, of which the engine itself takes one.
   *
   * @default {67108864}
   */
  readonly memoryBytes?: number;
  /** Most tool calls of a program. @default {100} */
  readonly maxCalls?: number;
  /** Most characters of the arguments of one call, as JSON. A call that has more throws. @default {1000000} */
  readonly maxArgument?: number;
  /** Most characters that a program may say and return. @default {100000} */
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
  `These tools are there for programs that you run with \`${RUN_CODE_TOOL}\`. Besides them and console.log() a program has ` +
  "the JavaScript language and nothing else: no network, no files, no timers, no imports. A call gives the text of its " +
  "result, or throws an Error with the text of its failure. Calls are made one after the other.";

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
  const limits = readProgramLimits(options);
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
    async callTool({ number, name, args, signal }) {
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
