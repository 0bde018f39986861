/** Every ending of a published run, against a real child process, with the text compared whole. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json } from "../../fakes/acp_agent/json.ts";
import type { RuntimeStep } from "../../fakes/dsh_runtime/script.ts";
import { eventually } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import type { SubagentResult } from "../seam/types.ts";
import {
  delegate,
  type DelegationOptions,
  delegator,
  listeningHost,
  output,
} from "./delegation_fixtures_test.ts";

const accept: RuntimeStep = { do: "accept" };
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
