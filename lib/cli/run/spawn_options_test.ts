import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageFault } from "../command_words.ts";
import type { SpawnRunOptions } from "./run_options.ts";
import { parseRunWords } from "./session_fixtures_test.ts";

const MODEL = ["--provider", "spawn", "--model-url", "http://127.0.0.1:1/v1", "--model", "small"];
const DEFAULTS: SpawnRunOptions = {
  provider: "spawn",
  model: { url: "http://127.0.0.1:1/v1", name: "small" },
  json: false,
  quiet: false,
  agentStderr: false,
  task: { kind: "text", text: "do it" },
};
const KEY = "canary-key";

describe("parseRunOptions() for --provider spawn", () => {
  const runs: [
    fact: string,
    words: string[],
    environment: Record<string, string>,
    options: Partial<SpawnRunOptions>,
  ][] = [
    ["takes a model and nothing else", [], {}, {}],
    ["takes what every run takes", ["--json", "--quiet", "--timeout", "5"], {}, {
      json: true,
      quiet: true,
      timeoutMs: 5,
    }],
    ["takes a schema", ["--output-schema", "schema.json"], {}, { outputSchemaFile: "schema.json" }],
    ["lets the last of two values stand", ["--model", "large", "--model-url=https://a.example/v1"], {}, {
      model: { url: "https://a.example/v1", name: "large" },
    }],
    ["takes the API key from its own variable", [], { SUBAGENT_MODEL_KEY: KEY }, {
      model: { ...DEFAULTS.model, apiKey: KEY },
    }],
    ["takes the API key from the variable that is named", ["--model-key-env", "MY_KEY"], {
      SUBAGENT_MODEL_KEY: "other",
      MY_KEY: KEY,
    }, { model: { ...DEFAULTS.model, apiKey: KEY } }],
    ["takes no key from any other variable", [], { OPENAI_API_KEY: KEY }, {}],
    ["takes an empty key of its own variable for none", [], { SUBAGENT_MODEL_KEY: "" }, {}],
  ];
  for (const [fact, words, environment, options] of runs) {
    it(fact, () => {
      assert.deepEqual(parseRunWords([...MODEL, ...words, "do it"], environment), {
        ...DEFAULTS,
        ...options,
      });
    });
  }

  const SPAWN = ["--provider", "spawn"];
  const URL_FAULT = "Option --model-url must be a URL that begins with http:// or https://, got another text";
  const CREDENTIALS = "Option --model-url must hold no user name and no password: use --model-key-env";
  const needsProcess = (name: string, why: string) =>
    `Option --${name} needs a child process, and with --provider spawn there is none: ${why}`;
  const faults: [fact: string, words: string[], message: string][] = [
    [
      "no address",
      [...SPAWN, "--model", "small", "a"],
      "--provider spawn needs the option --model-url, as in --model-url http://127.0.0.1:11434/v1",
    ],
    [
      "no model",
      [...SPAWN, "--model-url", "http://a", "a"],
      "--provider spawn needs the option --model, as in --model NAME",
    ],
    ["an empty model", [...MODEL, "--model= ", "a"], 'Option --model must name a model, got " "'],
    ["an empty address", [...MODEL, "--model-url=", "a"], URL_FAULT],
    ["an address without a scheme", [...MODEL, "--model-url=127.0.0.1:1/canary", "a"], URL_FAULT],
    ["an address of a file", [...MODEL, "--model-url=file:///canary", "a"], URL_FAULT],
    ["an address with a password", [...MODEL, "--model-url=http://u:canary@a/v1", "a"], CREDENTIALS],
    ["an address with a user name", [...MODEL, "--model-url=http://canary@a/v1", "a"], CREDENTIALS],
    [
      "an empty name of a schema",
      [...MODEL, "--output-schema=", "a"],
      'Option --output-schema must name a file, got ""',
    ],
    [
      "a variable that is not there",
      [...MODEL, "--model-key-env", "NOPE", "a"],
      'Option --model-key-env "NOPE": there is no such variable, or nothing in it; set it to the API key, ' +
      "or leave the option out for a server that needs none",
    ],
    [
      "a variable that only objects have",
      [...MODEL, "--model-key-env", "toString", "a"],
      'Option --model-key-env "toString": there is no such variable, or nothing in it; set it to the API key, ' +
      "or leave the option out for a server that needs none",
    ],
    [
      "a variable with nothing in it",
      [...MODEL, "--model-key-env", "EMPTY", "a"],
      'Option --model-key-env "EMPTY": there is no such variable, or nothing in it; set it to the API key, ' +
      "or leave the option out for a server that needs none",
    ],
    [
      "a command",
      [...MODEL, "a", "--", "opencode", "acp"],
      '--provider spawn takes no command behind "--": the agent runs in this process',
    ],
    [
      "a terminator with nothing behind it",
      [...MODEL, "a", "--"],
      '--provider spawn takes no command behind "--": the agent runs in this process',
    ],
    [
      "a permission",
      [...MODEL, "--permission", "allow", "a"],
      needsProcess("permission", "it asks for no permission"),
    ],
    ["a directory", [...MODEL, "--cwd", "/", "a"], needsProcess("cwd", "it touches no files")],
    ["a variable for it", [...MODEL, "--env", "A=1", "a"], needsProcess("env", "it has no environment")],
    ["its stderr", [...MODEL, "--agent-stderr", "a"], needsProcess("agent-stderr", "it has no stderr")],
    [
      "no task",
      MODEL,
      'No task given: subagent run "task" -- command args…; "-" reads the task from stdin',
    ],
    ...["model-url", "model", "model-key-env", "output-schema"].flatMap((name) =>
      ["acp", "dsh-sdk"].map((provider): [string, string[], string] => [
        `--${name} for ${provider}`,
        ["--provider", provider, `--${name}`, "x", "a", "--", "b"],
        `Option --${name} needs --provider spawn: an agent with a command brings its own model`,
      ])
    ),
  ];
  for (const [fact, words, message] of faults) {
    it(`names the fault of ${fact}`, () => {
      assert.throws(
        () => parseRunWords(words, { EMPTY: "" }),
        (error) => error instanceof UsageFault && error.message === message || assert.fail(String(error)),
      );
    });
  }
});
