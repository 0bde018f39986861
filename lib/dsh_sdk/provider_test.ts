/**
 * Every ending of a delegation to a DeepSeek Harness runtime, against a real child process, with the text compared
 * whole.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json } from "../../fakes/acp_agent/json.ts";
import type { RuntimeScript, RuntimeStep } from "../../fakes/dsh_runtime/script.ts";
import { TransportClosedError } from "../json_rpc/errors.ts";
import { nodeProcessHost } from "../process/node_process_host.ts";
import type { ProcessHost } from "../process/port.ts";
import type { SubagentResult, SubagentStartRequest } from "../seam/types.ts";
import {
  delegate,
  type DelegationOptions,
  delegator,
  eventually,
  output,
  Workplace,
} from "./delegation_fixtures_test.ts";
import { SdkProtocolError } from "./errors.ts";
import { dshSdkProvider } from "./provider.ts";

const accept: RuntimeStep = { do: "accept" };
const receipt: RuntimeStep = { do: "receipt" };
const idle: RuntimeStep = { do: "status", status: "idle" };
const text = (value: string): RuntimeStep => ({ do: "text", text: value });
const message = (content: Json): RuntimeStep => ({ do: "message", content });
const end = (reason: Json): RuntimeStep => ({ do: "end", reason });
const aborted = (cause: Json): RuntimeStep => end({ kind: "aborted", reason: cause });
const event = (type: string, data: Json): RuntimeStep => ({ do: "event", type, data });
const failure: RuntimeStep = { do: "reply", error: { code: 7, message: "raw", data: { raw: true } } };

const transportLine = "Subagent failure (provider: DSH SDK; stage: session-run; category: transport)";
const protocolLine = "Subagent failure (provider: DSH SDK; stage: session-run; category: protocol)";

interface ResultRow {
  readonly row: string;
  readonly onPrompt: readonly RuntimeStep[];
  readonly options?: DelegationOptions;
  readonly result: SubagentResult;
}

/** Endings that the child itself gave a reason for. */
const childRows: readonly ResultRow[] = [
  {
    row: "16 completed, with the text of the last message",
    onPrompt: [accept, text("thinking"), message("first"), message("the answer"), end("completed")],
    result: { stopReason: "completed", output: output("the answer") },
  },
  {
    row: "16 completed, with the streamed text where no message was committed",
    onPrompt: [accept, text("all "), text("done"), end("completed")],
    result: { stopReason: "completed", output: output("all done") },
  },
  {
    row: "16 completed, with every block of the message as it came",
    onPrompt: [
      accept,
      message([{ type: "reasoning", text: "hm" }, { type: "text", text: "yes" }, { type: "x", y: { z: 1 } }]),
      end("completed"),
    ],
    result: {
      stopReason: "completed",
      output: [{ type: "reasoning", text: "hm" }, { type: "text", text: "yes" }, { type: "x", y: { z: 1 } }],
    },
  },
  {
    row: "16 completed with nothing said",
    onPrompt: [accept, message([]), end("completed")],
    result: { stopReason: "completed", output: [] },
  },
  {
    row: "16 completed by the last of several turns",
    onPrompt: [
      accept,
      text("partial"),
      event("turn/end", { turn: 1, reason: { kind: "error" } }),
      event("turn/start", { turn: 2 }),
      end("completed"),
    ],
    result: { stopReason: "completed", output: output("partial") },
  },
  {
    row: "17 max-tokens",
    onPrompt: [accept, text("half"), end("max-tokens")],
    result: { stopReason: "max-tokens", output: output("half") },
  },
  ...(["user", "parent", "legacy"] as const).map((kind): ResultRow => ({
    row: `18 aborted by ${kind}`,
    onPrompt: [accept, text("so far"), aborted({ kind })],
    result: { stopReason: "aborted", output: output("so far") },
  })),
  {
    row: "18 aborted by a hook",
    onPrompt: [accept, aborted({ kind: "hook", reason: "because" })],
    result: { stopReason: "aborted", output: [] },
  },
  {
    row: "18 aborted without a cause, as older runtimes say it",
    onPrompt: [accept, end("aborted")],
    result: { stopReason: "aborted", output: [] },
  },
  {
    row: "18 aborted for a cause in words, as older runtimes say it",
    onPrompt: [accept, aborted("disposed")],
    result: { stopReason: "aborted", output: [] },
  },
  ...([{ kind: "aborted", reason: { kind: "disposed" } }, { kind: "disposed" }] as const).map((
    reason,
  ): ResultRow => ({
    row: `19 ${reason.kind === "aborted" ? "aborted by disposal" : "disposed, as older runtimes say it"}`,
    onPrompt: [accept, text("so far"), end(reason)],
    result: {
      stopReason: "aborted",
      output: output("so far"),
      diagnostic: "Subagent failure (provider: DSH SDK; stage: session-run; category: child-disposed)",
    },
  })),
  {
    row: "20 blocked",
    onPrompt: [accept, end("blocked")],
    result: { stopReason: "refusal", output: [] },
  },
  {
    row: "20 rejected, as older runtimes say it",
    onPrompt: [accept, end({ kind: "rejected", reason: "no" })],
    result: { stopReason: "refusal", output: [] },
  },
  ...([
    { kind: "error" },
    { kind: "error", error: { message: "raw", code: "AUTH", status: 401 } },
    { kind: "error", step: 2, message: "raw", code: "SERVER" },
  ] as const).map((reason): ResultRow => ({
    row: `21 error with ${Object.keys(reason).join(", ")}`,
    onPrompt: [accept, text("partial"), end(reason)],
    result: {
      stopReason: "error",
      output: output("partial"),
      diagnostic: "Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)",
    },
  })),
  {
    row: "22 interrupted",
    onPrompt: [accept, text("partial"), end("interrupted")],
    result: { stopReason: "error", output: output("partial") },
  },
  {
    row: "23 idle without the end of a turn",
    onPrompt: [accept, text("partial"), idle],
    result: {
      stopReason: "error",
      output: output("partial"),
      diagnostic: "Subagent failure (provider: DSH SDK; stage: session-run; category: missing-terminal)",
    },
  },
  ...(["future", "", "Completed", "__proto__"] as const).map((kind): ResultRow => ({
    row: `24 a reason of nobody's: "${kind}"`,
    onPrompt: [accept, text("partial"), end(kind)],
    result: {
      stopReason: "error",
      output: output("partial"),
      diagnostic: "Subagent failure (provider: DSH SDK; stage: session-run; category: child-unknown)",
    },
  })),
];

/** Runs that fail, with what the host is told. */
const failedRows: readonly ResultRow[] = [
  {
    row: "25 exit in mid-turn",
    onPrompt: [accept, text("partial"), { do: "exit", code: 7 }],
    result: { stopReason: "error", output: output("partial"), diagnostic: transportLine },
  },
  {
    row: "25 killed in mid-turn, after a message",
    onPrompt: [accept, message("a first step"), text("more"), { do: "kill", signal: "SIGKILL" }],
    result: { stopReason: "error", output: output("a first step"), diagnostic: transportLine },
  },
  {
    row: "25 exit behind the end of the turn, before the session is idle",
    onPrompt: [accept, text("all"), event("turn/end", { turn: 1, reason: { kind: "completed" } }), {
      do: "exit",
    }],
    result: { stopReason: "error", output: output("all"), diagnostic: transportLine },
  },
  {
    row: "25 exit before the receipt: what came before is nobody's answer",
    onPrompt: [{ do: "accept", receipt: false }, text("lost"), { do: "exit" }],
    result: { stopReason: "error", output: [], diagnostic: transportLine },
  },
  {
    row: "25 stdout closed by a runtime that lives on",
    onPrompt: [accept, text("partial"), { do: "close", stream: "stdout" }, { do: "hang" }],
    result: { stopReason: "error", output: output("partial"), diagnostic: transportLine },
  },
  {
    row: "25 a line longer than maxMessageBytes",
    onPrompt: [accept, text("partial"), { do: "raw", text: "x".repeat(1000), times: 100 }, { do: "hang" }],
    options: { config: { maxMessageBytes: 50_000 } },
    result: { stopReason: "error", output: output("partial"), diagnostic: transportLine },
  },
  {
    row: "25 more streamed text than maxOutputBytes",
    onPrompt: [accept, { do: "text", text: "0123456789", times: 10 }, { do: "hang" }],
    options: { config: { maxOutputBytes: 25 } },
    result: { stopReason: "error", output: output("0123456789012345678901234"), diagnostic: transportLine },
  },
  {
    row: "25 a message with more text than maxOutputBytes",
    onPrompt: [accept, message("0123456789"), end("completed")],
    options: { config: { maxOutputBytes: 7 } },
    result: { stopReason: "error", output: output("0123456"), diagnostic: transportLine },
  },
  {
    row: "25 endless talk without a receipt",
    onPrompt: [{ do: "accept", receipt: false }, { do: "text", text: "x".repeat(1000), times: 1000 }, {
      do: "hang",
    }],
    options: { config: { maxMessageBytes: 50_000, maxOutputBytes: 50_000 } },
    result: { stopReason: "error", output: [], diagnostic: transportLine },
  },
  {
    row: "26 the prompt answered with an error",
    onPrompt: [failure],
    result: { stopReason: "error", output: [], diagnostic: protocolLine },
  },
  ...([{}, null, { messageId: 7 }, "message-1", ["message-1"]] as const).map((result): ResultRow => ({
    row: `26 the prompt answered with ${JSON.stringify(result)}: what came before is lost`,
    onPrompt: [{ do: "accept", receipt: false }, text("lost"), { do: "reply", result }, { do: "hang" }],
    result: { stopReason: "error", output: [], diagnostic: protocolLine },
  })),
  {
    row: "26 the prompt answered with neither result nor error",
    onPrompt: [{ do: "reply" }, { do: "hang" }],
    result: { stopReason: "error", output: [], diagnostic: protocolLine },
  },
  ...([
    ["no event", { sessionId: { $sessionId: true } }],
    ["an event without a type", { sessionId: { $sessionId: true }, event: { data: {} } }],
    ["an event that is a list", { sessionId: { $sessionId: true }, event: [{ type: "turn/end" }] }],
    ["an event whose type is a number", { sessionId: { $sessionId: true }, event: { type: 1 } }],
  ] as const).map(([name, params]): ResultRow => ({
    row: `26 session.event with ${name}: the text before is kept`,
    onPrompt: [
      accept,
      text("kept"),
      { do: "notify", method: "session.event", params },
      text("late"),
      end("completed"),
    ],
    result: { stopReason: "error", output: output("kept"), diagnostic: protocolLine },
  })),
  ...([
    ["no data", null],
    ["no message", {}],
    ["a message that is null", { message: null }],
    ["content that is text", { message: { content: "text" } }],
    ["a block that is no object", { message: { content: ["text"] } }],
    ["a block without a type", { message: { content: [{ type: "text", text: "no" }, { text: "no" }] } }],
  ] as const).map(([name, data]): ResultRow => ({
    row: `26 assistant/message with ${name}: the text before is kept, the message is not`,
    onPrompt: [accept, text("kept"), event("assistant/message", data), end("completed")],
    result: { stopReason: "error", output: output("kept"), diagnostic: protocolLine },
  })),
  ...([
    ["no reason", { turn: 1 }],
    ["a reason that is a word", { reason: "completed" }],
    ["a reason without a kind", { reason: {} }],
    ["an abort for null", { reason: { kind: "aborted", reason: null } }],
    ["an abort for nothing", { reason: { kind: "aborted", reason: {} } }],
    ["an abort by nobody known", { reason: { kind: "aborted", reason: { kind: "future" } } }],
    ["an abort by a hook that does not say why", { reason: { kind: "aborted", reason: { kind: "hook" } } }],
  ] as const).map(([name, data]): ResultRow => ({
    row: `26 turn/end with ${name}: the text before is kept`,
    onPrompt: [accept, text("kept"), event("turn/end", data), idle],
    result: { stopReason: "error", output: output("kept"), diagnostic: protocolLine },
  })),
  {
    row: "27 a prompt that is no JSON",
    onPrompt: [],
    options: { request: { prompt: [{ type: "custom", value: 1n }] } },
    result: {
      stopReason: "error",
      output: [],
      diagnostic: "Subagent failure (provider: DSH SDK; stage: session-run; category: unknown)",
    },
  },
];

describe("a published run ends as the contract's row", () => {
  for (const { row, onPrompt, options, result } of childRows) {
    it(row, async () => {
      const delegation = await delegate({ onPrompt }, options);
      assert.deepEqual(delegation.result, result);
      assert.deepEqual(delegation.hostFailures, []);
    });
  }

  for (const { row, onPrompt, options, result } of failedRows) {
    it(row, async () => {
      const delegation = await delegate({ onPrompt }, options);
      assert.deepEqual(delegation.result, result);
      assert.deepEqual(
        delegation.hostFailures.map(({ provider, operation }) => ({ provider, operation })),
        [{ provider: "dsh-sdk", operation: "run" }],
      );
    });
  }

  for (const when of ["the signal", "dispose()"] as const) {
    it(`15 local cancellation through ${when}`, async () => {
      using workplace = new Workplace();
      const controller = new AbortController();
      const { processHost, heard } = listeningHost();
      const { start, hostFailures } = delegator(workplace, {
        onPrompt: [accept, text("so far"), { do: "hang" }],
      }, {
        provider: { processHost },
      });
      const run = await start({ signal: controller.signal });
      await eventually(() => heard().includes("so far"), "the text came");
      const disposed = when === "dispose()" ? run.dispose() : undefined;
      controller.abort(new Error("reason of the host"));
      assert.deepEqual(await run.result, { stopReason: "aborted", output: output("so far") });
      await (disposed ?? run.dispose());
      assert.deepEqual(hostFailures, []);
    });
  }

  it("15 a run that is settled is not changed by a later cancellation", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const { start } = delegator(workplace, { onPrompt: [accept, text("done"), end("completed")] });
    const run = await start({ signal: controller.signal });
    assert.equal((await run.result).stopReason, "completed");
    controller.abort();
    assert.deepEqual(await run.result, { stopReason: "completed", output: output("done") });
    await run.dispose();
  });
});

describe("a run is the run's own", () => {
  const foreign = { sessionId: "session-of-a-descendant" } as const;

  it("events of descendants and of strangers contribute nothing, however malformed", async () => {
    const { result } = await delegate({
      onPrompt: [
        accept,
        text("mine"),
        {
          do: "notify",
          method: "subagent.started",
          params: { parentSessionId: { $sessionId: true }, childSessionId: foreign.sessionId },
        },
        { do: "text", text: "theirs", ...foreign },
        { do: "message", content: "theirs", ...foreign },
        { do: "event", type: "assistant/message", data: { message: 1 }, ...foreign },
        { do: "notify", method: "session.event", params: foreign },
        { do: "event", type: "turn/end", data: { reason: { kind: "error" } }, ...foreign },
        { do: "status", status: "idle", ...foreign },
        {
          do: "notify",
          method: "subagent.finished",
          params: {
            provider: "spawn",
            childSessionId: foreign.sessionId,
            status: "ok",
            stopReason: "completed",
          },
        },
        end("completed"),
      ],
    });
    assert.deepEqual(result, { stopReason: "completed", output: output("mine") });
  });

  const spliced = (id: Json): RuntimeStep =>
    event("agent/inbox/spliced", { inserted: [{ id, role: "user" }] });
  for (
    const [name, onPrompt] of [
      ["the receipt comes last", [
        { do: "accept", receipt: false },
        text("all "),
        text("done"),
        end("completed"),
        receipt,
      ]],
      ["the receipt comes first", [
        receipt,
        { do: "accept", receipt: false },
        text("all done"),
        end("completed"),
      ]],
      ["receipt and everything else come in one write", [
        {
          do: "burst",
          steps: [{ do: "accept", receipt: false }, text("all done"), end("completed"), receipt],
        },
      ]],
      ["the runtime exits right behind the receipt", [
        {
          do: "burst",
          steps: [{ do: "accept", receipt: false }, text("all done"), end("completed"), receipt],
        },
        { do: "exit" },
      ]],
      ["another prompt of the session ends before", [
        receipt,
        spliced("another"),
        text("of another"),
        end("error"),
        { do: "accept", receipt: false },
        text("all done"),
        end("completed"),
      ]],
      ["a malformed event comes before the prompt is accepted", [
        event("turn/end", {}),
        { do: "notify", method: "session.event", params: { sessionId: { $sessionId: true }, event: 1 } },
        accept,
        text("all done"),
        end("completed"),
      ]],
      ["the session goes on after it was idle", [
        accept,
        text("all done"),
        end("completed"),
        text("late"),
        end("error"),
      ]],
      ["older runtimes put the content into the event", [
        accept,
        event("assistant/message", { turn: 1, content: [{ type: "text", text: "all done" }] }),
        end("completed"),
      ]],
      ["stdout is noisy", [
        { do: "line", text: "loading…" },
        accept,
        { do: "line", text: "{" },
        { do: "line", text: "[]" },
        { do: "line", text: "" },
        text("all done"),
        { do: "send", message: { jsonrpc: "2.0", id: "req_unknown", result: {} } },
        { do: "notify", method: "session.event" },
        { do: "notify", method: "session.event", params: ["list"] },
        { do: "framing", before: "\r\n", after: "\r\n" },
        end("completed"),
      ]],
      ["a character is cut in two", [
        accept,
        { do: "burst", cut: "character", steps: [text("all döne"), end("completed")] },
      ]],
    ] as const satisfies readonly (readonly [string, readonly RuntimeStep[]])[]
  ) {
    it(`the answer is found when ${name}`, async () => {
      const { result, hostFailures } = await delegate({ onPrompt });
      const answer = name === "a character is cut in two" ? "all döne" : "all done";
      assert.deepEqual(result, { stopReason: "completed", output: output(answer) });
      assert.deepEqual(hostFailures, []);
    });
  }

  it("requests of the runtime are refused with -32601", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, {
      onPrompt: [
        {
          do: "send",
          message: { jsonrpc: "2.0", id: "theirs", method: "fs/read_text_file", params: { path: "/etc" } },
        },
        accept,
        end("completed"),
      ],
    });
    const run = await start();
    assert.equal((await run.result).stopReason, "completed");
    await run.dispose();
    assert.deepEqual(workplace.messages().filter(({ id }) => id === "theirs"), [
      { jsonrpc: "2.0", id: "theirs", error: { code: -32601, message: "Method not found" } },
    ]);
  });

  it("the runtime is asked what the protocol says, with ids of its form", async () => {
    using workplace = new Workplace();
    const prompt = [{ type: "text", text: "do" }, {
      type: "image",
      data: "aGk=",
      mimeType: "image/png",
    }] as const;
    const { start } = delegator(workplace, {}, { config: { model: "m", provider: "p", maxTokens: 4096 } });
    const run = await start({ prompt });
    await run.result;
    await run.dispose();
    const messages = workplace.messages();
    for (const { id } of messages) assert.match(String(id), /^req_[0-9a-f]{32}$/);
    const { sessionId } = messages[1]?.["params"] as { readonly sessionId: string };
    assert.match(sessionId, /^session-[0-9a-f]{32}$/);
    assert.notEqual(sessionId.slice(8), run.id.replaceAll("-", ""), "the run's own id stays here");
    assert.deepEqual(messages.map(({ method, params }) => ({ method, params })), [
      { method: "initialize", params: { cwd: workplace.path, provider: "p", model: "m", maxTokens: 4096 } },
      { method: "session/prompt", params: { sessionId, contentBlocks: prompt } },
      { method: "shutdown", params: {} },
    ]);
  });
});

interface StartRow {
  readonly row: string;
  readonly script?: RuntimeScript;
  readonly options?: DelegationOptions;
  readonly message: string;
}

const noCwd: Partial<SubagentStartRequest> = { parent: { id: "parent" } };
const configuration = "Subagent failure (provider: DSH SDK; stage: initialize; category: configuration)";
const transport = "Subagent failure (provider: DSH SDK; stage: initialize; category: transport)";
const protocol = "Subagent failure (provider: DSH SDK; stage: initialize; category: protocol)";
const unknown = "Subagent failure (provider: DSH SDK; stage: initialize; category: unknown)";
const shutdown = "Subagent failure (provider: DSH SDK; stage: shutdown; category: unknown)";

const startRows: readonly StartRow[] = [
  {
    row: "37 neither the configuration nor the parent has a directory",
    options: { request: noCwd },
    message: configuration,
  },
  {
    row: "37 the parent's directory is relative",
    options: { request: { parent: { id: "parent", cwd: "relative" } } },
    message: configuration,
  },
  {
    row: "37 the parent's directory does not exist",
    options: { request: { parent: { id: "parent", cwd: "/nonexistent/canary" } } },
    message: configuration,
  },
  {
    row: "38 the command does not exist",
    options: { command: { command: "/nonexistent/runtime", args: [] } },
    message: transport,
  },
  {
    row: "38 exit before a word was read",
    script: { onStart: [{ do: "stderr", text: "raw" }, { do: "exit", code: 3 }] },
    message: transport,
  },
  { row: "38 exit at initialize", script: { onInitialize: [{ do: "exit", code: 11 }] }, message: transport },
  { row: "38 killed at initialize", script: { onInitialize: [{ do: "kill" }] }, message: transport },
  {
    row: "38 stdout closed at initialize",
    script: { onInitialize: [{ do: "close", stream: "stdout" }, { do: "hang" }] },
    message: transport,
  },
  {
    row: "38 initialize never answered within startTimeoutMs",
    script: { onInitialize: [] },
    options: { config: { startTimeoutMs: 300 } },
    message: transport,
  },
  { row: "39 initialize answered with an error", script: { onInitialize: [failure] }, message: protocol },
  ...([
    {},
    null,
    "hello",
    { serverInfo: null },
    { serverInfo: { name: "runtime" } },
    { serverInfo: { name: "runtime", version: 1 } },
    { serverInfo: ["runtime", "1"] },
  ] as const).map((result): StartRow => ({
    row: `39 initialize answered with ${JSON.stringify(result)}`,
    script: { onInitialize: [{ do: "reply", result }] },
    message: protocol,
  })),
  {
    row: "39 initialize answered with both result and error",
    script: { onInitialize: [{ do: "reply", result: {}, error: { code: 1, message: "raw" } }] },
    message: protocol,
  },
  {
    row: "40 a process host with a fault of its own",
    options: { provider: { processHost: { spawn: () => Promise.reject(new RangeError("raw canary")) } } },
    message: unknown,
  },
];

describe("a start is refused as the contract's row", () => {
  for (const { row, script = {}, options, message } of startRows) {
    it(row, async () => {
      using workplace = new Workplace();
      const { start, hostFailures } = delegator(workplace, script, options);
      await assert.rejects(start(), { name: "SubagentFailure", message });
      assert.deepEqual(workplace.processes(), []);
      assert.equal(hostFailures[0]?.operation, "start");
      assert.ok(hostFailures[0]?.error instanceof Error, "the raw failure reaches the host");
    });
  }

  it("2.2 with an aborted signal nothing is spawned, whatever else is wrong", async () => {
    using workplace = new Workplace();
    const unspawned: ProcessHost = { spawn: () => assert.fail("spawned") };
    const { start, hostFailures } = delegator(workplace, {}, {
      request: noCwd,
      provider: { processHost: unspawned },
    });
    await assert.rejects(start({ signal: AbortSignal.abort() }), {
      name: "SubagentAbortedError",
      message: "subagent request was aborted before the SDK child started",
    });
    assert.deepEqual(hostFailures, []);
  });

  it("2.2 cancelled during initialize, rolled back first", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const { start, hostFailures } = delegator(workplace, { onInitialize: [] });
    const starting = start({ signal: controller.signal });
    await eventually(() => workplace.received().includes("initialize"), "the runtime got initialize");
    controller.abort();
    await assert.rejects(starting, {
      name: "SubagentAbortedError",
      message: "subagent request was aborted before the SDK child started",
    });
    assert.deepEqual(workplace.processes(), []);
    assert.deepEqual(hostFailures, []);
  });

  it("2.2 cancelled while the process is being spawned, rolled back first", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const host = nodeProcessHost();
    const processHost: ProcessHost = {
      spawn(spec) {
        controller.abort();
        return host.spawn(spec);
      },
    };
    const { start } = delegator(workplace, {}, { provider: { processHost } });
    await assert.rejects(start({ signal: controller.signal }), { name: "SubagentAbortedError" });
    assert.deepEqual(workplace.processes(), []);
  });

  it("2.2 a failure that came before the cancellation is what the start is about", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const host = nodeProcessHost();
    // The host's exit fact comes with the failure; by the time of the rollback both are settled.
    const processHost: ProcessHost = {
      async spawn(spec) {
        const handle = await host.spawn(spec);
        return {
          ...handle,
          pid: handle.pid,
          exit: handle.exit,
          write: (data) => handle.write(data),
          stop: (options) => {
            controller.abort();
            return handle.stop(options);
          },
        };
      },
    };
    const { start } = delegator(workplace, { onInitialize: [failure] }, { provider: { processHost } });
    await assert.rejects(start({ signal: controller.signal }), {
      name: "SubagentFailure",
      message: protocol,
    });
  });
});

/** A host that tells what its children have said to the provider by now. */
function listeningHost(): { readonly processHost: ProcessHost; heard(): string } {
  const host = nodeProcessHost();
  let heard = "";
  return {
    heard: () => heard,
    processHost: {
      spawn: ({ stdout, ...spec }) =>
        host.spawn({
          ...spec,
          stdout: {
            data(chunk) {
              stdout.data(chunk);
              heard += new TextDecoder().decode(chunk);
            },
            end: () => stdout.end(),
          },
        }),
    },
  };
}

/** A host whose children cannot be ended for sure, though they are. */
function stubborn(): ProcessHost {
  const host = nodeProcessHost();
  return {
    async spawn(spec) {
      const handle = await host.spawn(spec);
      return {
        pid: handle.pid,
        exit: handle.exit,
        write: (data) => handle.write(data),
        stop: async (options) => {
          await handle.stop(options);
          throw new Error("raw leftover canary");
        },
      };
    },
  };
}

describe("a shutdown that fails is told as the contract's row", () => {
  it("41 at dispose()", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, {}, { provider: { processHost: stubborn() } });
    const run = await start();
    assert.equal((await run.result).stopReason, "completed");
    const disposed = run.dispose();
    assert.equal(run.dispose(), disposed, "one shared promise");
    await assert.rejects(disposed, { name: "SubagentFailure", message: shutdown });
    assert.deepEqual(hostFailures.map(({ operation, runId }) => ({ operation, runId })), [
      { operation: "dispose", runId: run.id },
    ]);
  });

  it("2.2 a failed start whose clean-up failed is both, in order", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, { onInitialize: [failure] }, {
      provider: { processHost: stubborn() },
    });
    await assert.rejects(start(), (error: AggregateError) => {
      assert.equal(error.name, "AggregateError");
      assert.equal(error.message, `${protocol}; ${shutdown}`);
      assert.deepEqual(error.errors.map(({ message }: Error) => message), [protocol, shutdown]);
      return true;
    });
    assert.deepEqual(hostFailures.map(({ operation }) => operation), ["start", "dispose"]);
  });

  it("2.2 a cancelled start whose clean-up failed is the clean-up alone", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const { start } = delegator(workplace, { onInitialize: [] }, { provider: { processHost: stubborn() } });
    const starting = start({ signal: controller.signal });
    await eventually(() => workplace.received().includes("initialize"), "the runtime got initialize");
    controller.abort();
    await assert.rejects(starting, (error: AggregateError) => {
      assert.equal(error.name, "AggregateError");
      assert.equal(error.message, shutdown);
      assert.equal(error.errors.length, 1);
      return true;
    });
  });
});

describe("what the host is told", () => {
  it("is the original error, with its class and what the runtime sent", async () => {
    const { hostFailures } = await delegate({ onPrompt: [{ do: "reply", result: { messageId: 7 } }] });
    const error = hostFailures[0]?.error;
    assert.ok(SdkProtocolError.is(error));
    assert.deepEqual(error.payload, { messageId: 7 });
    assert.equal(error.fault, "no-message-id");
  });

  it("has the end of the runtime's stderr beside it, unlisted", async () => {
    const { hostFailures } = await delegate({
      onPrompt: [{ do: "stderr", text: "Error: cannot find the model\n" }, { do: "exit", code: 1 }],
    });
    const [failure] = hostFailures;
    assert.ok(failure !== undefined && TransportClosedError.is(failure.error));
    assert.equal(failure.stderrTail, "Error: cannot find the model\n");
    assert.deepEqual(Object.keys(failure).sort(), ["error", "operation", "provider", "runId"]);
  });

  it('has none of it with stderr: "ignore"', async () => {
    const { hostFailures } = await delegate(
      { onPrompt: [{ do: "stderr", text: "raw\n" }, { do: "exit", code: 1 }] },
      { config: { stderr: "ignore" } },
    );
    assert.equal(hostFailures[0]?.stderrTail, "");
  });
});

describe("dshSdkProvider()", () => {
  it("is a version 1 provider without start capabilities", () => {
    const provider = dshSdkProvider({ command: "runtime" });
    assert.equal(provider.specificationVersion, "v1");
    assert.equal(provider.name, "dsh-sdk");
    assert.equal(provider.inheritsParentContext, false);
    assert.deepEqual(provider.capabilities, {
      agentOptions: false,
      outputSchema: false,
      depthLimit: false,
      toolFilter: false,
      persona: false,
    });
  });

  for (
    const [cwd, message] of [
      ["", "subagent-dsh-sdk: config cwd must not be empty — omit the key to inherit the parent session cwd"],
      ["/nonexistent", "subagent-dsh-sdk: config cwd is not an accessible directory: /nonexistent"],
      ["/etc/passwd", "subagent-dsh-sdk: config cwd is not an accessible directory: /etc/passwd"],
    ] as const
  ) {
    it(`refuses the configured directory ${JSON.stringify(cwd)} when it is made`, () => {
      assert.throws(() => dshSdkProvider({ command: "runtime", cwd }), { message });
    });
  }
});
