/**
 * From the words of `subagent run` to what they ask for.
 *
 * @module
 */
import {
  choiceOf,
  type CommandWords,
  type GivenOptions,
  type KnownOptions,
  millisecondsOf,
  quoted,
  UsageFault,
} from "../command_words.ts";
import { parseSpawnOptions, refuseSpawnOptions, SPAWN_OPTIONS, type SpawnOptions } from "./spawn_options.ts";

/** Where the task stands. */
export type TaskSource = { readonly kind: "text"; readonly text: string } | { readonly kind: "stdin" };

/** What `subagent run` is asked for. */
export type RunOptions = CommandRunOptions | SpawnRunOptions;

/** What every run is asked for. */
export interface EveryRunOptions {
  /** The child's directory as given; left out, the current one. */
  readonly cwd?: string;
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
  /** File with the JSON Schema that the answer has to match; left out, any text is an answer. */
  readonly outputSchemaFile?: string;
}

/** A run of an agent that is a program. */
export interface CommandRunOptions extends EveryRunOptions {
  /** What the program speaks. @default {"acp"} */
  readonly provider: "acp" | "dsh-sdk";
  /** Answer to the agent's permission requests. @default {"reject"} */
  readonly permission: "allow" | "reject";
  /** Environment variables that the child gets as they are. */
  readonly env: Readonly<Record<string, string>>;
  /** The program to start. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/** A run of an agent in this process. */
export interface SpawnRunOptions extends EveryRunOptions, SpawnOptions {
  /** Discriminant. */
  readonly provider: "spawn";
}

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
  ...SPAWN_OPTIONS,
};

/**
 * Reads the words of a run.
 *
 * @param words The words behind `run`, sorted.
 * @param environment Where the values of `--env NAME` come from.
 * @throws {UsageFault} When it is wrong: one sentence that names the first fault and what to do. It never holds the
 *   value of a variable.
 */
export function parseRunOptions(
  { options, positionals, behindTerminator }: CommandWords,
  environment: Readonly<Record<string, string | undefined>>,
): RunOptions {
  const provider = choiceOf("provider", options, ["acp", "dsh-sdk", "spawn"]);
  if (provider === "spawn") {
    const spawn = parseSpawnOptions(options, behindTerminator, environment);
    return { provider, ...spawn, ...everyRun(options, positionals) };
  }
  refuseSpawnOptions(options);
  if (provider === "dsh-sdk" && options.has("permission")) {
    // The wire of that runtime has no requests to the client: accepting the option would promise what nobody holds.
    throw new UsageFault(
      "Option --permission needs --provider acp: a DSH SDK runtime asks for no permission",
    );
  }
  const cwd = options.get("cwd")?.at(-1);
  if (cwd === "") throw new UsageFault('Option --cwd must name a directory, got ""');
  const [command, ...args] = commandOf(behindTerminator);
  return {
    provider,
    permission: choiceOf("permission", options, ["reject", "allow"]),
    ...(cwd === undefined ? {} : { cwd }),
    env: Object.fromEntries((options.get("env") ?? []).map((entry) => variableOf(entry, environment))),
    ...everyRun(options, positionals),
    command,
    args,
  };
}

function everyRun(options: GivenOptions, positionals: readonly string[]): EveryRunOptions {
  const timeoutMs = millisecondsOf("timeout", options);
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    json: options.has("json"),
    quiet: options.has("quiet"),
    agentStderr: options.has("agent-stderr"),
    task: taskOf(positionals),
  };
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
