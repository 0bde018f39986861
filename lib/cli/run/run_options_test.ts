import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageFault } from "../command_words.ts";
import type { CommandRunOptions } from "./run_options.ts";
import { parseRunWords } from "./session_fixtures_test.ts";

const DEFAULTS: CommandRunOptions = {
  provider: "acp",
  permission: "reject",
  env: {},
  json: false,
  quiet: false,
  agentStderr: false,
  task: { kind: "text", text: "do it" },
  command: "agent",
  args: [],
};

const ENVIRONMENT = { API_KEY: "canary-value", EMPTY: "" };

describe("parseRunOptions()", () => {
  const runs: [fact: string, words: string[], options: Partial<CommandRunOptions>][] = [
    ["fills in the defaults", ["do it", "--", "agent"], {}],
    [
      "keeps every word behind the first -- for the agent",
      ["do it", "--", "agent", "--json", "-x", "--", "", "--help"],
      { args: ["--json", "-x", "--", "", "--help"] },
    ],
    ["takes options before and behind the task", ["--json", "do it", "--quiet", "--", "agent"], {
      json: true,
      quiet: true,
    }],
    ["takes a lone dash for stdin", ["-", "--", "agent"], { task: { kind: "stdin" } }],
    ["keeps the spaces of a task", ["  do\nit ", "--", "agent"], {
      task: { kind: "text", text: "  do\nit " },
    }],
    ["takes --provider dsh-sdk", ["--provider", "dsh-sdk", "do it", "--", "agent"], { provider: "dsh-sdk" }],
    ["takes --permission allow", ["--permission=allow", "do it", "--", "agent"], { permission: "allow" }],
    ["lets the last of two values stand", ["--cwd", "a", "--cwd", "b", "do it", "--", "agent"], { cwd: "b" }],
    ["takes a value that looks like an option behind =", ["--cwd=--odd", "do it", "--", "agent"], {
      cwd: "--odd",
    }],
    ["takes the shortest time limit", ["--timeout", "1", "do it", "--", "agent"], { timeoutMs: 1 }],
    ["takes the longest time limit", ["--timeout", "2147483647", "do it", "--", "agent"], {
      timeoutMs: 2147483647,
    }],
    ["takes --agent-stderr", ["--agent-stderr", "do it", "--", "agent"], { agentStderr: true }],
    [
      "takes the forms of --env, the last one of a name standing",
      [
        "--env",
        "API_KEY",
        "--env",
        "A=1",
        "--env=A=b=c\nd",
        "--env",
        "B=",
        "--env",
        "EMPTY",
        "do it",
        "--",
        "agent",
      ],
      { env: { API_KEY: "canary-value", A: "b=c\nd", B: "", EMPTY: "" } },
    ],
  ];
  for (const [fact, words, options] of runs) {
    it(fact, () => {
      assert.deepEqual(parseRunWords(words, ENVIRONMENT), { ...DEFAULTS, ...options });
    });
  }

  it("keeps a variable called __proto__ as an ordinary one", () => {
    const options = parseRunWords(["--env", "__proto__=x", "do it", "--", "agent"], {});
    assert.ok(options.provider === "acp");
    assert.deepEqual(Object.entries(options.env), [["__proto__", "x"]]);
  });

  const RUN = "see subagent run --help";
  const faults: [fact: string, words: string[], message: string][] = [
    ["an unknown option", ["--colour=secret"], `Unknown option "--colour": ${RUN}`],
    [
      "a slip of the pen",
      ["--timeuot", "1"],
      `Unknown option "--timeuot": did you mean --timeout? ${RUN}`,
    ],
    ["an unknown letter", ["-x"], `Unknown option "-x": ${RUN}`],
    ["an inherited property", ["--constructor"], `Unknown option "--constructor": ${RUN}`],
    ["a value too many", ["--json=yes"], `Option --json takes no value; ${RUN}`],
    ["a value too few", ["--cwd"], `Option --cwd needs a value, as in --cwd=VALUE; ${RUN}`],
    [
      "an option instead of a value",
      ["--cwd", "--json", "a", "--", "b"],
      `Option --cwd needs a value, as in --cwd=VALUE; ${RUN}`,
    ],
    [
      "a terminator instead of a value",
      ["a", "--cwd", "--", "b"],
      `Option --cwd needs a value, as in --cwd=VALUE; ${RUN}`,
    ],
    [
      "no agent command",
      ["a"],
      'No agent command given: put it behind "--", as in subagent run "task" -- opencode acp',
    ],
    [
      "nothing behind the terminator",
      ["a", "--"],
      'No agent command given: put it behind "--", as in subagent run "task" -- opencode acp',
    ],
    [
      "an empty agent command",
      ["a", "--", ""],
      'The agent command behind "--" is empty: name a program',
    ],
    [
      "no task",
      ["--", "agent"],
      'No task given: subagent run "task" -- command args…; "-" reads the task from stdin',
    ],
    [
      "a task without quotes",
      ["do", "it", "--", "agent"],
      'Expected one task, got 2 words: quote the task, and put the agent\'s command behind "--"',
    ],
    [
      "an empty task",
      [" \n", "--", "agent"],
      'The task is empty: say what to do, or use "-" to read it from stdin',
    ],
    [
      "another provider",
      ["--provider", "fork", "a", "--", "b"],
      'Option --provider must be "acp", "dsh-sdk" or "spawn", got "fork"',
    ],
    [
      "another permission",
      ["--permission", "ask", "a", "--", "b"],
      'Option --permission must be "reject" or "allow", got "ask"',
    ],
    [
      "a permission where nobody asks for one",
      ["--provider", "dsh-sdk", "--permission", "reject", "a", "--", "b"],
      "Option --permission needs --provider acp: a DSH SDK runtime asks for no permission",
    ],
    ["an empty directory", ["--cwd=", "a", "--", "b"], 'Option --cwd must name a directory, got ""'],
    [
      "a variable that is not there",
      ["--env", "MISSING", "a", "--", "b"],
      'Option --env "MISSING": there is no such variable; set it, or use --env NAME=VALUE',
    ],
    [
      "a variable that only objects have",
      ["--env", "toString", "a", "--", "b"],
      'Option --env "toString": there is no such variable; set it, or use --env NAME=VALUE',
    ],
    [
      "a value without a name, unseen",
      ["--env", "=canary-value", "a", "--", "b"],
      "Option --env must be NAME or NAME=VALUE, got no name",
    ],
    ...["0", "2147483648", "1.5", "5s", "1e3", "0x10", ""].map((given): [string, string[], string] => [
      `a time limit of ${JSON.stringify(given)}`,
      [`--timeout=${given}`, "a", "--", "b"],
      `Option --timeout must be a whole number of milliseconds from 1 to 2147483647, got ${
        JSON.stringify(given)
      }`,
    ]),
  ];
  for (const [fact, words, message] of faults) {
    it(`names the fault of ${fact}`, () => {
      assert.throws(
        () => parseRunWords(words, ENVIRONMENT),
        (error) => error instanceof UsageFault && error.message === message || assert.fail(String(error)),
      );
    });
  }
});
