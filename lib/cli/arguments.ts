/**
 * From the words of a command line to what they ask for.
 *
 * @module
 */
import { type GivenOptions, type KnownOptions, quoted, readWords, UsageFault } from "./command_words.ts";

/** Which kind of child is started. */
export type ProviderKind = "acp" | "dsh-sdk";

/** Where the task stands. */
export type TaskSource = { readonly kind: "text"; readonly text: string } | { readonly kind: "stdin" };

/** What `subagent run` is asked for. */
export interface RunOptions {
  /** Which kind of child is started. @default {"acp"} */
  readonly provider: ProviderKind;
  /** Answer to the agent's permission requests. @default {"reject"} */
  readonly permission: "allow" | "reject";
  /** The child's directory as given; left out, the current one. */
  readonly cwd?: string;
  /** Environment variables that the child gets as they are. */
  readonly env: Readonly<Record<string, string>>;
  /** Most milliseconds the run may take; left out, there is no limit. */
  readonly timeoutMs?: number;
  /** Write one JSON object instead of text. */
  readonly json: boolean;
  /** Show no progress line. */
  readonly quiet: boolean;
  /** Show the agent's stderr. */
  readonly agentStderr: boolean;
  /** Where the task stands. */
  readonly task: TaskSource;
  /** The program to start. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/** What a command line asks for. */
export type Invocation =
  | { readonly kind: "help"; readonly topic: "subagent" | "run" }
  | { readonly kind: "version" }
  | { readonly kind: "run"; readonly options: RunOptions };

/** The options of `subagent run`, and whether each takes a value. */
export const RUN_OPTIONS: KnownOptions = {
  provider: { type: "string" },
  permission: { type: "string" },
  cwd: { type: "string" },
  env: { type: "string" },
  timeout: { type: "string" },
  json: { type: "boolean" },
  quiet: { type: "boolean" },
  "agent-stderr": { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

const TOP_OPTIONS: KnownOptions = { help: { type: "boolean", short: "h" }, version: { type: "boolean" } };

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Reads a command line.
 *
 * @param words The arguments behind the program's name.
 * @param environment Where the values of `--env NAME` come from.
 * @throws {UsageFault} When it is wrong: one sentence that names the first fault and what to do. It never holds the
 *   value of a variable.
 */
export function parseArguments(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Invocation {
  return words[0] === "run" ? parseRun(words.slice(1), environment) : parseTop(words);
}

function parseTop(words: readonly string[]): Invocation {
  const { options, positionals } = readWords(words, TOP_OPTIONS, "subagent --help");
  const [command] = positionals;
  if (command !== undefined) {
    throw new UsageFault(`Unknown command ${quoted(command)}: the one command is "run"; see subagent --help`);
  }
  if (options.has("help")) return { kind: "help", topic: "subagent" };
  if (options.has("version")) return { kind: "version" };
  throw new UsageFault('No command given: the one command is "run"; see subagent --help');
}

function parseRun(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Invocation {
  const { options, positionals, behindTerminator } = readWords(words, RUN_OPTIONS, "subagent run --help");
  if (options.has("help")) return { kind: "help", topic: "run" };

  const provider = choiceOf("provider", options, ["acp", "dsh-sdk"]);
  if (provider === "dsh-sdk" && options.has("permission")) {
    // The wire of that runtime has no requests to the client: accepting the option would promise what nobody holds.
    throw new UsageFault(
      "Option --permission needs --provider acp: a DSH SDK runtime asks for no permission",
    );
  }
  const cwd = options.get("cwd")?.at(-1);
  if (cwd === "") throw new UsageFault('Option --cwd must name a directory, got ""');
  const timeoutMs = millisecondsOf("timeout", options);
  const [command, ...args] = commandOf(behindTerminator);
  return {
    kind: "run",
    options: {
      provider,
      permission: choiceOf("permission", options, ["reject", "allow"]),
      ...(cwd === undefined ? {} : { cwd }),
      env: Object.fromEntries((options.get("env") ?? []).map((entry) => variableOf(entry, environment))),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      json: options.has("json"),
      quiet: options.has("quiet"),
      agentStderr: options.has("agent-stderr"),
      task: taskOf(positionals),
      command,
      args,
    },
  };
}

function choiceOf<Choice extends string>(
  name: string,
  options: GivenOptions,
  choices: readonly [defaultChoice: Choice, other: Choice],
): Choice {
  const given = options.get(name)?.at(-1);
  if (given === undefined) return choices[0];
  const choice = choices.find((each) => each === given);
  if (choice !== undefined) return choice;
  throw new UsageFault(`Option --${name} must be ${choices.map(quoted).join(" or ")}, got ${quoted(given)}`);
}

function millisecondsOf(name: string, options: GivenOptions): number | undefined {
  const given = options.get(name)?.at(-1);
  if (given === undefined) return undefined;
  const milliseconds = /^[0-9]+$/.test(given) ? Number(given) : 0;
  if (milliseconds >= 1 && milliseconds <= LONGEST_TIMER_MS) return milliseconds;
  throw new UsageFault(
    `Option --${name} must be a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}, got ${
      quoted(given)
    }`,
  );
}

function variableOf(
  entry: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly [name: string, value: string] {
  const [, name, , given] = /^([^=]*)(=(.*))?$/s.exec(entry)!;
  // The entry itself is not quoted: it may be a secret whose name was forgotten.
  if (name === undefined || name === "") {
    throw new UsageFault("Option --env must be NAME or NAME=VALUE, got no name");
  }
  const value = given ?? environment[name];
  // Of process.env `toString` is a function.
  if (typeof value === "string") return [name, value];
  throw new UsageFault(
    `Option --env ${quoted(name)}: there is no such variable; set it, or use --env NAME=VALUE`,
  );
}

function taskOf(positionals: readonly string[]): TaskSource {
  const [text] = positionals;
  if (text === undefined) {
    throw new UsageFault(
      'No task given: subagent run "task" -- command args…; "-" reads the task from stdin',
    );
  }
  if (positionals.length > 1) {
    throw new UsageFault(
      `Expected one task, got ${positionals.length} words: quote the task, and put the agent's command behind "--"`,
    );
  }
  if (text.trim() === "") {
    throw new UsageFault('The task is empty: say what to do, or use "-" to read it from stdin');
  }
  return text === "-" ? { kind: "stdin" } : { kind: "text", text };
}

function commandOf(behindTerminator: readonly string[] | undefined): readonly [string, ...string[]] {
  const [command, ...args] = behindTerminator ?? [];
  if (command === undefined) {
    throw new UsageFault(
      'No agent command given: put it behind "--", as in subagent run "task" -- opencode acp',
    );
  }
  if (command === "") throw new UsageFault('The agent command behind "--" is empty: name a program');
  return [command, ...args];
}
