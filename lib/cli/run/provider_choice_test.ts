import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AgentScript, Step } from "../../../fakes/acp_agent/script.ts";
import { type AgentCommand, scriptedAgent, scriptedRuntime } from "../../../fakes/launch.ts";
import { eventually } from "../../../fakes/test_support/deferred.ts";
import { Workplace } from "../../../fakes/test_support/workplace.ts";
import { runCli } from "../cli.ts";
import { FakeCliSystem } from "../fake_system_fixtures_test.ts";

/** Text that must not be shown; every channel of the child but the answer carries it. */
const CANARY = "canary-5f0c2b";

const NOISE: readonly Step[] = [
  { do: "line", text: `${CANARY} on stdout` },
  { do: "stderr", text: `${CANARY} on stderr\n` },
  { do: "update", update: { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: CANARY } } },
  {
    do: "update",
    update: { sessionUpdate: "tool_call", toolCallId: CANARY, title: CANARY, kind: "execute" },
  },
];

/** Runs the command with real child processes, and checks that none is left. */
async function run(
  options: readonly string[],
  { command, args }: AgentCommand,
  system = new FakeCliSystem(),
) {
  using workplace = new Workplace();
  const words = ["run", "--cwd", workplace.path, ...options, "do it", "--", command, ...args];
  const exitCode = await runCli(words, system);
  assert.equal(system.held, 0, "timers and listeners");
  return { exitCode, stdout: system.stdout.text, stderr: system.stderr.text };
}

describe("chosenProvider() for acp", () => {
  const PARTIAL = "Partial output before the run ended:\nso far\n";
  const rows: [fact: string, script: AgentScript, exitCode: number, stdout: string, stderr: string][] = [
    ["completes", { onPrompt: [...NOISE, { do: "text", text: "yes" }, { do: "stop" }] }, 0, "yes\n", ""],
    [
      "runs out of tokens",
      { onPrompt: [...NOISE, { do: "text", text: "so far" }, { do: "stop", reason: "max_tokens" }] },
      1,
      "",
      `subagent run hit its token limit before finishing\n${PARTIAL}`,
    ],
    [
      "refuses after it asked for permission",
      { onPrompt: [{ do: "ask", title: CANARY }, { do: "stop", reason: "refusal" }] },
      1,
      "",
      "subagent declined the task\n" +
      "Diagnostic: ACP unattended decision (policy: reject; request: execute; decision: denied)\n",
    ],
    [
      "cancels by itself",
      { onPrompt: [{ do: "stop", reason: "cancelled" }] },
      1,
      "",
      "subagent run was cancelled\n",
    ],
    [
      "runs out of turns",
      { onPrompt: [{ do: "text", text: "so far" }, { do: "stop", reason: "max_turn_requests" }] },
      1,
      "",
      "subagent run failed\n" +
      "Diagnostic: Subagent failure (provider: ACP; stage: prompt; category: remote-limit; stop reason: max_turn_requests)\n" +
      PARTIAL,
    ],
    [
      "stops for a reason nobody knows",
      { onPrompt: [{ do: "stop", reason: CANARY }] },
      1,
      "",
      "subagent run failed\n" +
      "Diagnostic: Subagent failure (provider: ACP; stage: prompt; category: unknown; stop reason: unknown)\n",
    ],
    [
      "answers an error",
      { onPrompt: [...NOISE, { do: "reply", error: { code: -32603, message: CANARY, data: CANARY } }] },
      1,
      "",
      "subagent run failed\nDiagnostic: Subagent failure (provider: ACP; stage: prompt; category: transport)\n",
    ],
    [
      "dies in the middle",
      { onPrompt: [...NOISE, { do: "text", text: "so far" }, { do: "exit", code: 3 }] },
      1,
      "",
      "subagent run failed\n" +
      "Diagnostic: Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 3)\n" +
      PARTIAL,
    ],
    [
      "dies at once",
      { onStart: [{ do: "stderr", text: CANARY }, { do: "exit", code: 11 }] },
      1,
      "",
      "Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 11)\n",
    ],
    [
      "has no session",
      { onSessionNew: [{ do: "reply", result: { sessionId: 7, [CANARY]: CANARY } }] },
      1,
      "",
      "Subagent failure (provider: ACP; stage: new-session; category: protocol)\n",
    ],
  ];
  for (const [fact, script, exitCode, stdout, stderr] of rows) {
    it(`tells of an agent that ${fact}`, async () => {
      assert.deepEqual(await run([], scriptedAgent(script)), { exitCode, stdout, stderr });
    });
  }

  it("tells of a command that does not exist, and why, on stderr", async () => {
    const { exitCode, stdout, stderr } = await run([], { command: "no-such-agent", args: [] });
    assert.deepEqual([exitCode, stdout], [1, ""]);
    const [line, explanation, ...rest] = stderr.split("\n");
    assert.equal(line, "Subagent failure (provider: ACP; stage: process; category: process-start)");
    assert.match(explanation!, /^Cannot start the child process: the command, .*was not found/);
    assert.deepEqual(rest, [""]);
  });

  it("hands --permission to the agent", async () => {
    const agent = scriptedAgent({
      onPrompt: [
        { do: "ask", on: { allow: [{ do: "text", text: "may" }], "*": [{ do: "text", text: "may not" }] } },
        { do: "stop" },
      ],
    });
    assert.equal((await run(["--permission", "allow"], agent)).stdout, "may\n");
    assert.equal((await run([], agent)).stdout, "may not\n");
  });

  it("hands --env to the agent, through the credential scrub and unfiltered", async () => {
    const system = new FakeCliSystem();
    system.environment = { SOME_API_KEY: "from outside", OTHER_TOKEN: "stays" };
    const agent = scriptedAgent({
      onPrompt: [
        { do: "text", text: { $env: "SOME_API_KEY" } },
        { do: "text", text: { $env: "A_SECRET" } },
        { do: "text", text: { $env: "OTHER_TOKEN" } },
        { do: "stop" },
      ],
    });
    const { stdout } = await run(["--env", "SOME_API_KEY", "--env", "A_SECRET= set "], agent, system);
    assert.equal(stdout, "from outside set null\n");
  });

  it("cancels an agent that does not end when the time is up", async () => {
    using workplace = new Workplace();
    const system = new FakeCliSystem();
    const { command, args } = scriptedAgent({
      record: workplace.file("record"),
      onPrompt: [{ do: "text", text: "so far" }, { do: "ask" }, { do: "hang" }],
    });
    const code = runCli(
      ["run", "--cwd", workplace.path, "--timeout", "60000", "do it", "--", command, ...args],
      system,
    );
    // The answer to the question shows that the text before it has arrived.
    await eventually(() => workplace.received().includes("answer"), "the agent has its answer");
    system.advance(60_000);
    assert.equal(await code, 1);
    assert.equal(system.stdout.text, "");
    assert.equal(
      system.stderr.text,
      "Time limit of 60000 ms reached\nsubagent run was cancelled\n" + PARTIAL,
    );
    assert.ok(workplace.received().includes("session/cancel"));
    assert.equal(system.held, 0);
  });
});

describe("chosenProvider() for dsh-sdk", () => {
  it("tells of a runtime that completes", async () => {
    const runtime = scriptedRuntime({
      onPrompt: [{ do: "stderr", text: CANARY }, { do: "accept" }, { do: "text", text: "yes" }, {
        do: "end",
      }],
    });
    assert.deepEqual(await run(["--provider", "dsh-sdk"], runtime), {
      exitCode: 0,
      stdout: "yes\n",
      stderr: "",
    });
  });

  it("tells of a runtime that fails, in JSON too", async () => {
    const runtime = scriptedRuntime({
      onPrompt: [
        { do: "accept" },
        { do: "text", text: "so far" },
        { do: "end", reason: { kind: "error", error: { message: CANARY } } },
      ],
    });
    const diagnostic = "Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)";
    assert.deepEqual(await run(["--provider", "dsh-sdk"], runtime), {
      exitCode: 1,
      stdout: "",
      stderr:
        `subagent run failed\nDiagnostic: ${diagnostic}\nPartial output before the run ended:\nso far\n`,
    });
    const { exitCode, stdout, stderr } = await run(["--provider", "dsh-sdk", "--json"], runtime);
    assert.deepEqual([exitCode, stderr], [1, ""]);
    assert.deepEqual(JSON.parse(stdout), { stopReason: "error", output: "so far", diagnostic, elapsedMs: 0 });
  });

  it("tells of a command that does not exist, and why", async () => {
    const { exitCode, stdout, stderr } = await run(["--provider", "dsh-sdk"], {
      command: "no-such-runtime",
      args: [],
    });
    assert.deepEqual([exitCode, stdout], [1, ""]);
    const [line, explanation, ...rest] = stderr.split("\n");
    assert.equal(line, "Subagent failure (provider: DSH SDK; stage: initialize; category: transport)");
    assert.match(explanation!, /^Cannot start the child process: the command, .*was not found/);
    assert.deepEqual(rest, [""]);
  });

  it("hands --env to the runtime", async () => {
    const runtime = scriptedRuntime({
      onPrompt: [{ do: "accept" }, { do: "text", text: { $env: "DEEPSEEK_API_KEY" } }, { do: "end" }],
    });
    const { stdout } = await run(["--provider", "dsh-sdk", "--env", "DEEPSEEK_API_KEY=key"], runtime);
    assert.equal(stdout, "key\n");
  });
});
