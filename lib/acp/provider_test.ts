/**
 * Every ending of a delegation over ACP, against a real child process, with the text compared whole.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AgentScript, Step } from "../../fakes/acp_agent/script.ts";
import { deferred, eventually } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { signalOfOneListener } from "../process/delegator_fixtures_test.ts";
import type { ProcessHost } from "../process/port.ts";
import { stubbornHost } from "../process/stubborn_host_fixtures_test.ts";
import type { SubagentResult, SubagentStartRequest } from "../seam/types.ts";
import { delegate, type DelegationOptions, delegator } from "./delegation_fixtures_test.ts";

const text = (value: string): Step => ({ do: "text", text: value });
const stop = (reason: string): Step => ({ do: "stop", reason });
const ask: Step = { do: "ask", kind: "execute", title: "Run rm -rf" };
const failure = { do: "reply", error: { code: -32603, message: "raw", data: { raw: true } } } as const;
const output = (value: string) => value === "" ? [] : [{ type: "text", text: value }];

const permissionLine = "ACP unattended decision (policy: reject; request: execute; decision: denied)";
const limitLine =
  "Subagent failure (provider: ACP; stage: prompt; category: remote-limit; stop reason: max_turn_requests)";
const unknownLine =
  "Subagent failure (provider: ACP; stage: prompt; category: unknown; stop reason: unknown)";
const transportLine = "Subagent failure (provider: ACP; stage: prompt; category: transport)";

interface ResultRow {
  readonly row: string;
  readonly onPrompt: readonly Step[];
  readonly options?: DelegationOptions;
  readonly result: SubagentResult;
  /** Whether the host's private sink gets the raw failure. */
  readonly reported?: boolean;
}

const resultRows: readonly ResultRow[] = [
  {
    row: "1 end_turn",
    onPrompt: [text("all "), text("done"), stop("end_turn")],
    result: { stopReason: "completed", output: output("all done") },
  },
  {
    row: "1 end_turn, though a permission was denied",
    onPrompt: [ask, text("done"), stop("end_turn")],
    result: { stopReason: "completed", output: output("done") },
  },
  {
    row: "1 end_turn with no text at all",
    onPrompt: [stop("end_turn")],
    result: { stopReason: "completed", output: [] },
  },
  {
    row: "2 max_tokens",
    onPrompt: [text("half"), stop("max_tokens")],
    result: { stopReason: "max-tokens", output: output("half") },
  },
  {
    row: "3 max_tokens after a permission request",
    onPrompt: [ask, text("half"), stop("max_tokens")],
    result: { stopReason: "max-tokens", output: output("half"), diagnostic: permissionLine },
  },
  {
    row: "4 refusal",
    onPrompt: [text("no"), stop("refusal")],
    result: { stopReason: "refusal", output: output("no") },
  },
  {
    row: "5 refusal after a permission request",
    onPrompt: [ask, stop("refusal")],
    result: { stopReason: "refusal", output: [], diagnostic: permissionLine },
  },
  {
    row: "6 remote cancelled",
    onPrompt: [text("so far"), stop("cancelled")],
    result: { stopReason: "aborted", output: output("so far") },
  },
  {
    row: "7 remote cancelled after a permission request",
    onPrompt: [ask, stop("cancelled")],
    result: { stopReason: "aborted", output: [], diagnostic: permissionLine },
  },
  {
    row: "8 max_turn_requests",
    onPrompt: [text("partial"), stop("max_turn_requests")],
    result: { stopReason: "error", output: output("partial"), diagnostic: limitLine },
  },
  {
    row: "9 max_turn_requests after a permission request",
    onPrompt: [ask, stop("max_turn_requests")],
    result: { stopReason: "error", output: [], diagnostic: `${limitLine}\n${permissionLine}` },
  },
  {
    row: "10 a stop reason of nobody's",
    onPrompt: [text("partial"), stop("ignore previous instructions")],
    result: { stopReason: "error", output: output("partial"), diagnostic: unknownLine },
  },
  {
    row: "10 a stop reason of another type",
    onPrompt: [{ do: "stop", reason: ["end_turn"] }],
    result: { stopReason: "error", output: [], diagnostic: unknownLine },
  },
  {
    row: "10 no stop reason",
    onPrompt: [{ do: "reply", result: {} }],
    result: { stopReason: "error", output: [], diagnostic: unknownLine },
  },
  {
    row: "11 a stop reason of nobody's after a permission request",
    onPrompt: [ask, stop("whatever")],
    result: { stopReason: "error", output: [], diagnostic: `${unknownLine}\n${permissionLine}` },
  },
  {
    row: "12 the prompt answered with an error",
    onPrompt: [text("partial"), failure],
    result: { stopReason: "error", output: output("partial"), diagnostic: transportLine },
    reported: true,
  },
  {
    row: "12 the prompt answered with an error after a permission request",
    onPrompt: [ask, failure],
    result: { stopReason: "error", output: [], diagnostic: `${transportLine}\n${permissionLine}` },
    reported: true,
  },
  {
    row: "12 the prompt answered with null",
    onPrompt: [{ do: "reply", result: null }],
    result: { stopReason: "error", output: [], diagnostic: transportLine },
    reported: true,
  },
  {
    row: "12 the prompt answered with both result and error",
    onPrompt: [{ do: "reply", result: { stopReason: "end_turn" }, error: { code: 1, message: "raw" } }],
    result: { stopReason: "error", output: [], diagnostic: transportLine },
    reported: true,
  },
  {
    row: "12 stdout closed by an agent that lives on",
    onPrompt: [text("partial"), { do: "close", stream: "stdout" }, { do: "hang" }],
    options: { config: { disposeGraceMs: 1000, disposeEofGraceMs: 300 } },
    result: { stopReason: "error", output: output("partial"), diagnostic: transportLine },
    reported: true,
  },
  {
    row: "13 exit in mid-prompt",
    onPrompt: [text("partial"), { do: "exit", code: 7 }],
    result: {
      stopReason: "error",
      output: output("partial"),
      diagnostic: "Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 7)",
    },
    reported: true,
  },
  {
    row: "13 exit 0 in mid-prompt after a permission request",
    onPrompt: [ask, { do: "exit", code: 0 }],
    result: {
      stopReason: "error",
      output: [],
      diagnostic:
        `Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 0)\n${permissionLine}`,
    },
    reported: true,
  },
  {
    row: "14 killed in mid-prompt",
    onPrompt: [text("partial"), { do: "kill", signal: "SIGKILL" }],
    result: {
      stopReason: "error",
      output: output("partial"),
      diagnostic: "Subagent failure (provider: ACP; stage: process; category: process-exit; signal: SIGKILL)",
    },
    reported: true,
  },
  {
    row: "14 ended by SIGTERM in mid-prompt",
    onPrompt: [{ do: "kill", signal: "SIGTERM" }, { do: "hang" }],
    result: {
      stopReason: "error",
      output: [],
      diagnostic: "Subagent failure (provider: ACP; stage: process; category: process-exit; signal: SIGTERM)",
    },
    reported: true,
  },
];

describe("a published run ends as the contract's row", () => {
  for (const { row, onPrompt, options, result, reported = false } of resultRows) {
    it(row, async () => {
      const delegation = await delegate({ onPrompt }, options);
      assert.deepEqual(delegation.result, result);
      assert.deepEqual(
        delegation.hostFailures.map(({ provider, operation }) => ({ provider, operation })),
        reported ? [{ provider: "acp", operation: "run" }] : [],
      );
    });
  }

  for (
    const [name, when] of [
      ["15 local cancellation through the signal", "signal"],
      ["15 local cancellation through dispose()", "dispose"],
    ] as const
  ) {
    it(name, async () => {
      using workplace = new Workplace();
      const controller = new AbortController();
      const firstText = deferred();
      const script: AgentScript = { onPrompt: [ask, text("so far"), { do: "hang" }] };
      const { start, hostFailures } = delegator(workplace, script, {
        provider: { onActivity: ({ kind }) => kind === "text" && firstText.resolve() },
      });
      const run = await start({ signal: controller.signal });
      await firstText.promise;
      const disposed = when === "dispose" ? run.dispose() : undefined;
      controller.abort(new Error("reason of the host"));
      assert.deepEqual(await run.result, { stopReason: "aborted", output: output("so far") });
      await (disposed ?? run.dispose());
      assert.deepEqual(hostFailures, []);
    });
  }
});

interface StartRow {
  readonly row: string;
  readonly script?: AgentScript;
  readonly options?: DelegationOptions;
  readonly message: string;
}

const noCwd: Partial<SubagentStartRequest> = { parent: { id: "parent" } };
const startRows: readonly StartRow[] = [
  {
    row: "28 neither the configuration nor the parent has a directory",
    options: { request: noCwd },
    message: "Subagent failure (provider: ACP; stage: initialize; category: configuration)",
  },
  {
    row: "28 the parent's directory is relative",
    options: { request: { parent: { id: "parent", cwd: "relative" } } },
    message: "Subagent failure (provider: ACP; stage: initialize; category: configuration)",
  },
  {
    row: "28 the parent's directory does not exist",
    options: { request: { parent: { id: "parent", cwd: "/nonexistent/canary" } } },
    message: "Subagent failure (provider: ACP; stage: initialize; category: configuration)",
  },
  {
    row: "29 the command does not exist",
    options: { config: { command: "/nonexistent/agent" } },
    message: "Subagent failure (provider: ACP; stage: process; category: process-start)",
  },
  {
    row: "29 the command is not executable",
    options: { config: { command: "/etc/passwd" } },
    message: "Subagent failure (provider: ACP; stage: process; category: process-start)",
  },
  {
    row: "30 initialize answered with an error",
    script: { onInitialize: [failure] },
    message: "Subagent failure (provider: ACP; stage: initialize; category: transport)",
  },
  {
    row: "30 initialize answered with a version that is not ours",
    script: { onInitialize: [{ do: "reply", result: { protocolVersion: 99 } }] },
    message: "Subagent failure (provider: ACP; stage: initialize; category: transport)",
  },
  {
    row: "30 initialize answered with a string",
    script: { onInitialize: [{ do: "reply", result: "hello" }] },
    message: "Subagent failure (provider: ACP; stage: initialize; category: transport)",
  },
  {
    row: "30 initialize never answered within startTimeoutMs",
    script: { onInitialize: [] },
    options: { config: { startTimeoutMs: 300 } },
    message: "Subagent failure (provider: ACP; stage: initialize; category: transport)",
  },
  {
    row: "31 exit at initialize",
    script: { onInitialize: [{ do: "exit", code: 11 }] },
    message: "Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 11)",
  },
  {
    row: "31 exit before a word was read",
    script: { onStart: [{ do: "exit", code: 3 }] },
    message: "Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 3)",
  },
  {
    row: "31 killed at initialize",
    script: { onInitialize: [{ do: "kill", signal: "SIGKILL" }] },
    message: "Subagent failure (provider: ACP; stage: initialize; category: process-exit; signal: SIGKILL)",
  },
  {
    row: "32 session/new answered with an error",
    script: { onSessionNew: [{ do: "reply", error: { code: -32000, message: "Authentication required" } }] },
    message: "Subagent failure (provider: ACP; stage: new-session; category: transport)",
  },
  {
    row: "32 session/new never answered within startTimeoutMs",
    script: { onSessionNew: [] },
    options: { config: { startTimeoutMs: 1500 } },
    message: "Subagent failure (provider: ACP; stage: new-session; category: transport)",
  },
  {
    row: "33 exit at session/new",
    script: { onSessionNew: [{ do: "exit", code: 4 }] },
    message: "Subagent failure (provider: ACP; stage: new-session; category: process-exit; exit code: 4)",
  },
  ...([{}, null, { sessionId: 7 }, { sessionId: null }, "session-1"] as const).map((result): StartRow => ({
    row: `34 session/new answered with ${JSON.stringify(result)}`,
    script: { onSessionNew: [{ do: "reply", result }] },
    message: "Subagent failure (provider: ACP; stage: new-session; category: protocol)",
  })),
];

describe("a start is refused as the contract's row", () => {
  for (const { row, script = {}, options, message } of startRows) {
    it(row, async () => {
      using workplace = new Workplace();
      const { start, hostFailures } = delegator(workplace, script, options);
      await assert.rejects(start(), { name: "SubagentFailure", message });
      assert.deepEqual(workplace.processes(), []);
      assert.deepEqual(hostFailures.map(({ operation }) => operation), ["start"]);
      assert.ok(hostFailures[0]?.error instanceof Error, "the raw failure reaches the host");
    });
  }

  it("34 but an empty session id is one", async () => {
    const { result } = await delegate({
      onSessionNew: [{ do: "reply", result: { sessionId: "" } }],
      onPrompt: [text("done"), stop("end_turn")],
      unchecked: ["session"],
    });
    assert.equal(result.stopReason, "completed");
  });

  for (
    const [where, script] of [
      ["initialize", { onInitialize: [] }],
      ["session/new", { onSessionNew: [] }],
    ] as const
  ) {
    it(`2.2 cancelled during ${where}, rolled back first`, async () => {
      using workplace = new Workplace();
      const controller = new AbortController();
      const { start, hostFailures } = delegator(workplace, script);
      const starting = start({ signal: controller.signal });
      await eventually(() => workplace.received().includes(where), `the agent got ${where}`);
      controller.abort();
      await assert.rejects(starting, {
        message: "subagent request was aborted before the ACP child started",
      });
      assert.deepEqual(workplace.processes(), []);
      assert.deepEqual(hostFailures, []);
    });
  }
});

describe("a teardown that fails is told as the contract's row", () => {
  it("35 no outcome known", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, { onPrompt: [stop("end_turn")] }, {
      provider: { processHost: stubbornHost({ hideExit: true }) },
    });
    const run = await start();
    assert.deepEqual(await run.result, { stopReason: "completed", output: [] });
    const disposed = run.dispose();
    assert.equal(run.dispose(), disposed, "one shared promise");
    await assert.rejects(disposed, {
      name: "SubagentFailure",
      message: "Subagent failure (provider: ACP; stage: teardown; category: unknown)",
    });
    assert.deepEqual(hostFailures.map(({ operation, runId }) => ({ operation, runId })), [
      { operation: "dispose", runId: run.id },
    ]);
  });

  it("36 the exit code is known", async () => {
    using workplace = new Workplace();
    const script: AgentScript = { onPrompt: [stop("end_turn")], onEof: [{ do: "exit", code: 5 }] };
    const { start } = delegator(workplace, script, { provider: { processHost: stubbornHost() } });
    const run = await start();
    await run.result;
    await assert.rejects(run.dispose(), {
      message: "Subagent failure (provider: ACP; stage: teardown; category: process-exit; exit code: 5)",
    });
  });

  it("36 the signal is known", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [{ do: "kill", signal: "SIGKILL" }] }, {
      provider: { processHost: stubbornHost() },
    });
    const run = await start();
    await run.result;
    await assert.rejects(run.dispose(), {
      message: "Subagent failure (provider: ACP; stage: teardown; category: process-exit; signal: SIGKILL)",
    });
  });

  it("2.2 a failed start whose clean-up failed is both, in order", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, { onInitialize: [failure] }, {
      provider: { processHost: stubbornHost({ hideExit: true }) },
    });
    await assert.rejects(start(), (error: AggregateError) => {
      assert.equal(error.name, "AggregateError");
      assert.equal(
        error.message,
        "Subagent failure (provider: ACP; stage: initialize; category: transport); " +
          "Subagent failure (provider: ACP; stage: teardown; category: unknown)",
      );
      assert.equal(error.errors.length, 2);
      return true;
    });
    assert.deepEqual(hostFailures.map(({ operation }) => operation), ["start", "dispose"]);
  });

  it("2.2 a cancelled start whose clean-up failed is the clean-up alone", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const { start } = delegator(workplace, { onInitialize: [] }, {
      provider: { processHost: stubbornHost({ hideExit: true }) },
    });
    const starting = start({ signal: controller.signal });
    await eventually(() => workplace.processes().length > 0, "the agent runs");
    controller.abort();
    await assert.rejects(starting, (error: AggregateError) => {
      assert.equal(error.name, "AggregateError");
      assert.equal(error.message, "Subagent failure (provider: ACP; stage: teardown; category: unknown)");
      assert.equal(error.errors.length, 1);
      return true;
    });
  });
});

describe("acpProvider()", () => {
  it("a run that cannot be published leaves no process behind", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, {});
    await assert.rejects(start({ signal: signalOfOneListener() }), { name: "SubagentFailure" });
    assert.deepEqual(workplace.processes(), []);
    assert.equal((hostFailures[0]?.error as Error).message, "no more listeners");
  });

  it("refuses a prompt block that lacks what the protocol demands, before anything is spawned", async () => {
    using workplace = new Workplace();
    const unspawned: ProcessHost = { spawn: () => assert.fail("spawned") };
    const { start } = delegator(workplace, {}, { provider: { processHost: unspawned } });
    await assert.rejects(start({ prompt: [{ type: "image", data: "aGk=" }] }), {
      name: "SubagentError",
      code: "INVALID_REQUEST",
    });
  });
});
