import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { post, postForEvents, postForJson, withModelServer } from "../test_support/model_client.ts";

const PATH = "/v1/responses";
const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 11,
};

function ask(prompt: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  const content = [{ type: "input_text", text: prompt }];
  return { model: "m", input: [{ type: "message", role: "user", content }], ...rest };
}

function response(fields: Record<string, unknown>): Record<string, unknown> {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    error: null,
    incomplete_details: null,
    model: "m",
    parallel_tool_calls: false,
    tool_choice: "auto",
    tools: [],
    metadata: {},
    ...fields,
  };
}

const CREATED = response({ status: "in_progress", output: [], usage: null });

function events(...list: [type: string, fields: Record<string, unknown>][]): unknown[] {
  return list.map(([type, fields], index) => [type, { type, sequence_number: index, ...fields }]);
}

describe("OpenAI Responses", () => {
  it("streams text", () =>
    withModelServer(async (server) => {
      const part = { type: "output_text", text: "a b", annotations: [] };
      const item = { type: "message", id: "msg_2", role: "assistant", status: "completed", content: [part] };
      const at = { item_id: "msg_2", output_index: 0, content_index: 0 };
      assert.deepEqual(
        await postForEvents(server, PATH, ask("SAY:a b", { stream: true })),
        events(
          ["response.created", { response: CREATED }],
          ["response.output_item.added", {
            output_index: 0,
            item: { ...item, status: "in_progress", content: [] },
          }],
          ["response.content_part.added", {
            ...at,
            part: { type: "output_text", text: "", annotations: [] },
          }],
          ["response.output_text.delta", { ...at, delta: "a ", logprobs: [] }],
          ["response.output_text.delta", { ...at, delta: "b", logprobs: [] }],
          ["response.output_text.done", { ...at, text: "a b", logprobs: [] }],
          ["response.content_part.done", { ...at, part }],
          ["response.output_item.done", { output_index: 0, item }],
          ["response.completed", {
            response: response({ status: "completed", output: [item], usage: USAGE }),
          }],
        ),
      );
    }));

  it("streams a reasoning summary before the text", () =>
    withModelServer(async (server) => {
      const all = await postForEvents(server, PATH, ask("THINK:hm SAY:a", { stream: true }));
      const at = { item_id: "rs_2", output_index: 0, summary_index: 0 };
      const item = { type: "reasoning", id: "rs_2", summary: [{ type: "summary_text", text: "hm" }] };
      assert.deepEqual(
        all.slice(0, 7),
        events(
          ["response.created", { response: CREATED }],
          ["response.output_item.added", { output_index: 0, item: { ...item, summary: [] } }],
          ["response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } }],
          ["response.reasoning_summary_text.delta", { ...at, delta: "hm" }],
          ["response.reasoning_summary_text.done", { ...at, text: "hm" }],
          ["response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text: "hm" } }],
          ["response.output_item.done", { output_index: 0, item }],
        ),
      );
      assert.deepEqual(
        all.slice(7).map(([type, data]) => [type, (data as { output_index?: number }).output_index]),
        [
          ["response.output_item.added", 1],
          ["response.content_part.added", 1],
          ["response.output_text.delta", 1],
          ["response.output_text.done", 1],
          ["response.content_part.done", 1],
          ["response.output_item.done", 1],
          ["response.completed", undefined],
        ],
      );
    }));

  for (
    const [script, reason] of [["STOP:max_tokens", "max_output_tokens"], [
      "STOP:refusal",
      "content_filter",
    ]] as const
  ) {
    it(`ends ${script} as incomplete: ${reason}`, () =>
      withModelServer(async (server) => {
        const all = await postForEvents(server, PATH, ask(`SAY:a ${script}`, { stream: true }));
        const part = { type: "output_text", text: "a", annotations: [] };
        const item = {
          type: "message",
          id: "msg_2",
          role: "assistant",
          status: "incomplete",
          content: [part],
        };
        const last = { status: "incomplete", incomplete_details: { reason }, output: [item], usage: USAGE };
        assert.deepEqual(all.at(-1), [
          "response.incomplete",
          { type: "response.incomplete", sequence_number: 7, response: response(last) },
        ]);
      }));
  }

  it("streams a function call", () =>
    withModelServer(async (server) => {
      const tools = [{
        type: "function",
        name: "exec_command",
        parameters: { properties: { cmd: { type: "string" } } },
      }];
      const args = '{"cmd":"ls"}';
      const item = {
        type: "function_call",
        id: "fc_3",
        call_id: "call_2",
        status: "completed",
        name: "exec_command",
        arguments: args,
      };
      const at = { item_id: "fc_3", output_index: 0 };
      assert.deepEqual(
        await postForEvents(server, PATH, ask("TOOL:bash:ls", { stream: true, tools })),
        events(
          ["response.created", { response: CREATED }],
          ["response.output_item.added", {
            output_index: 0,
            item: { ...item, status: "in_progress", arguments: "" },
          }],
          ["response.function_call_arguments.delta", { ...at, delta: args }],
          ["response.function_call_arguments.done", { ...at, arguments: args }],
          ["response.output_item.done", { output_index: 0, item }],
          ["response.completed", {
            response: response({ status: "completed", output: [item], usage: USAGE }),
          }],
        ),
      );
    }));

  it("streams a call of a free-form tool", () =>
    withModelServer(async (server) => {
      const tools = [{ type: "custom", name: "apply_patch" }];
      const input = "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\n";
      const item = { type: "custom_tool_call", id: "ctc_3", call_id: "call_2", name: "apply_patch" };
      const at = { item_id: "ctc_3", output_index: 0 };
      const all = await postForEvents(server, PATH, ask("TOOL:write:a:b", { stream: true, tools }));
      assert.deepEqual(
        all.slice(0, 5),
        events(
          ["response.created", { response: CREATED }],
          ["response.output_item.added", {
            output_index: 0,
            item: { ...item, status: "in_progress", input: "" },
          }],
          ["response.custom_tool_call_input.delta", { ...at, delta: input }],
          ["response.custom_tool_call_input.done", { ...at, input }],
          ["response.output_item.done", { output_index: 0, item: { ...item, status: "completed", input } }],
        ),
      );
    }));

  it("streams a call of the local shell", () =>
    withModelServer(async (server) => {
      const all = await postForEvents(
        server,
        PATH,
        ask("TOOL:bash:ls", { stream: true, tools: [{ type: "local_shell" }] }),
      );
      const item = {
        type: "local_shell_call",
        id: "lsh_3",
        call_id: "call_2",
        action: { type: "exec", command: ["bash", "-lc", "ls"], env: {}, timeout_ms: 10_000 },
      };
      assert.deepEqual(
        all.slice(0, 3),
        events(
          ["response.created", { response: CREATED }],
          ["response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } }],
          ["response.output_item.done", { output_index: 0, item: { ...item, status: "completed" } }],
        ),
      );
    }));

  it("answers in one piece", () =>
    withModelServer(async (server) => {
      const part = { type: "output_text", text: "a b", annotations: [] };
      const item = { type: "message", id: "msg_2", role: "assistant", status: "completed", content: [part] };
      assert.deepEqual(
        await postForJson(server, PATH, { model: "m", input: "SAY:a b" }),
        response({ status: "completed", output: [item], usage: USAGE }),
      );
    }));

  it("reads earlier calls and their output, and skips reasoning", () =>
    withModelServer(async (server) => {
      const input = [
        { type: "message", role: "developer", content: "SAY:no" },
        { type: "message", role: "user", content: [{ type: "input_text", text: "TOOL:bash:ls" }] },
        { type: "reasoning", summary: [{ type: "summary_text", text: "SAY:no" }] },
        { type: "function_call", call_id: "c", name: "shell", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: "a.txt" },
        { type: "custom_tool_call", call_id: "d", name: "x", input: "" },
        { type: "custom_tool_call_output", call_id: "d", output: [{ type: "input_text", text: "b.txt" }] },
        { type: "local_shell_call_output", call_id: "e", output: { exit: 0 } },
      ];
      await postForJson(server, PATH, { model: "m", input, tools: [{ type: "function", name: "shell" }] });
      const [entry] = server.journal;
      assert.equal(entry?.kind, "model-request");
      assert.deepEqual(entry?.kind === "model-request" ? entry.request.messages : [], [
        { role: "system", text: "SAY:no", toolCalls: [], toolResults: [] },
        { role: "user", text: "TOOL:bash:ls", toolCalls: [], toolResults: [] },
        { role: "assistant", text: "", toolCalls: ["shell"], toolResults: [] },
        { role: "tool", text: "", toolCalls: [], toolResults: ["a.txt"] },
        { role: "assistant", text: "", toolCalls: ["x"], toolResults: [] },
        { role: "tool", text: "", toolCalls: [], toolResults: ["b.txt"] },
        { role: "tool", text: "", toolCalls: [], toolResults: ['{"exit":0}'] },
      ]);
    }));

  it("answers a value that fits text.format.schema", () =>
    withModelServer(async (server) => {
      const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
      const answer = await postForJson(
        server,
        PATH,
        ask("x", { text: { format: { type: "json_schema", schema } } }),
      );
      const [item] = (answer as { output: { content: { text: string }[] }[] }).output;
      assert.equal(item?.content[0]?.text, '{"n":1}');
    }));

  it("answers HTTP errors", () =>
    withModelServer(async (server) => {
      const answer = await post(server, PATH, ask("HTTP:401"));
      assert.equal(answer.status, 401);
      assert.deepEqual(await answer.json(), {
        error: {
          message: "Scripted error 401",
          type: "invalid_request_error",
          code: "invalid_api_key",
          param: null,
        },
      });
    }));
});
