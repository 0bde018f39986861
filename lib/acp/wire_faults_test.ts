/**
 * Faults that hosts of agents were reported for, each as a test named after the symptom. The report behind a name
 * stands in brackets.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AgentScript, Step } from "../../fakes/acp_agent/script.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import type { SubagentRun } from "../seam/types.ts";
import {
  completed,
  delegate,
  type DelegationOptions,
  delegator,
  done,
  hang,
  MiB,
  text,
  textOf,
} from "./delegation_fixtures_test.ts";

describe("framing", () => {
  const answered: readonly Step[] = [text("ok"), done];
  const rows:
    readonly (readonly [name: string, script: AgentScript, config?: DelegationOptions["config"]])[] = [
      ["log lines between frames are noise (acpx#160)", {
        onPrompt: [
          { do: "line", text: "INFO starting", times: 3 },
          text("o"),
          { do: "line", text: "{cut" },
          text("k"),
          done,
        ],
      }],
      ["a shell profile that talks before the first frame is noise (codex-acp#177, vscode-acp#47)", {
        onStart: [{ do: "raw", text: "Welcome!\nYou have mail.\n\n" }],
        onPrompt: answered,
      }],
      ["a thousand noise lines from an agent that reads nothing meanwhile do not stall the reader", {
        onPrompt: [{ do: "pauseStdin" }, { do: "line", text: "noise ".repeat(20), times: 5000 }, ...answered],
      }],
      ["JSON scalars, batches and foreign objects are noise", {
        onPrompt: [
          { do: "send", message: 42 },
          { do: "send", message: null },
          { do: "send", message: "text" },
          { do: "send", message: [{ jsonrpc: "2.0", id: 2, result: { stopReason: "refusal" } }] },
          { do: "send", message: { level: "info", message: "listening" } },
          ...answered,
        ],
      }],
      ["escape sequences of a launcher in front of a frame do not hide it (kagan-legacy#148)", {
        onPrompt: [{ do: "raw", text: "\x1b]0;agent\x07\x1b[?25h" }, ...answered],
      }],
      ["lines longer than 64 kB are lines (python-sdk#27)", {
        onPrompt: [{
          do: "update",
          update: {
            sessionUpdate: "agent_thought_chunk",
            content: { type: "text", text: { $repeat: { text: "y", times: 8 * MiB } } },
          },
        }, ...answered],
      }],
      ["CRLF line ends are line ends", { onStart: [{ do: "framing", after: "\r\n" }], onPrompt: answered }],
      ["blank lines and byte order marks are nothing", {
        onStart: [{ do: "raw", text: "\ufeff" }, { do: "framing", before: "\n\n", after: "\n  \n" }],
        onPrompt: answered,
      }],
      ["deep nesting is a line like any other", {
        onPrompt: [{ do: "raw", text: "[", times: 100_000 }, { do: "raw", text: "\n" }, ...answered],
      }],
      ["a last line without an end is a line", {
        onPrompt: [text("ok"), { do: "framing", after: "" }, done, { do: "exit" }],
      }],
      ["a response to nobody is nothing", {
        onPrompt: [
          { do: "reply", result: { stopReason: "refusal" }, id: 777 },
          { do: "reply", result: { stopReason: "refusal" }, id: { $requestId: "string" } },
          { do: "reply", result: { stopReason: "refusal" }, id: null },
          ...answered,
        ],
      }],
      ["a response that comes twice counts once", {
        onPrompt: [text("ok"), { do: "reply", result: { stopReason: "end_turn" }, times: 2 }],
      }],
      ["a response without jsonrpc is a response", {
        onPrompt: [text("ok"), { do: "reply", result: { stopReason: "end_turn" }, omit: ["jsonrpc"] }],
      }],
    ];
  for (const [name, script, config] of rows) {
    it(name, async () => {
      using workplace = new Workplace();
      const { start } = delegator(workplace, script, { config: config ?? {} });
      const run = await start();
      assert.deepEqual(await run.result, completed("ok"));
      await run.dispose();
      assert.deepEqual(
        workplace.received(),
        ["initialize", "session/new", "session/prompt"],
        "noise is never answered",
      );
    });
  }

  it("UTF-8 that is split between reads stays whole (codex-acp#345, poe-code#369)", async () => {
    const { result } = await delegate({
      onPrompt: [{ do: "burst", steps: [text("grüße 🦊 世界")], cut: "character" }, done],
    });
    assert.deepEqual(result, completed("grüße 🦊 世界"));
  });

  it("bytes that are no UTF-8 become U+FFFD and lose nothing else", async () => {
    const bytes = (base64: string): Step => ({ do: "bytes", base64 });
    const line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":` +
      `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a`;
    const { result } = await delegate({
      onPrompt: [bytes(btoa(`${line}\xff`)), { do: "raw", text: `b"}}}}\n` }, done],
    });
    assert.deepEqual(result, completed("a\ufffdb"));
  });

  it("an unbounded unfinished line fails the run, keeps its text and takes no memory (acpx#539)", async () => {
    const { result } = await delegate({
      onPrompt: [text("before"), { do: "raw", text: "x".repeat(1024), times: 64 * 1024 }, hang],
    }, { config: { maxMessageBytes: MiB, disposeEofGraceMs: 200 } });
    assert.deepEqual(result, {
      ...completed("before"),
      stopReason: "error",
      diagnostic: "Subagent failure (provider: ACP; stage: prompt; category: transport)",
    });
  });

  it("an endless answer fails the run at maxOutputBytes and keeps what fits, whole characters only", async () => {
    const { result } = await delegate({ onPrompt: [{ do: "text", text: "äää", times: 1000 }, done] }, {
      config: { maxOutputBytes: 99 },
    });
    assert.equal(result.stopReason, "error");
    assert.equal(textOf(result), "ä".repeat(49));
    assert.equal(result.diagnostic, "Subagent failure (provider: ACP; stage: prompt; category: transport)");
  });
});

describe("untidy agents", () => {
  it("requests of every kind are answered, whenever they come", async () => {
    using workplace = new Workplace();
    const request = (method: string, params: unknown = {}): Step => ({
      do: "request",
      method,
      params: params as never,
    });
    const { start } = delegator(workplace, {
      onSessionNew: [
        { do: "ask", wait: false },
        { do: "reply", result: { sessionId: { $sessionId: true } } },
        request("_vendor/status"),
      ],
      onPrompt: [
        request("fs/read_text_file", { sessionId: "session-1", path: "/etc/passwd" }),
        request("fs/write_text_file"),
        request("terminal/create"),
        request("elicitation/create"),
        request("craft/drainMidTurnQueue"),
        { do: "request", method: "no/params" },
        { do: "notify", method: "$/cancel_request", params: { requestId: 0 } },
        { do: "update", update: { sessionUpdate: "tool_call_update", toolCallId: "unannounced" } },
        text("ok"),
        done,
      ],
    });
    const run = await start();
    assert.deepEqual(await run.result, completed("ok"));
    await run.dispose();
    const answers = workplace.messages().filter(({ method }) => method === undefined);
    assert.deepEqual(answers.map(({ error }) => error), [
      undefined,
      ...Array.from({ length: 7 }, () => ({ code: -32601, message: "Method not found" })),
    ]);
  });
});

describe("the wire", () => {
  it("carries the three requests of one delegation and nothing else", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [done] });
    const run: SubagentRun = await start({
      prompt: [{ type: "reasoning", text: "dropped" }, { type: "text", text: "do X" }, {
        type: "text",
        text: "then Y",
      }],
    });
    await run.result;
    await run.dispose();
    assert.deepEqual(workplace.messages(), [
      { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } },
      { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: workplace.path, mcpServers: [] } },
      {
        jsonrpc: "2.0",
        id: 2,
        method: "session/prompt",
        params: {
          sessionId: "session-1",
          prompt: [{ type: "text", text: "do X" }, { type: "text", text: "then Y" }],
        },
      },
    ]);
  });

  it("carries images, audio and resources to an agent that advertises them", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, {
      onInitialize: [{
        do: "reply",
        result: {
          protocolVersion: 1,
          agentCapabilities: { promptCapabilities: { image: true, audio: true, embeddedContext: true } },
        },
      }],
      onPrompt: [done],
    });
    const prompt = [
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "a" } },
      { type: "resource_link", uri: "file:///b", name: "b" },
    ];
    const run = await start({ prompt });
    await run.result;
    await run.dispose();
    const sent = workplace.messages().find(({ method }) => method === "session/prompt");
    assert.deepEqual((sent?.["params"] as { prompt: unknown }).prompt, prompt);
  });
});
