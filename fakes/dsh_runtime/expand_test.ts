import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scriptedRuntime } from "../launch.ts";
import { withCommand } from "../test_support/raw_client.ts";
import { checkScript } from "../acp_agent/check_script.ts";
import { runtimeAgent } from "./expand.ts";
import type { RuntimeScript } from "./script.ts";

const prompt = { sessionId: "s", contentBlocks: [{ type: "text", text: "hello" }] } as const;
const event = (seq: number, type: string, data: unknown, sessionId = "s") => ({
  jsonrpc: "2.0",
  method: "session.event",
  params: { sessionId, event: { type, seq, time: 0, data } },
});
const status = (status: string, sessionId = "s") => ({
  jsonrpc: "2.0",
  method: "session.status",
  params: { sessionId, status },
});
const queued = (id: number) =>
  event(0, "agent/inbox/spliced", {
    target: "next-turn",
    start: 0,
    inserted: [{ id, role: "user", content: prompt.contentBlocks, source: { kind: "user" } }],
  });
const unqueued = event(2, "agent/inbox/spliced", {
  target: "next-turn",
  start: 0,
  removedCount: 1,
  inserted: [],
});
const assistant = (content: unknown) => ({
  turn: 1,
  step: 1,
  message: {
    id: "message-of-assistant",
    role: "assistant",
    content,
    source: { kind: "model", provider: "fake", model: "fake" },
  },
});
const delta = (text: string) => ({ turn: 1, step: 1, chunk: { type: "text-delta", index: 0, text } });

describe("a scripted runtime", () => {
  it("behaves well without a script: a whole conversation", async () => {
    await withCommand(scriptedRuntime(), async (client) => {
      await client.request("initialize", { cwd: "/", provider: "p", model: "m" });
      await client.request("session/prompt", prompt);
      await client.message(({ params }) => JSON.stringify(params)?.includes('"idle"') ?? false);
      await client.request("shutdown", {});
      assert.deepEqual(await client.ending, { code: 0, signal: null });
      assert.deepEqual(client.messages, [
        {
          jsonrpc: "2.0",
          id: 0,
          result: { serverInfo: { name: "deepseek-harness-sdk-runtime", version: "0.0.1" } },
        },
        queued(1),
        status("running"),
        event(1, "turn/start", { turn: 1 }),
        unqueued,
        { jsonrpc: "2.0", id: 1, result: { messageId: 1 } },
        event(3, "assistant/chunk", delta("hello")),
        event(4, "assistant/message", assistant([{ type: "text", text: "hello" }])),
        event(5, "turn/end", { turn: 1, reason: { kind: "completed" } }),
        status("idle"),
        { jsonrpc: "2.0", id: 2, result: {} },
      ]);
    });
  });

  it("says each step of its language as the protocol has it", async () => {
    const script: RuntimeScript = {
      onPrompt: [
        { do: "accept", receipt: false },
        { do: "text", text: { $index: true }, times: 2 },
        { do: "message", content: "words", sessionId: "other" },
        { do: "event", type: "session/title", data: { title: "t" } },
        { do: "event", type: "step/end" },
        { do: "status", status: "paused", sessionId: "other" },
        { do: "burst", steps: [{ do: "end", reason: { kind: "error", error: {} } }] },
        { do: "receipt" },
      ],
    };
    await withCommand(scriptedRuntime(script), async (client) => {
      await client.request("session/prompt", prompt);
      assert.deepEqual(client.messages, [
        queued(0),
        status("running"),
        event(1, "turn/start", { turn: 1 }),
        unqueued,
        ...[0, 1].map((index) =>
          event(3, "assistant/chunk", { ...delta(""), chunk: { type: "text-delta", index: 0, text: index } })
        ),
        event(4, "assistant/message", assistant([{ type: "text", text: "words" }]), "other"),
        event(5, "session/title", { title: "t" }),
        event(6, "step/end", {}),
        status("paused", "other"),
        event(7, "turn/end", { turn: 1, reason: { kind: "error", error: {} } }),
        status("idle"),
        { jsonrpc: "2.0", id: 0, result: { messageId: 0 } },
      ]);
    });
  });

  it("answers noise with silence and unknown methods with -32603, as the real one does", async () => {
    await withCommand(scriptedRuntime(), async (client) => {
      client.sendRaw("noise\n[]\n42\n");
      const { error } = await client.request("session/cancel", {});
      assert.deepEqual(error, { code: -32603, message: "unknown runtime method" });
      assert.equal(client.lines.length, 1);
    });
  });
});

describe("runtimeAgent()", () => {
  for (
    const [name, script, message] of [
      ["a misspelt handler", { onprompt: [] }, 'Unknown field "onprompt" in the script'],
      ["a misspelt field", { onPrompt: [{ do: "end", reasn: "x" }] }, 'Unknown field "reasn" in step "end"'],
      [
        "a misspelt field in a nested step",
        { onEof: [{ do: "repeat", steps: [{ do: "text", txt: "x" }] }] },
        'Unknown field "txt" in step "text"',
      ],
    ] as const
  ) {
    it(`refuses ${name}`, () => {
      assert.throws(() => runtimeAgent(script as unknown as RuntimeScript), { name: "TypeError", message });
    });
  }

  it("leaves the check of common steps to the agent", () => {
    const script = runtimeAgent({ onPrompt: [{ do: "sleeep" }] } as unknown as RuntimeScript);
    assert.throws(() => checkScript(script), /onPrompt\[0\]\.do/);
  });

  it("gives each call of a handler its own list", () => {
    const { onPrompt } = runtimeAgent({ onPrompt: { turns: [[{ do: "hang" }], [{ do: "receipt" }]] } });
    assert.deepEqual(onPrompt, {
      turns: [[{ do: "hang" }], [{
        do: "reply",
        to: "session/prompt",
        result: { messageId: { $requestId: true } },
      }]],
    });
  });
});
