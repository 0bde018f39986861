/** What the provider asks of a runtime, what it takes for the answer, and what it tells the host. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json } from "../../fakes/acp_agent/json.ts";
import type { RuntimeStep } from "../../fakes/dsh_runtime/script.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { TransportClosedError } from "../json_rpc/errors.ts";
import { delegate, delegator, output } from "./delegation_fixtures_test.ts";
import { SdkProtocolError } from "./errors.ts";

const accept: RuntimeStep = { do: "accept" };
const receipt: RuntimeStep = { do: "receipt" };
const text = (value: string): RuntimeStep => ({ do: "text", text: value });
const end = (reason: Json): RuntimeStep => ({ do: "end", reason });
const event = (type: string, data: Json): RuntimeStep => ({ do: "event", type, data });

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
