/** `subagent run --provider spawn` against the scripted model server. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { type ModelServer, startModelServer } from "../../../fakes/model_server.ts";
import { eventually } from "../../../fakes/test_support/deferred.ts";
import { withModelServer } from "../../../fakes/test_support/model_client.ts";
import { Workplace } from "../../../fakes/test_support/workplace.ts";
import { runCli } from "../cli.ts";
import { FakeCliSystem } from "../fake_system_fixtures_test.ts";
import { Program, programWords } from "../program_fixtures_test.ts";

const FAILED = "subagent run failed\n" +
  "Diagnostic: Subagent failure (provider: spawn; stage: result; category: unknown)\n";
const MODEL = '"openai-compatible.chat/small"';
const SCHEMA = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

function wordsFor(url: string, ...rest: string[]): string[] {
  return ["run", "--provider", "spawn", "--model-url", `${url}/v1`, "--model", "small", ...rest];
}

/** Runs the command in this process, and checks that it holds nothing afterwards. */
async function run(url: string, rest: readonly string[], system = new FakeCliSystem()) {
  const exitCode = await runCli(wordsFor(url, ...rest), system);
  assert.equal(system.held, 0, "timers and listeners");
  return { exitCode, stdout: system.stdout.text, stderr: system.stderr.text };
}

/** A file with the schema of the tests. */
function schemaFile(workplace: Workplace): string {
  const path = workplace.file("schema.json");
  writeFileSync(path, JSON.stringify(SCHEMA));
  return path;
}

function requestsOf({ journal }: ModelServer) {
  return journal.flatMap((entry) => entry.kind === "model-request" ? [entry.request] : []);
}

describe("subagent run --provider spawn", () => {
  const rows: [fact: string, task: string, exitCode: number, stdout: string, stderr: RegExp | string][] = [
    ["answers with text", "SAY:hello there", 0, "hello there\n", ""],
    ["keeps reasoning out of the answer", "THINK:canary SAY:hello", 0, "hello\n", ""],
    [
      "runs out of tokens",
      "STOP:max_tokens",
      1,
      "",
      "subagent run hit its token limit before finishing\n" +
      "Partial output before the run ended:\nThis answer was cut sho\n",
    ],
    [
      "refuses",
      "STOP:refusal",
      1,
      "",
      "subagent declined the task\nPartial output before the run ended:\nI cannot help with that.\n",
    ],
    [
      "is refused by its server",
      "HTTP:401",
      1,
      "",
      `${FAILED}Cannot ask language model ${MODEL}: the call failed (HTTP status: 401)\n`,
    ],
    [
      "has a server that fails",
      "HTTP:500",
      1,
      "",
      `${FAILED}Cannot ask language model ${MODEL}: the call failed (HTTP status: 500)\n`,
    ],
    [
      "loses its server in the middle of the answer",
      "CUT SAY:so far and no further",
      1,
      "",
      // How much came through, and what the system calls it, differs between runtimes.
      /^subagent run failed\nDiagnostic: [^\n]*\n(?:Partial output before the run ended:\nso \n)?The answer of language model "openai-compatible\.chat\/small" broke off: its stream failed(?: \([A-Z_]+\))?\n$/,
    ],
  ];
  for (const [fact, task, exitCode, stdout, stderr] of rows) {
    it(`tells of a model that ${fact}`, () =>
      withModelServer(async ({ url }) => {
        const ended = await run(url, [task]);
        assert.deepEqual([ended.exitCode, ended.stdout], [exitCode, stdout]);
        if (typeof stderr === "string") assert.equal(ended.stderr, stderr);
        else assert.match(ended.stderr, stderr);
      }));
  }

  it("tells that nobody listens at the address", async () => {
    const server = await startModelServer();
    await server.close();
    const { exitCode, stdout, stderr } = await run(server.url, ["hello"]);
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.ok(stderr.startsWith(`${FAILED}Cannot ask language model ${MODEL}: the call failed`), stderr);
    // Every runtime has its own code for it, if it has one.
    assert.match(stderr, /the call failed(?: \([A-Za-z_]+\))?\n$/);
    assert.ok(!stderr.includes("127.0.0.1"));
  });

  it("gives the agent no tool, and its task as it is", () =>
    withModelServer(async (server) => {
      await run(server.url, ["SAY:yes"]);
      const [request, ...more] = requestsOf(server);
      assert.deepEqual([request?.tools, request?.model, more], [[], "small", []]);
      assert.deepEqual(request?.messages.map(({ role, text }) => [role, text]), [["user", "SAY:yes"]]);
    }));

  it("reads the task from stdin and reports in JSON", () =>
    withModelServer(async ({ url }) => {
      const system = new FakeCliSystem();
      system.stdin = new TextEncoder().encode("SAY:from stdin\n");
      const { exitCode, stdout, stderr } = await run(url, ["--json", "-"], system);
      assert.deepEqual([exitCode, stderr], [0, ""]);
      assert.deepEqual(JSON.parse(stdout), { stopReason: "completed", output: "from stdin", elapsedMs: 0 });
    }));

  it("tells of a failure in JSON too, and a person why", () =>
    withModelServer(async ({ url }) => {
      const { exitCode, stdout, stderr } = await run(url, ["--json", "HTTP:500"]);
      assert.equal(exitCode, 1);
      assert.deepEqual(JSON.parse(stdout), {
        stopReason: "error",
        output: "",
        diagnostic: "Subagent failure (provider: spawn; stage: result; category: unknown)",
        elapsedMs: 0,
      });
      assert.equal(stderr, `Cannot ask language model ${MODEL}: the call failed (HTTP status: 500)\n`);
    }));
});

describe("subagent run --provider spawn --model-key-env", () => {
  const KEY = "canary-66d1c0";

  /** Asks a server that refuses everybody and repeats the credentials it got; gives these too. */
  async function refused(rest: readonly string[], environment: Record<string, string>) {
    const seen: (string | undefined)[] = [];
    const server = createServer(({ headers: { authorization } }, response) => {
      seen.push(authorization);
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `No such key: ${authorization}` } }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const system = new FakeCliSystem();
      system.environment = environment;
      return { seen, ...await run(`http://127.0.0.1:${port}`, [...rest, "hello"], system) };
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  const rows: [
    fact: string,
    rest: string[],
    environment: Record<string, string>,
    sent: string | undefined,
  ][] = [
    [
      "sends the key of the variable that is named",
      ["--model-key-env", "MY_KEY"],
      { MY_KEY: KEY },
      `Bearer ${KEY}`,
    ],
    ["sends the key of its own variable", [], { SUBAGENT_MODEL_KEY: KEY }, `Bearer ${KEY}`],
    ["sends no key of another variable", [], { OPENAI_API_KEY: KEY }, undefined],
  ];
  for (const [fact, rest, environment, sent] of rows) {
    it(`${fact}, and shows it to nobody`, async () => {
      const { seen, exitCode, stdout, stderr } = await refused(rest, environment);
      assert.deepEqual([seen, exitCode, stdout], [[sent], 1, ""]);
      assert.equal(
        stderr,
        `${FAILED}Cannot ask language model ${MODEL}: the call failed (HTTP status: 401)\n`,
      );
    });
  }
});

describe("subagent run --provider spawn --output-schema", () => {
  it("prints the value that the agent reports", () =>
    withModelServer(async (server) => {
      using workplace = new Workplace();
      const words = ["--output-schema", schemaFile(workplace), 'TOOL:structured_output:{"n":5}'];
      assert.deepEqual(await run(server.url, words), { exitCode: 0, stdout: '{"n":5}\n', stderr: "" });
      assert.deepEqual(requestsOf(server)[0]?.tools, [
        { name: "structured_output", kind: "function", parameters: SCHEMA },
      ]);
    }));

  it("reports the value in JSON", () =>
    withModelServer(async ({ url }) => {
      using workplace = new Workplace();
      const { exitCode, stdout, stderr } = await run(url, [
        "--json",
        "--output-schema",
        schemaFile(workplace),
        'TOOL:structured_output:{"n":5}',
      ]);
      assert.deepEqual([exitCode, stderr], [0, ""]);
      const { structured, stopReason } = JSON.parse(stdout);
      assert.deepEqual([structured, stopReason], [{ n: 5 }, "completed"]);
    }));

  for (
    const [fact, task] of [
      ["reports nothing", "SAY:no"],
      ["reports what does not match", 'SAY:no TOOL:structured_output:{"n":"five"}'],
    ] as const
  ) {
    it(`tells of an agent that ${fact}`, () =>
      withModelServer(async ({ url }) => {
        using workplace = new Workplace();
        assert.deepEqual(await run(url, ["--output-schema", schemaFile(workplace), task]), {
          exitCode: 1,
          stdout: "",
          stderr: `${FAILED}Partial output before the run ended:\nno\n` +
            "The agent reported no result that matches the schema of --output-schema\n",
        });
      }));
  }

  it("asks nobody when the file cannot be used, and names the place", () =>
    withModelServer(async (server) => {
      using workplace = new Workplace();
      const path = workplace.file("schema.json");
      writeFileSync(path, '{\n  "type": "object",\n  "properties": [}\n');
      assert.deepEqual(await run(server.url, ["--output-schema", path, "SAY:yes"]), {
        exitCode: 2,
        stdout: "",
        stderr: `subagent: ${path}:3:18: Unexpected token "}"\n`,
      });
      assert.deepEqual(server.journal, []);
    }));
});

describe("The program with --provider spawn", () => {
  it("answers", () =>
    withModelServer(async ({ url }) => {
      using program = Program.run(wordsFor(url, "SAY:hello"));
      assert.deepEqual(await program.ended(), { exitCode: 0, stdout: "hello\n", stderr: "" });
    }));

  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    it(`exits ${code} at ${signal} in the middle of an answer, and lets go of the server`, () =>
      withModelServer(async (server) => {
        using program = Program.run(wordsFor(server.url, "SLOW:20:100000"));
        await eventually(() => requestsOf(server).length === 1, "the model is asked");
        program.signal(signal);
        const { exitCode, stdout, stderr } = await program.ended();
        assert.deepEqual([exitCode, stdout], [code, ""]);
        assert.match(
          stderr,
          /^subagent run was cancelled\n(?:Partial output before the run ended:\n[w\d ]*\n)?$/,
        );
        const closed = () => server.journal.some(({ kind }) => kind === "model-request-closed");
        await eventually(closed, "the server sees its client go");
      }));
  }

  it("says that the time is up", () =>
    withModelServer(async ({ url }) => {
      using program = Program.run(wordsFor(url, "--timeout", "200", "HANG"));
      assert.deepEqual(await program.ended(), {
        exitCode: 1,
        stdout: "",
        stderr: "Time limit of 200 ms reached\nsubagent run was cancelled\n",
      });
    }));

  const isNode = !("Deno" in globalThis) && !("Bun" in globalThis);
  const needs = isNode ? "" : " (skipped: hiding a package needs the module hooks of Node)";
  it(`names the package that is not installed, in one line${needs}`, { skip: !isNode }, async () => {
    const hook = `export function resolve(specifier, context, next) {
      return next(specifier.startsWith("@ai-sdk/") ? "@subagent/no-such-package" : specifier, context);
    }`;
    const register = `import { register } from "node:module";
      register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
    const [command, ...args] = programWords();
    const hidden = ["--import", `data:text/javascript,${encodeURIComponent(register)}`];
    using program = new Program([command!, ...hidden, ...args, ...wordsFor("http://127.0.0.1:9", "hello")]);
    assert.deepEqual(await program.ended(), {
      exitCode: 2,
      stdout: "",
      stderr:
        'subagent: An agent of type spawn needs the package "@ai-sdk/openai-compatible", which is not installed: ' +
        "run npm install @ai-sdk/openai-compatible\n",
    });
  });
});
