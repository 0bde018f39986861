/**
 * What `subagent run --provider spawn` takes besides what every run takes.
 *
 * @module
 */
import { type ModelAccess, modelUrlFault } from "../../config/model_access.ts";
import { type GivenOptions, type KnownOptions, quoted, UsageFault } from "../command_words.ts";

/** What a child in this process is made of. */
export interface SpawnOptions {
  /** Its model. */
  readonly model: ModelAccess;
  /** File with the JSON Schema that its answer has to match; left out, it answers with text. */
  readonly outputSchemaFile?: string;
}

/** The options that need `--provider spawn`. */
export const SPAWN_OPTIONS: KnownOptions = {
  "model-url": { type: "string" },
  model: { type: "string" },
  "model-key-env": { type: "string" },
  "output-schema": { type: "string" },
};

/** The variable that holds the API key unless `--model-key-env` names another one. */
export const MODEL_KEY_VARIABLE = "SUBAGENT_MODEL_KEY";

/** Options about a child process, and why there is no use for each. */
const PROCESS_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["permission", "it asks for no permission"],
  ["cwd", "it touches no files"],
  ["env", "it has no environment"],
  ["agent-stderr", "it has no stderr"],
]);

/**
 * Reads the options of a child in this process.
 *
 * @param command What stands behind `--`.
 * @param environment Where the API key comes from.
 * @throws {UsageFault} When one is missing, wrong, or about a child process. It never holds the key or the address.
 */
export function parseSpawnOptions(
  options: GivenOptions,
  command: readonly string[] | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): SpawnOptions {
  for (const [name, why] of PROCESS_OPTIONS) {
    if (!options.has(name)) continue;
    throw new UsageFault(
      `Option --${name} needs a child process, and with --provider spawn there is none: ${why}`,
    );
  }
  if (command !== undefined) {
    throw new UsageFault('--provider spawn takes no command behind "--": the agent runs in this process');
  }
  const apiKey = apiKeyOf(options, environment);
  const outputSchemaFile = options.get("output-schema")?.at(-1);
  if (outputSchemaFile === "") throw new UsageFault('Option --output-schema must name a file, got ""');
  return {
    model: { url: urlOf(options), name: nameOf(options), ...(apiKey === undefined ? {} : { apiKey }) },
    ...(outputSchemaFile === undefined ? {} : { outputSchemaFile }),
  };
}

/**
 * Refuses the options of a child in this process for every other one.
 *
 * @throws {UsageFault} When there is one.
 */
export function refuseSpawnOptions(options: GivenOptions): void {
  for (const name of Object.keys(SPAWN_OPTIONS)) {
    if (options.has(name)) {
      throw new UsageFault(
        `Option --${name} needs --provider spawn: an agent with a command brings its own model`,
      );
    }
  }
}

function urlOf(options: GivenOptions): string {
  const given = required("model-url", options, "--model-url http://127.0.0.1:11434/v1");
  switch (modelUrlFault(given)) {
    case "no-http-url":
      throw new UsageFault(
        "Option --model-url must be a URL that begins with http:// or https://, got another text",
      );
    case "credentials":
      throw new UsageFault(
        "Option --model-url must hold no user name and no password: use --model-key-env",
      );
    case undefined:
      return given;
  }
}

function nameOf(options: GivenOptions): string {
  const name = required("model", options, "--model NAME");
  if (name.trim() === "") throw new UsageFault(`Option --model must name a model, got ${quoted(name)}`);
  return name;
}

function required(name: string, options: GivenOptions, example: string): string {
  const given = options.get(name)?.at(-1);
  if (given !== undefined) return given;
  throw new UsageFault(`--provider spawn needs the option --${name}, as in ${example}`);
}

function apiKeyOf(
  options: GivenOptions,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const named = options.get("model-key-env")?.at(-1);
  const key: unknown = environment[named ?? MODEL_KEY_VARIABLE];
  // Of process.env `toString` is a function.
  if (typeof key === "string" && key !== "") return key;
  if (named === undefined) return undefined;
  throw new UsageFault(
    `Option --model-key-env ${quoted(named)}: there is no such variable, or nothing in it; ` +
      "set it to the API key, or leave the option out for a server that needs none",
  );
}
