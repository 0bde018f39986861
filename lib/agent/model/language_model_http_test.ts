/** Real providers of the AI SDK over HTTP to the scripted model server. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ModelServer, startModelServer } from "../../../fakes/model_server.ts";
import { eventually } from "../../../fakes/test_support/deferred.ts";
// Named here too: by this import the gate finds the files that are for a newer Node as well.
import { skipBelowNode } from "../../../fakes/test_support/node_floor.ts";
import { withModelServer } from "../../../fakes/test_support/model_client.ts";
import { REAL_PROVIDERS } from "./ai_sdk_providers_fixtures_test.ts";
import { fromLanguageModel } from "./from_language_model.ts";
import { chunksOf, failureOf, question } from "./language_model_fixtures_test.ts";
import { LanguageModelError } from "./language_model_error.ts";
import type { ModelChunk, ModelMessage, ModelPort } from "./model_types.ts";

const ADD = {
  name: "add",
  description: "Adds",
  parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
};

function user(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

function textOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => chunk.type === "text-delta" ? chunk.text : "").join("");
}

/** The requests that the server got. */
function requestsOf({ journal }: ModelServer) {
  return journal.flatMap((entry) => entry.kind === "model-request" ? [entry.request] : []);
}

/** Whether the server got each of its answers through. */
function completeness({ journal }: ModelServer): boolean[] {
  return journal.flatMap((entry) => entry.kind === "model-request-closed" ? [entry.complete] : []);
}

describe("The list of real providers", () => {
  it("has all versions, and leaves out v4 alone where Node is too old", () => {
    const skips = REAL_PROVIDERS.map(({ version, skip }) => [version, skip]);
    assert.deepEqual(skips, [["v2", false], ["v3", false], ["v4", skipBelowNode(22)]]);
  });
});

for (const { version, skip, model } of REAL_PROVIDERS) {
  describe(`A ${version} model of @ai-sdk/openai-compatible`, { skip }, () => {
    const portTo = async (url: string): Promise<ModelPort> =>
      fromLanguageModel(await model({ name: "fake", baseURL: `${url}/v1`, includeUsage: true }));

    it("answers with text and usage", () =>
      withModelServer(async (server) => {
        const port = await portTo(server.url);
        const request = question({
          system: "be brief",
          messages: [user("SAY:hello there you")],
          options: { maxTokens: 50, temperature: 0 },
        });
        assert.deepEqual(await chunksOf(port.stream(request)), [
          { type: "text-delta", text: "hello " },
          { type: "text-delta", text: "there " },
          { type: "text-delta", text: "you" },
          { type: "finish", reason: "stop", usage: { inputTokens: 10, outputTokens: 4, ...zeros(version) } },
        ]);
        const [asked] = requestsOf(server);
        assert.deepEqual(asked?.messages.map(({ role, text }) => [role, text]), [
          ["system", "be brief"],
          ["user", "SAY:hello there you"],
        ]);
      }));

    it("answers with reasoning before text", () =>
      withModelServer(async (server) => {
        const port = await portTo(server.url);
        const chunks = await chunksOf(port.stream(question({ messages: [user("THINK:because SAY:so")] })));
        assert.deepEqual(chunks.slice(0, 2), [
          { type: "reasoning-delta", text: "because" },
          { type: "text-delta", text: "so" },
        ]);
      }));

    it("calls a tool and goes on with its result", () =>
      withModelServer(async (server) => {
        const port = await portTo(server.url);
        const ask = user('TOOL:add:{"a":1}');
        const chunks = await chunksOf(port.stream(question({ messages: [ask], tools: [ADD] })));
        const call = chunks.find((chunk) => chunk.type === "tool-call");
        assert.ok(call?.type === "tool-call");
        assert.deepEqual([call.name, JSON.parse(call.arguments)], ["add", { a: 1 }]);
        assert.deepEqual(chunks.filter((chunk) => chunk.type === "tool-call-delta"), [
          { type: "tool-call-delta", id: call.id, name: "add", arguments: call.arguments },
        ]);
        const last = chunks.at(-1);
        assert.ok(last?.type === "finish" && last.reason === "tool-calls");

        const { id, name, arguments: given } = call;
        const messages: ModelMessage[] = [
          ask,
          { role: "assistant", content: [{ type: "tool-call", id, name, arguments: given }] },
          {
            role: "tool",
            callId: id,
            name,
            content: [{ type: "text", text: "the sum is 3" }],
            isError: false,
          },
        ];
        const answer = await chunksOf(port.stream(question({ messages, tools: [ADD] })));
        assert.equal(textOf(answer), "Done: the sum is 3");
        assert.deepEqual(requestsOf(server).at(-1)?.tools, [
          { name: "add", kind: "function", parameters: ADD.parameters },
        ]);
      }));

    it("goes on after a call whose arguments were no JSON, and after a failed one", () =>
      withModelServer(async (server) => {
        const port = await portTo(server.url);
        const messages: ModelMessage[] = [
          user("TOOL:add:{}"),
          { role: "assistant", content: [{ type: "tool-call", id: "c1", name: "add", arguments: '{"a":' }] },
          {
            role: "tool",
            callId: "c1",
            name: "add",
            content: [{ type: "text", text: "Error: no" }],
            isError: true,
          },
        ];
        const answer = await chunksOf(port.stream(question({ messages, tools: [ADD] })));
        assert.equal(textOf(answer), "Done: Error: no");
      }));

    for (
      const [word, reason, text] of [
        ["STOP:max_tokens", "length", "This answer was cut sho"],
        ["STOP:refusal", "content-filter", "I cannot help with that."],
      ] as const
    ) {
      it(`says ${reason} at ${word}`, () =>
        withModelServer(async (server) => {
          const port = await portTo(server.url);
          const chunks = await chunksOf(port.stream(question({ messages: [user(word)] })));
          const last = chunks.at(-1);
          assert.deepEqual([textOf(chunks), last?.type === "finish" && last.reason], [text, reason]);
        }));
    }

    for (const status of [401, 500]) {
      it(`fails at HTTP status ${status} without the server's text, and tries once`, () =>
        withModelServer(async (server) => {
          const port = await portTo(server.url);
          const { chunks, error } = await failureOf(
            port.stream(question({ messages: [user(`HTTP:${status}`)] })),
          );
          assert.deepEqual(chunks, []);
          assert.ok(LanguageModelError.is(error));
          assert.deepEqual([error.code, error.httpStatus], ["CALL_FAILED", status]);
          assert.equal(
            error.message,
            `Cannot ask language model "fake.chat/scripted": the call failed (HTTP status: ${status})`,
          );
          assert.match(String(error.cause), /Scripted error/);
          assert.equal(requestsOf(server).length, 1);
        }));
    }

    it("fails when nobody listens at the address", async () => {
      const server = await startModelServer();
      await server.close();
      const { error } = await failureOf((await portTo(server.url)).stream(question()));
      assert.ok(LanguageModelError.is(error) && error.code === "CALL_FAILED", String(error));
      assert.ok(error.cause !== undefined);
    });

    it("fails when the connection is cut in the middle of the answer", () =>
      withModelServer(async (server) => {
        const port = await portTo(server.url);
        const { chunks, error } = await failureOf(
          port.stream(question({ messages: [user("CUT SAY:a b c")] })),
        );
        assert.ok(LanguageModelError.is(error), String(error));
        assert.equal(error.code, "STREAM_FAILED");
        assert.ok("a b c".startsWith(textOf(chunks)) && textOf(chunks) !== "a b c", textOf(chunks));
      }));

    it("is let go of when the signal is aborted in the middle of the answer", () =>
      withModelServer(async (server) => {
        const port = await portTo(server.url);
        const controller = new AbortController();
        const { signal } = controller;
        const answer = port.stream(question({ messages: [user("SLOW:50:1000")], signal }))
          [Symbol.asyncIterator]();
        assert.deepEqual(await answer.next(), { done: false, value: { type: "text-delta", text: "w0 " } });
        const reason = new Error("enough");
        controller.abort(reason);
        await assert.rejects(answer.next(), reason);
        await eventually(() => completeness(server).length === 1, "the server sees its client go");
        assert.deepEqual(completeness(server), [false]);
      }));

    it("is let go of when the signal is aborted before it answers", () =>
      withModelServer(async (server) => {
        const port = await portTo(server.url);
        const controller = new AbortController();
        const pending = port.stream(question({ messages: [user("HANG")], signal: controller.signal }))
          [Symbol.asyncIterator]().next();
        await eventually(() => requestsOf(server).length === 1, "the server is asked");
        const reason = new Error("enough");
        controller.abort(reason);
        await assert.rejects(pending, reason);
        await eventually(() => completeness(server).length === 1, "the server sees its client go");
        assert.deepEqual(completeness(server), [false]);
      }));

    it("is let go of when its reader stops in the middle of the answer", () =>
      withModelServer(async (server) => {
        const port = await portTo(server.url);
        for await (const chunk of port.stream(question({ messages: [user("SLOW:50:1000")] }))) {
          assert.equal(chunk.type, "text-delta");
          break;
        }
        await eventually(() => completeness(server).length === 1, "the server sees its client go");
        assert.deepEqual(completeness(server), [false]);
      }));
  });
}

/** What v3 and v4 of the package say about tokens that the server does not tell of. */
function zeros(version: string): { readonly reasoningTokens?: number; readonly cachedInputTokens?: number } {
  return version === "v2" ? {} : { reasoningTokens: 0, cachedInputTokens: 0 };
}
