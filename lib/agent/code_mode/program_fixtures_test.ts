/**
 * What the tests of programs share.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CodeRunFailedError } from "./code_run_failed_error.ts";
import { type ProgramLimits, readProgramLimits } from "./program_limits.ts";
import { type ProgramParts, runProgram } from "./run_program.ts";

/** Narrow, but for the time: what is not about time must pass on a busy machine. */
export const LIMITS: ProgramLimits = readProgramLimits({
  computeMs: 60_000,
  memoryBytes: 24 * 1024 * 1024,
  maxCalls: 50,
  maxArgument: 100_000,
  maxOutput: 10_000,
});

/** A program's surroundings. */
export interface Run {
  readonly limits?: Partial<ProgramLimits>;
  /** What a tool throws is a failed call. */
  readonly tools?: Readonly<Record<string, (args: never, number: number, signal: AbortSignal) => unknown>>;
  readonly signal?: AbortSignal;
}

/** Runs a program. */
export function run(source: string, { limits, tools = {}, signal }: Run = {}): Promise<string> {
  const callTool: ProgramParts["callTool"] = async ({ number, name, args, signal }) => {
    try {
      const value = await tools[name]?.(args as never, number, signal);
      return { isError: false, text: typeof value === "string" ? value : JSON.stringify(value ?? null) };
    } catch (error) {
      return { isError: true, text: (error as Error).message };
    }
  };
  const toolNames = Object.keys(tools);
  return runProgram(source, { toolNames, callTool, limits: { ...LIMITS, ...limits }, signal });
}

/** Runs a program that fails. */
export async function failure(source: string, options?: Run): Promise<CodeRunFailedError> {
  let output: string;
  try {
    output = await run(source, options);
  } catch (error) {
    assert.ok(CodeRunFailedError.is(error), String(error));
    return error;
  }
  assert.fail(`returned ${output}`);
}

/** A tool that gives back what it gets. */
export const echo = (args: unknown): unknown => args;
