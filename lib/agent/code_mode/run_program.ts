/**
 * A program from its start to its end.
 *
 * @module
 */
import { AbortedWork, untilAborted } from "../loop/until_aborted.ts";
import { CodeRunFailedError } from "./code_run_failed_error.ts";
import { openSandbox, type SandboxLimits, SandboxStopped } from "./sandbox.ts";

/** Bounds of a program. */
export interface ProgramLimits extends SandboxLimits {
  /** Most calls of tools. */
  readonly maxCalls: number;
  /** Most characters of output, the returned value included. */
  readonly maxOutput: number;
}

/** What came of a tool call, for the program. */
export interface CallOutcome {
  /** Whether the program gets it as an exception. */
  readonly isError: boolean;
  /** What the tool said. */
  readonly text: string;
}

/** What a program works with. */
export interface ProgramParts {
  /** Names of the tools that it may call. */
  readonly toolNames: readonly string[];
  /** Calls a tool. @param number Counts the calls from 1. */
  readonly callTool: (number: number, name: string, args: unknown) => Promise<CallOutcome>;
  /** Its bounds. */
  readonly limits: ProgramLimits;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

interface QueuedCall {
  readonly number: number;
  readonly name: string;
  readonly json: string;
}

/**
 * Runs a program: the body of an async JavaScript function. Its tool calls are made one after the other, in the order in
 * which it made them; those that are waiting when it ends are not made.
 *
 * @returns What it said and returned.
 * @throws {CodeRunFailedError} When it did not come to its end.
 * @throws {Error} When the engine is not installed.
 */
export async function runProgram(
  source: string,
  { toolNames, callTool, limits, signal = new AbortController().signal }: ProgramParts,
): Promise<string> {
  const output = new ProgramOutput(limits.maxOutput);
  const queue: QueuedCall[] = [];
  let calls = 0;
  let end: { readonly kind: "returned" | "threw" | "unreadable"; readonly text: string } | undefined;
  const fail = (kind: CodeRunFailedError["kind"], detail: string) =>
    new CodeRunFailedError(kind, detail, output.text);

  const sandbox = await openSandbox(toolNames, limits, {
    onCall(name, json) {
      if (++calls > limits.maxCalls) throw fail("calls", `more than ${limits.maxCalls} tool calls`);
      if (end === undefined) queue.push({ number: calls, name, json });
      return calls;
    },
    onLog(text) {
      if (end === undefined && !output.add(text)) throw tooMuch();
    },
    onDone(kind, text) {
      end ??= { kind, text };
    },
  });
  const tooMuch = () => fail("output", `more than ${limits.maxOutput} characters of output`);
  try {
    sandbox.start(source);
    while (end === undefined) {
      const next = queue.shift();
      if (next === undefined) throw fail("deadlock", "the program waits for something that will never come");
      const { number, name, json } = next;
      const outcome = await untilAborted(callTool(number, name, JSON.parse(json)), signal);
      sandbox.settle(number, outcome.isError, outcome.text);
    }
    const { kind, text } = end as NonNullable<typeof end>;
    if (kind === "unreadable") throw fail("syntax", text);
    if (kind === "threw") {
      throw fail(text.startsWith("InternalError: out of memory") ? "memory" : "exception", text);
    }
    if (text !== "" && !output.add(text)) throw tooMuch();
    return output.text;
  } catch (error) {
    if (error instanceof AbortedWork) throw fail("aborted", "nobody waits for the program any longer");
    if (error instanceof SandboxStopped) throw fail(error.kind, DETAILS[error.kind](limits));
    throw error;
  }
}

const DETAILS: Readonly<Record<SandboxStopped["kind"], (limits: ProgramLimits) => string>> = {
  timeout: ({ computeMs }) => `more than ${computeMs} ms of computing`,
  memory: ({ memoryBytes }) => `more than ${memoryBytes} bytes of memory`,
  crash: () => "the sandbox gave up",
};

class ProgramOutput {
  readonly #lines: string[] = [];
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  /** Takes a line, or what there is room for of it. @returns Whether there was room for all of it. */
  add(line: string): boolean {
    const kept = line.slice(0, this.#left);
    this.#left -= line.length + 1;
    this.#lines.push(kept);
    return kept.length === line.length && this.#left >= -1;
  }
}
