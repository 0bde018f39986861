/**
 * Making a child report its result as data.
 *
 * @module
 */
import type { AgentScope } from "../agent/agent.ts";
import type { ExecutionToken } from "../agent/tools/execution_token.ts";
import type { ToolDefinition, ToolExecution, ToolResult } from "../agent/tools/tool_types.ts";
import { ToolArgsError } from "../schema/errors.ts";
import type { JsonObject, JsonValue } from "../schema/json_value.ts";
import type { OutputSchema } from "../schema/output_schema.ts";
import { validateStructuredValue } from "../schema/validate_structured_value.ts";

/** Name of the tool that a child reports its structured result with. */
export const STRUCTURED_OUTPUT_TOOL = "structured_output";

/** What the system prompt of such a child says about it. */
export const STRUCTURED_OUTPUT_INSTRUCTION: string =
  "When you have your final answer, you MUST report it by calling the `structured_output` tool with arguments " +
  "matching its parameter schema exactly. Do not finish with a plain text answer: only the tool call counts as " +
  "your result.";

const DESCRIPTION =
  "Report your final structured result. Call this exactly once, when your answer is complete; " +
  "the arguments must match this tool's parameter schema exactly.";

/** Behind everything that guides the use of other tools, so that it has the last word. */
const SECTION = { name: `tool:${STRUCTURED_OUTPUT_TOOL}`, order: 190 } as const;

/** A value that counts. A box, because `null` is a value too. */
export interface CapturedValue {
  /** The value: deep-frozen. */
  readonly value: JsonValue;
}

/** Where a run stands with its structured result. */
export interface StructuredCapture {
  /** The result, once the call that reported it is over and stands. */
  readonly captured: CapturedValue | undefined;
}

/**
 * What became of the reports of a child. A call that validates only stages its value: what counts is decided when the
 * whole pipeline is through with the call, and with the program around it if there is one.
 */
class Capture implements StructuredCapture {
  // By execution, not by call id: models repeat ids, and a call that failed must not lend its value to another one.
  readonly #stages: WeakMap<object, JsonValue> = new WeakMap();
  /** Calls that are over: what is reported for one of them comes too late to be part of its result. */
  readonly #settled: WeakSet<ExecutionToken> = new WeakSet();
  #pending: { readonly parent: ExecutionToken; readonly value: JsonValue } | undefined;
  #captured: CapturedValue | undefined;

  get captured(): CapturedValue | undefined {
    return this.#captured;
  }

  /** Whether there is nothing more to do for the child, unless a program fails that goes on. */
  get isRecorded(): boolean {
    return this.#captured !== undefined || this.#pending !== undefined;
  }

  stage(execution: ToolExecution, value: JsonValue): void {
    this.#stages.set(execution, value);
  }

  /** Takes the final result of any call of the child. */
  settle(execution: Readonly<ToolExecution>, { isError }: ToolResult): void {
    this.#settled.add(execution.token);
    if (execution.name === STRUCTURED_OUTPUT_TOOL) this.#settleReport(execution, isError);
    else if (this.#pending !== undefined && execution.token === this.#pending.parent) {
      const { value } = this.#pending;
      this.#pending = undefined;
      if (!isError) this.#captured ??= { value };
    }
  }

  #settleReport(execution: Readonly<ToolExecution>, isError: boolean): void {
    const value = this.#stages.get(execution);
    this.#stages.delete(execution);
    if (value === undefined || isError) return;
    if (execution.parent === undefined) this.#captured ??= { value };
    else if (!this.#settled.has(execution.parent)) this.#pending ??= { parent: execution.parent, value };
  }
}

/**
 * Gives a child the tool, the demand to use it and what makes both hold: nothing that listens takes either out of the
 * prompt, a value counts only when its call succeeded in the end, nothing runs after it, and the turn ends. All of it
 * is registered for this child alone and dies with it.
 *
 * @param child Whom it is for, before anybody else knows of it.
 * @param schema What a result must fit.
 */
export function attachStructuredRuntime(child: AgentScope, schema: OutputSchema): StructuredCapture {
  const { tools, prompt, turn } = child;
  const capture = new Capture();
  tools.register(reportTool(schema, capture));
  prompt.section({ ...SECTION, text: STRUCTURED_OUTPUT_INSTRUCTION });
  prompt.protect({ sections: [SECTION.name], tools: [STRUCTURED_OUTPUT_TOOL] });
  tools.onResult((execution, result) => capture.settle(execution, result));
  tools.guard(({ name }) =>
    capture.isRecorded
      ? `structured output already recorded: the run is complete, so \`${name}\` is not executed`
      : undefined
  );
  turn.onTurnStop(() => capture.captured === undefined ? undefined : { action: "stop" });
  return capture;
}

function reportTool(schema: OutputSchema, capture: Capture): ToolDefinition {
  return {
    name: STRUCTURED_OUTPUT_TOOL,
    description: DESCRIPTION,
    parameters: schema as unknown as JsonObject,
    execute: (args, execution) => {
      const violations = validateStructuredValue(schema, args);
      if (violations.length > 0) throw new ToolArgsError(violations);
      // The arguments are a frozen copy already: nobody is able to change what was validated.
      capture.stage(execution, args);
      return "Structured output recorded.";
    },
  };
}
