import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { post, postForEvents, postForJson, withModelServer } from "../test_support/model_client.ts";

const PATH = "/v1/messages";
const USAGE = {
  input_tokens: 10,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

function ask(prompt: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: "m", max_tokens: 9, messages: [{ role: "user", content: prompt }], ...rest };
}

const bash = {
  name: "Bash",
  input_schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};

describe("Anthropic Messages", () => {
  it("streams thinking and text", () =>
    withModelServer(async (server) => {
      const events = await postForEvents(server, PATH, ask("THINK:hm SAY:a b", { stream: true }));
      const message = { id: "msg_1", type: "message", role: "assistant", model: "m" };
      assert.deepEqual(events, [
        ["message_start", {
          type: "message_start",
          message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: USAGE },
        }],
        ["ping", { type: "ping" }],
        ["content_block_start", {
          type: "content_block_start",
          index: 0,
          content_block: { type: "thinking", thinking: "", signature: "" },
        }],
        ["content_block_delta", {
          type: "content_block_delta",
          index: 0,
          delta: { type: "thinking_delta", thinking: "hm" },
        }],
        ["content_block_delta", {
          type: "content_block_delta",
          index: 0,
          delta: { type: "signature_delta", signature: "signature" },
        }],
        ["content_block_stop", { type: "content_block_stop", index: 0 }],
        ["content_block_start", {
          type: "content_block_start",
          index: 1,
          content_block: { type: "text", text: "" },
        }],
        ["content_block_delta", {
          type: "content_block_delta",
          index: 1,
          delta: { type: "text_delta", text: "a " },
        }],
        ["content_block_delta", {
          type: "content_block_delta",
          index: 1,
          delta: { type: "text_delta", text: "b" },
        }],
        ["content_block_stop", { type: "content_block_stop", index: 1 }],
        ["message_delta", {
          type: "message_delta",
          delta: { stop_reason: "end_turn", stop_sequence: null },
          usage: USAGE,
        }],
        ["message_stop", { type: "message_stop" }],
      ]);
    }));

  it("streams a tool call", () =>
    withModelServer(async (server) => {
      const events = await postForEvents(server, PATH, ask("TOOL:bash:ls", { stream: true, tools: [bash] }));
      assert.deepEqual(events.slice(2), [
        ["content_block_start", {
          type: "content_block_start",
          index: 0,
          content_block: { type: "tool_use", id: "toolu_2", name: "Bash", input: {} },
        }],
        ["content_block_delta", {
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json: '{"command":"ls"}' },
        }],
        ["content_block_stop", { type: "content_block_stop", index: 0 }],
        ["message_delta", {
          type: "message_delta",
          delta: { stop_reason: "tool_use", stop_sequence: null },
          usage: USAGE,
        }],
        ["message_stop", { type: "message_stop" }],
      ]);
    }));

  it("answers in one piece", () =>
    withModelServer(async (server) => {
      assert.deepEqual(await postForJson(server, PATH, ask("THINK:hm SAY:a b STOP:refusal")), {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [{ type: "thinking", thinking: "hm", signature: "signature" }, {
          type: "text",
          text: "a b",
        }],
        stop_reason: "refusal",
        stop_sequence: null,
        usage: USAGE,
      });
    }));

  it("reads content parts, tool use and tool results", () =>
    withModelServer(async (server) => {
      const messages = [
        {
          role: "user",
          content: [{ type: "text", text: "<reminder>" }, { type: "text", text: "TOOL:bash:ls" }],
        },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "a.txt" }] }, {
            type: "text",
            text: "hurry",
          }],
        },
      ];
      const answer = await postForJson(server, PATH, { model: "m", messages, tools: [bash] });
      assert.deepEqual((answer as { content: unknown }).content, [{ type: "text", text: "Done: a.txt" }]);
    }));

  it("answers a value that fits output_config.format.schema", () =>
    withModelServer(async (server) => {
      const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
      const body = ask("hello", { output_config: { format: { type: "json_schema", schema } } });
      const answer = await postForJson(server, PATH, body);
      assert.deepEqual((answer as { content: unknown }).content, [{
        type: "text",
        text: '{"title":"text"}',
      }]);
    }));

  for (
    const [status, type] of [
      [400, "invalid_request_error"],
      [401, "authentication_error"],
      [429, "rate_limit_error"],
      [500, "api_error"],
      [529, "overloaded_error"],
    ] as const
  ) {
    it(`answers HTTP ${status} as ${type}`, () =>
      withModelServer(async (server) => {
        const response = await post(server, PATH, ask(`HTTP:${status}`));
        assert.equal(response.status, status);
        assert.equal(response.headers.get("retry-after"), status === 429 ? "1" : null);
        assert.deepEqual(await response.json(), {
          type: "error",
          error: { type, message: `Scripted error ${status}` },
        });
      }));
  }

  it("counts tokens", () =>
    withModelServer(async (server) => {
      assert.deepEqual(await postForJson(server, "/v1/messages/count_tokens", ask("x")), {
        input_tokens: 10,
      });
    }));
});
