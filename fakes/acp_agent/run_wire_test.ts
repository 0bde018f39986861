import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import { type RawClient, withAgent } from "../test_support/raw_client.ts";
import type { Json } from "./json.ts";
import type { AgentScript, Step } from "./script.ts";

/** Ids 0 and 1 are `initialize` and `session/new`, so the prompt has this one. */
const PROMPT_ID = 2;
const SESSION = "session-1";

function update(content: Json, sessionId = SESSION): Json {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: content } };
}

function chunk(text: string, sessionId = SESSION): Json {
  return update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }, sessionId);
}

function response(fields: { readonly [name: string]: Json }): Json {
  return { jsonrpc: "2.0", id: PROMPT_ID, ...fields };
}

const END_TURN = response({ result: { stopReason: "end_turn" } });

/** Plays a prompt handler and takes the lines behind the two of the handshake. */
async function play(
  steps: readonly Step[],
  count: number,
  body: (lines: readonly string[], client: RawClient) => Promise<void> | void,
  { text = "hi", ...script }: AgentScript & { readonly text?: string } = {},
): Promise<void> {
  await withAgent({ onPrompt: steps, ...script }, async (client) => {
    client.prompt(await client.open(), text);
    const lines = await client.until(() =>
      client.lines.length >= 2 + count ? client.lines.slice(2) : undefined
    );
    await body(lines, client);
  });
}

/** One row: what a prompt handler does and the messages that come of it, whole and in order. */
interface Row {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly wire: readonly Json[];
  readonly text?: string;
}

const ROWS: readonly Row[] = [
  { name: "stop ends the turn with end_turn", steps: [{ do: "stop" }], wire: [END_TURN] },
  {
    name: "stop takes a reason that the protocol does not know",
    steps: [{ do: "stop", reason: "whatever" }],
    wire: [response({ result: { stopReason: "whatever" } })],
  },
  {
    name: "stop takes a reason of the wrong type",
    steps: [{ do: "stop", reason: null }],
    wire: [response({ result: { stopReason: null } })],
  },
  {
    name: "reply writes a null result",
    steps: [{ do: "reply", result: null }],
    wire: [response({ result: null })],
  },
  {
    name: "reply writes an error with code, message and data",
    steps: [{ do: "reply", error: { code: -32000, message: "No", data: { why: ["x"] } } }],
    wire: [response({ error: { code: -32000, message: "No", data: { why: ["x"] } } })],
  },
  {
    name: "reply writes both result and error",
    steps: [{ do: "reply", result: 1, error: { code: 1, message: "m" } }],
    wire: [response({ result: 1, error: { code: 1, message: "m" } })],
  },
  { name: "reply writes neither result nor error", steps: [{ do: "reply" }], wire: [response({})] },
  {
    name: "reply writes the same answer twice",
    steps: [{ do: "reply", result: {}, times: 2 }],
    wire: [response({ result: {} }), response({ result: {} })],
  },
  {
    name: "reply writes another id",
    steps: [{ do: "reply", result: {}, id: 999 }],
    wire: [{ jsonrpc: "2.0", id: 999, result: {} }],
  },
  {
    name: "reply writes the id as a string",
    steps: [{ do: "reply", result: {}, id: { $requestId: "string" } }],
    wire: [{ jsonrpc: "2.0", id: String(PROMPT_ID), result: {} }],
  },
  {
    name: "reply leaves out jsonrpc",
    steps: [{ do: "reply", result: {}, omit: ["jsonrpc"] }],
    wire: [{ id: PROMPT_ID, result: {} }],
  },
  {
    name: "reply leaves out the id",
    steps: [{ do: "reply", error: { code: -32700, message: "Parse error" }, omit: ["id"] }],
    wire: [{ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } }],
  },
  {
    name: "text streams a chunk, also an empty one, and also behind the answer",
    steps: [{ do: "text", text: "a" }, { do: "text", text: "" }, { do: "stop" }, {
      do: "text",
      text: "late",
    }],
    wire: [chunk("a"), chunk(""), END_TURN, chunk("late")],
  },
  {
    name: "text goes to another session",
    steps: [{ do: "text", text: "a", sessionId: "other" }],
    wire: [chunk("a", "other")],
  },
  {
    name: "text counts its repetitions",
    steps: [{ do: "text", text: { $index: true }, times: 3 }],
    wire: [chunk("0"), chunk("1"), chunk("2")],
  },
  {
    name: "text writes what is no string as JSON text",
    steps: [{ do: "text", text: { $param: "/prompt" } }],
    wire: [chunk('[{"type":"text","text":"hi"}]')],
  },
  ...[
    {
      kind: "thought",
      content: { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
    },
    {
      kind: "non-text chunk",
      content: {
        sessionUpdate: "agent_message_chunk",
        content: { type: "image", data: "AA==", mimeType: "image/png" },
      },
    },
    { kind: "tool call", content: { sessionUpdate: "tool_call", toolCallId: "t", title: "T", kind: "read" } },
    {
      kind: "tool call update",
      content: { sessionUpdate: "tool_call_update", toolCallId: "t", status: "failed" },
    },
    { kind: "plan", content: { sessionUpdate: "plan", entries: [] } },
    { kind: "kind that nobody knows", content: { sessionUpdate: "fanfare", loud: true } },
  ].map(({ kind, content }): Row => ({
    name: `update sends a ${kind} as it is written`,
    steps: [{ do: "update", update: content }],
    wire: [update(content)],
  })),
  {
    name: "update goes to another session, repeatedly",
    steps: [{ do: "update", update: { sessionUpdate: "plan", entries: [] }, sessionId: 5, times: 2 }],
    wire: [0, 1].map(() => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: 5, update: { sessionUpdate: "plan", entries: [] } },
    })),
  },
  {
    name: "echo cuts the prompt's text between two code points",
    steps: [{ do: "echo" }, { do: "stop" }],
    wire: [chunk("ab🙂"), chunk("cé"), END_TURN],
    text: "ab🙂cé",
  },
  {
    name: "echo says nothing to an empty prompt",
    steps: [{ do: "echo" }, { do: "stop" }],
    wire: [END_TURN],
    text: "",
  },
  {
    name: "notify sends a notification with and without params",
    steps: [{ do: "notify", method: "$/cancel_request", params: { requestId: 7 } }, {
      do: "notify",
      method: "_x/y",
    }],
    wire: [
      { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 7 } },
      { jsonrpc: "2.0", method: "_x/y" },
    ],
  },
  {
    name: "send writes a batch, a scalar and null, each as a line",
    steps: [
      { do: "send", message: [{ jsonrpc: "2.0", id: { $requestId: true }, result: {} }] },
      { do: "send", message: 42 },
      { do: "send", message: null, times: 2 },
    ],
    wire: [[response({ result: {} })], 42, null, null],
  },
];

describe("steps that write", () => {
  for (const { name, steps, wire, text = "hi" } of ROWS) {
    it(name, async () => {
      await play(
        steps,
        wire.length,
        (lines) => assert.deepEqual(lines.map((line) => JSON.parse(line)), wire),
        { text },
      );
    });
  }

  it("reply answers the newest open request of a method from another handler", async () => {
    const script: AgentScript = {
      onPrompt: [{ do: "hang" }],
      onMethod: { "_go": [{ do: "reply", to: "session/prompt", result: { stopReason: "refusal" } }] },
    };
    await withAgent(script, async (client) => {
      const sessionId = await client.open();
      client.prompt(sessionId, "first");
      const second = client.prompt(sessionId, "second");
      client.notify("_go", {});
      assert.deepEqual((await client.response(second))["result"], { stopReason: "refusal" });
    });
  });

  it("reply where there is nothing to answer exits 70 and says so on stderr", async () => {
    await withAgent({ onMethod: { "_go": [{ do: "reply" }] } }, async (client) => {
      client.notify("_go", {});
      assert.deepEqual(await client.ending, { code: 70, signal: null });
      assert.match(client.stderr, /no request to answer/);
    });
  });

  it("update before the session/new response carries the session that is being made", async () => {
    await withAgent({
      onSessionNew: [{ do: "text", text: "early" }, {
        do: "reply",
        result: { sessionId: { $sessionId: true } },
      }],
    }, async (client) => {
      await client.open();
      assert.deepEqual(client.messages[1], chunk("early"));
    });
  });

  it("line writes noise as it is, so many times", async () => {
    const steps: Step[] = [
      { do: "line", text: '{"cut', times: 2 },
      { do: "line", text: { $text: ["n", { $index: true }] }, times: 2 },
      { do: "stop" },
    ];
    await play(steps, 5, (lines) => {
      assert.deepEqual(lines.slice(0, 4), ['{"cut', '{"cut', '["n",0]', '["n",1]']);
      assert.deepEqual(JSON.parse(lines[4] ?? ""), END_TURN);
    });
  });

  it("raw writes text without a line end", async () => {
    await play([{ do: "raw", text: "no" }, { do: "raw", text: "ise\n" }, { do: "stop" }], 2, (lines) => {
      assert.equal(lines[0], "noise");
    });
  });

  it("raw repeated writes an endless line of many mebibytes", async () => {
    const bytes = 5 * 1024 * 1024;
    await withAgent({ onStart: [{ do: "raw", text: "x", times: bytes }] }, async (client) => {
      await client.until(() => client.bytes.length >= bytes || undefined);
      assert.equal(client.bytes.length, bytes);
      assert.ok(client.bytes.every((byte) => byte === 0x78));
      assert.deepEqual(client.lines, []);
    });
  });

  it("bytes writes what is no UTF-8", async () => {
    await withAgent({ onStart: [{ do: "bytes", base64: "/wr+", times: 2 }] }, async (client) => {
      await client.until(() => client.bytes.length === 6 || undefined);
      assert.deepEqual(client.bytes, Buffer.from([0xff, 0x0a, 0xfe, 0xff, 0x0a, 0xfe]));
    });
  });

  it("burst hands several messages over in one write", async () => {
    const steps: Step[] = [{
      do: "burst",
      steps: [{ do: "text", text: "a" }, { do: "text", text: "b" }, { do: "stop" }],
    }];
    await play(steps, 3, (lines, client) => {
      assert.deepEqual(lines.map((line) => JSON.parse(line)), [chunk("a"), chunk("b"), END_TURN]);
      assert.equal(client.chunks.at(-1)?.toString(), `${lines.join("\n")}\n`);
    });
  });

  it("burst cuts inside the first multibyte character", async () => {
    const steps: Step[] = [
      { do: "burst", cut: "character", gapMs: 300, steps: [{ do: "text", text: "aé" }] },
      {
        do: "stop",
      },
    ];
    await play(steps, 2, (lines, client) => {
      assert.deepEqual(JSON.parse(lines[0] ?? ""), chunk("aé"));
      const ends = client.chunks.map((part) => part.at(-1));
      assert.ok(ends.includes(0xc3), "a piece ends in the first byte of é");
    });
  });

  it("burst cuts at byte offsets", async () => {
    const script: AgentScript = {
      onStart: [{ do: "burst", cut: [1, 3], gapMs: 300, steps: [{ do: "raw", text: "abcdef" }] }],
    };
    await withAgent(script, async (client) => {
      await client.until(() => client.bytes.length >= 1 || undefined);
      const first = performance.now();
      await client.until(() => client.bytes.length === 6 || undefined);
      assert.deepEqual(client.chunks.map(String), ["a", "bc", "def"]);
      assert.ok(performance.now() - first > 300, "there are two gaps of 300 ms");
    });
  });

  it("framing surrounds every later line", async () => {
    const steps: Step[] = [
      { do: "framing", before: "\ufeff", after: "\r\n\n" },
      { do: "text", text: "a" },
      { do: "line", text: "noise" },
      { do: "framing", after: "" },
      { do: "stop" },
    ];
    await play(steps, 4, async (_, client) => {
      const wire = `\ufeff${JSON.stringify(chunk("a"))}\r\n\n\ufeffnoise\r\n\n${JSON.stringify(END_TURN)}`;
      await client.until(() => client.bytes.toString().endsWith(wire) || undefined);
    });
  });

  it("text repeated 200,000 times streams 41 MB of equal updates under back-pressure", async () => {
    const times = 200_000;
    const text = "x".repeat(206 - 1 - JSON.stringify(chunk("")).length);
    await withAgent({ onPrompt: [{ do: "text", text, times }, { do: "stop" }] }, async (client) => {
      const answer = await client.response(client.prompt(await client.open(), "flood"));
      assert.deepEqual(answer, END_TURN);
      assert.equal(client.lines.length, times + 3);
      const line = JSON.stringify(chunk(text));
      assert.ok(client.lines.slice(2, -1).every((each) => each === line));
      assert.ok(client.bytes.length > times * 206);
    });
  });

  it("text repeated stops soon after a cancel that drops the turn", async () => {
    const script: AgentScript = { onPrompt: [{ do: "text", text: "x".repeat(64), times: 1_000_000 }] };
    await withAgent(script, async (client) => {
      const sessionId = await client.open();
      const id = client.prompt(sessionId, "flood");
      await client.until(() => client.lines.length > 1_000 || undefined);
      client.notify("session/cancel", { sessionId });
      assert.deepEqual((await client.response(id))["result"], { stopReason: "cancelled" });
      assert.ok(client.lines.length < 1_000_000);
    });
  });

  it("stderr writes text, and more than the pipe holds blocks only its own handler", async () => {
    const script: AgentScript = {
      onPrompt: {
        turns: [[{ do: "stderr", text: "log\n", times: 1_000_000 }, { do: "stop" }], [{ do: "stop" }]],
      },
    };
    await withAgent(script, async (client) => {
      const sessionId = await client.open();
      const blocked = client.prompt(sessionId, "log");
      const answer = await client.response(client.prompt(sessionId, "next"));
      assert.deepEqual(answer["result"], { stopReason: "end_turn" });
      assert.equal(client.lines.some((line) => JSON.parse(line).id === blocked), false);
    }, { ignoreStderr: true });
    await withAgent(
      { onPrompt: [{ do: "stderr", text: "log\n", times: 3 }, { do: "stop" }] },
      async (client) => {
        await client.ask("log");
        await client.until(() => client.stderr.length >= 12 || undefined);
        assert.equal(client.stderr, "log\nlog\nlog\n");
      },
    );
  });
});
