/**
 * A program from its start to its end.
 *
 * @module
 */
import { AbortedWork, untilAborted } from "../loop/until_aborted.ts";
import { contain } from "../../seam/contain.ts";
import { CodeRunFailedError, type CodeRunFailure } from "./code_run_failed_error.ts";
import { type SandboxStop, SandboxStopped } from "./meter.ts";
import type { ProgramLimits } from "./program_limits.ts";
import { ProgramOutput } from "./program_output.ts";
import { RunDeadline } from "./run_deadline.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import type { CallOutcome, ProgramEnd } from "./sandbox_types.ts";

/** A tool call of a program. */
export interface ProgramCall {
  /** Counts the calls of the program from 1. */
  readonly number: number;
  /** Name of the tool. */
  readonly name: string;
  /** The arguments: any JSON value. */
  readonly args: unknown;
  /** Aborted when nobody waits for the outcome any longer. */
  readonly signal: AbortSignal;
}

/** What a program works with. */
export interface ProgramParts {
  /** Names of the tools that it may call. */
  readonly toolNames: readonly string[];
  /** Calls a tool. */
  readonly callTool: (call: ProgramCall) => PromiseLike<CallOutcome>;
  /** Its bounds. */
  readonly limits: ProgramLimits;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a program: the body of an async JavaScript function. Its tool calls are made one after the other, in the order in
 * which it made them; those that wait when it ends are not made. When it is ended early, the call that runs is told so by
 * its signal and not waited for.
 *
 * @returns What it said and returned.
 * @throws {CodeRunFailedError} When it did not come to its end.
 * @throws {Error} When the engine is not installed.
 */
export async function runProgram(
  source: string,
  { toolNames, callTool, limits, signal }: ProgramParts,
): Promise<string> {
  const output = new ProgramOutput(limits.maxOutput);
  const fail = (kind: CodeRunFailure, detail: string, cause?: unknown) =>
    new CodeRunFailedError(kind, detail, output.text, { cause });
  const sandbox = await openProgramSandbox(toolNames, limits, output);
  const deadline = new RunDeadline(limits.timeoutMs, signal);
  try {
    if (deadline.signal.aborted) throw fail("aborted", ABORTED);
    const end = await drive(sandbox, source, callTool, deadline.signal);
    if (end === undefined) throw fail("deadlock", "the program waits for something that will never come");
    if (end.kind === "unreadable") throw fail("syntax", describe(end, limits));
    if (end.kind === "threw") throw fail("exception", describe(end, limits));
    if (end.text !== "" && !output.add(end.text)) throw fail("output", DETAILS.output(limits));
    return output.text;
  } catch (error) {
    if (error instanceof SandboxStopped) throw fail(error.kind, DETAILS[error.kind](limits), error);
    if (!(error instanceof AbortedWork)) throw error;
    if (deadline.isOver) throw fail("timeout", `more than ${limits.timeoutMs} ms, tools included`);
    throw fail("aborted", ABORTED);
  } finally {
    deadline.close();
  }
}

function openProgramSandbox(
  toolNames: readonly string[],
  limits: ProgramLimits,
  output: ProgramOutput,
): Promise<Sandbox> {
  let calls = 0;
  return openSandbox(toolNames, { ...limits, maxText: limits.maxOutput }, {
    onCall: () => ++calls > limits.maxCalls ? "calls" : undefined,
    onLog: (text) => output.add(text) ? undefined : "output",
  });
}

/** Runs a program to its end. Gives `undefined` when it waits without having called anything. */
async function drive(
  sandbox: Sandbox,
  source: string,
  callTool: ProgramParts["callTool"],
  signal: AbortSignal,
): Promise<ProgramEnd | undefined> {
  sandbox.start(source);
  for (let number = 1; sandbox.end === undefined; number++) {
    const call = sandbox.nextCall();
    if (call === undefined) break;
    sandbox.settle(await untilAborted(callTool({ ...call, number, signal }), signal));
  }
  // It may have run out of memory and caught that: then it falls apart with a bang, which changes nothing.
  contain(() => sandbox.close(), () => {});
  return sandbox.end;
}

const ABORTED = "nobody waits for the program any longer";

const DETAILS: Readonly<Record<SandboxStop, (limits: ProgramLimits) => string>> = {
  timeout: ({ computeMs }) => `more than ${computeMs} ms of computing`,
  memory: ({ memoryBytes }) => `more than ${memoryBytes} bytes of memory`,
  calls: ({ maxCalls }) => `more than ${maxCalls} tool calls`,
  output: ({ maxOutput }) => `more than ${maxOutput} characters of output`,
  crash: () => "the engine gave up; does the program nest too deeply?",
};

function describe(
  { text, line }: Extract<ProgramEnd, { readonly line: unknown }>,
  { maxOutput }: ProgramLimits,
): string {
  return `${text.slice(0, maxOutput)}${line === undefined ? "" : ` (line ${line})`}`;
}
