import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { post, postForEvents, postForJson, withModelServer } from "../test_support/model_client.ts";

const PATH = "/v1/chat/completions";
const USAGE = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };

function ask(prompt: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model: "m",
    messages: [{ role: "system", content: "SAY:no" }, { role: "user", content: prompt }],
    ...rest,
  };
}

const bash = {
  type: "function",
  function: { name: "bash", parameters: { type: "object", properties: { command: { type: "string" } } } },
};

function chunk(delta: Record<string, unknown>, finish: string | null = null): [undefined, unknown] {
  return [undefined, {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  }];
}

const END = [
  [undefined, {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "m",
    choices: [],
    usage: USAGE,
  }],
  [undefined, "[DONE]"],
];

describe("OpenAI Chat Completions", () => {
  it("streams reasoning and text", () =>
    withModelServer(async (server) => {
      assert.deepEqual(await postForEvents(server, PATH, ask("THINK:hm SAY:a b", { stream: true })), [
        chunk({ role: "assistant", content: "" }),
        chunk({ reasoning_content: "hm" }),
        chunk({ content: "a " }),
        chunk({ content: "b" }),
        chunk({}, "stop"),
        ...END,
      ]);
    }));

  it("streams a tool call", () =>
    withModelServer(async (server) => {
      const events = await postForEvents(server, PATH, ask("TOOL:bash:ls", { stream: true, tools: [bash] }));
      const call = {
        id: "call_2",
        type: "function",
        function: { name: "bash", arguments: '{"command":"ls"}' },
      };
      assert.deepEqual(events, [
        chunk({ role: "assistant", content: "" }),
        chunk({ tool_calls: [{ index: 0, ...call }] }),
        chunk({}, "tool_calls"),
        ...END,
      ]);
    }));

  for (
    const [script, finish] of [["STOP:max_tokens", "length"], ["STOP:refusal", "content_filter"]] as const
  ) {
    it(`ends ${script} as ${finish}`, () =>
      withModelServer(async (server) => {
        const events = await postForEvents(server, PATH, ask(`SAY:a ${script}`, { stream: true }));
        assert.deepEqual(events.slice(1), [chunk({ content: "a" }), chunk({}, finish), ...END]);
      }));
  }

  it("answers text in one piece", () =>
    withModelServer(async (server) => {
      assert.deepEqual(await postForJson(server, PATH, ask("THINK:hm SAY:a b")), {
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 1_700_000_000,
        model: "m",
        choices: [{
          index: 0,
          message: { role: "assistant", content: "a b", reasoning_content: "hm" },
          finish_reason: "stop",
          logprobs: null,
        }],
        usage: USAGE,
      });
    }));

  it("answers a tool call in one piece, then repeats the tool's result", () =>
    withModelServer(async (server) => {
      const first = await postForJson(server, PATH, ask("TOOL:bash:ls", { tools: [bash] }));
      const call = {
        id: "call_2",
        type: "function",
        function: { name: "bash", arguments: '{"command":"ls"}' },
      };
      const message = { role: "assistant", content: null, tool_calls: [call] };
      assert.deepEqual((first as { choices: unknown }).choices, [
        { index: 0, message, finish_reason: "tool_calls", logprobs: null },
      ]);
      const messages = [{ role: "user", content: "TOOL:bash:ls" }, message, {
        role: "tool",
        tool_call_id: "call_2",
        content: "a.txt",
      }];
      const second = await postForJson(server, PATH, { model: "m", messages, tools: [bash] });
      assert.deepEqual((second as { choices: { message: unknown }[] }).choices[0]?.message, {
        role: "assistant",
        content: "Done: a.txt",
      });
    }));

  it("reads system and developer messages as not the user's", () =>
    withModelServer(async (server) => {
      const messages = ["system", "developer", "user"].map((role) => ({ role, content: `SAY:${role}` }));
      await postForJson(server, PATH, { model: "m", messages });
      const [entry] = server.journal;
      const read = entry?.kind === "model-request" ? entry.request.messages : [];
      assert.deepEqual(read.map(({ role, text }) => [role, text]), [
        ["system", "SAY:system"],
        ["system", "SAY:developer"],
        ["user", "SAY:user"],
      ]);
    }));

  it("answers a value that fits response_format.json_schema.schema", () =>
    withModelServer(async (server) => {
      const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
      const body = ask("hello", {
        response_format: { type: "json_schema", json_schema: { name: "x", schema } },
      });
      const answer = await postForJson(server, PATH, body) as { choices: { message: { content: string } }[] };
      assert.equal(answer.choices[0]?.message.content, '{"ok":false}');
    }));

  for (
    const [status, type, code] of [
      [400, "invalid_request_error", null],
      [401, "invalid_request_error", "invalid_api_key"],
      [429, "rate_limit_error", "rate_limit_exceeded"],
      [500, "server_error", null],
    ] as const
  ) {
    it(`answers HTTP ${status} as ${type}`, () =>
      withModelServer(async (server) => {
        const response = await post(server, PATH, ask(`HTTP:${status}`));
        assert.equal(response.status, status);
        const error = { message: `Scripted error ${status}`, type, code, param: null };
        assert.deepEqual(await response.json(), { error });
      }));
  }
});
