import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromLanguageModel } from "./from_language_model.ts";
import { chunksOf, question, scriptedModel, streamOf, VERSIONS } from "./language_model_fixtures_test.ts";
import type { LanguageModelAnswer, LanguageModelV3Like } from "./language_model_like.ts";
import type { ModelChunk, ModelRequest } from "./model_types.ts";

/** The last part of an answer, as each version writes it. */
const FINISH = {
  v2: {
    type: "finish",
    finishReason: "tool-calls",
    usage: { inputTokens: 10, outputTokens: 20, totalTokens: 30, reasoningTokens: 5, cachedInputTokens: 7 },
  },
  v3: {
    type: "finish",
    finishReason: { unified: "tool-calls", raw: "tool_use" },
    usage: {
      inputTokens: { total: 10, noCache: 3, cacheRead: 7, cacheWrite: undefined },
      outputTokens: { total: 20, text: 15, reasoning: 5 },
    },
  },
  v4: {
    type: "finish",
    finishReason: { unified: "tool-calls", raw: "tool_use" },
    usage: {
      inputTokens: { total: 10, noCache: 3, cacheRead: 7, cacheWrite: undefined },
      outputTokens: { total: 20, text: 15, reasoning: 5 },
      raw: { input_tokens: 10 },
    },
  },
};

const PARTS = [
  { type: "stream-start", warnings: [] },
  { type: "response-metadata", id: "r1" },
  { type: "reasoning-start", id: "0" },
  { type: "reasoning-delta", id: "0", delta: "why" },
  { type: "reasoning-end", id: "0", providerMetadata: { fake: { signature: "s1" } } },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "so" },
  { type: "text-end", id: "1" },
  { type: "tool-input-start", id: "c1", toolName: "add" },
  { type: "tool-input-delta", id: "c1", delta: '{"a":1}' },
  { type: "tool-input-end", id: "c1" },
  { type: "tool-call", toolCallId: "c1", toolName: "add", input: '{"a":1}' },
];

const CHUNKS: ModelChunk[] = [
  { type: "reasoning-delta", text: "why" },
  { type: "reasoning-delta", text: "", providerMetadata: { fake: { signature: "s1" } } },
  { type: "text-delta", text: "so" },
  { type: "tool-call-delta", id: "c1", name: "add", arguments: '{"a":1}' },
  { type: "tool-call", id: "c1", name: "add", arguments: '{"a":1}' },
  {
    type: "finish",
    reason: "tool-calls",
    usage: { inputTokens: 10, outputTokens: 20, reasoningTokens: 5, cachedInputTokens: 7 },
  },
];

const FILE_DATA = { v2: "iVBO", v3: "iVBO", v4: { type: "data", data: "iVBO" } };

for (const version of VERSIONS) {
  describe(`fromLanguageModel() of a ${version} model`, () => {
    it("gives text, reasoning, tool calls, the reason of the end and the usage", async () => {
      const { model } = scriptedModel(version, [...PARTS, FINISH[version]]);
      assert.deepEqual(await chunksOf(fromLanguageModel(model).stream(question())), CHUNKS);
    });

    it("passes on everything that is asked, in the model's own words and in copies", async () => {
      const { model, calls } = scriptedModel(version, [FINISH[version]]);
      const parameters = deepFrozen({ type: "object", properties: { a: { type: "number" } } });
      const request: ModelRequest = deepFrozen({
        system: "be brief",
        messages: [
          { role: "user", content: [{ type: "image", data: "iVBO", mimeType: "image/png" }] },
          {
            role: "assistant",
            content: [
              { type: "reasoning", text: "why", providerMetadata: { fake: { signature: "s1" } } },
              { type: "tool-call", id: "c1", name: "add", arguments: '{"a":1}' },
            ],
          },
          { role: "tool", callId: "c1", name: "add", content: [{ type: "text", text: "no" }], isError: true },
        ],
        tools: [{ name: "add", description: "Adds", parameters }],
        options: { model: "another", maxTokens: 100, temperature: 0.5 },
        signal: new AbortController().signal,
      });
      await chunksOf(fromLanguageModel(model).stream(request));
      assert.equal(calls.length, 1);
      const { abortSignal, ...call } = calls[0]!;
      assert.ok(abortSignal instanceof AbortSignal);
      assert.deepEqual(call, {
        prompt: [
          { role: "system", content: "be brief" },
          { role: "user", content: [{ type: "file", data: FILE_DATA[version], mediaType: "image/png" }] },
          {
            role: "assistant",
            content: [
              { type: "reasoning", text: "why", providerOptions: { fake: { signature: "s1" } } },
              { type: "tool-call", toolCallId: "c1", toolName: "add", input: { a: 1 } },
            ],
          },
          {
            role: "tool",
            content: [{
              type: "tool-result",
              toolCallId: "c1",
              toolName: "add",
              output: { type: "error-text", value: "no" },
            }],
          },
        ],
        tools: [{
          type: "function",
          name: "add",
          description: "Adds",
          inputSchema: { type: "object", properties: { a: { type: "number" } } },
        }],
        toolChoice: { type: "auto" },
        maxOutputTokens: 100,
        temperature: 0.5,
      });
      assert.deepEqual(frozenIn(call), []);
    });

    it("leaves out what is not asked for", async () => {
      const { model, calls } = scriptedModel(version, [FINISH[version]]);
      await chunksOf(fromLanguageModel(model).stream(question()));
      assert.deepEqual(Object.keys(calls[0]!).sort(), ["abortSignal", "prompt"]);
    });
  });
}

describe("fromLanguageModel()", () => {
  it("calls doStream as a method of the model", async () => {
    class Model implements LanguageModelV3Like {
      readonly specificationVersion = "v3";
      readonly provider = "fake";
      readonly modelId = "one";
      readonly #parts = [FINISH.v3];
      doStream(): Promise<LanguageModelAnswer> {
        return Promise.resolve({ stream: streamOf(this.#parts) });
      }
    }
    assert.deepEqual(await chunksOf(fromLanguageModel(new Model()).stream(question())), [CHUNKS.at(-1)]);
  });

  it("asks nothing before the first piece is asked for, and once for each iteration", async () => {
    const { model, calls } = scriptedModel("v3", [FINISH.v3]);
    const answer = fromLanguageModel(model).stream(question());
    const unread = answer[Symbol.asyncIterator]();
    assert.equal(calls.length, 0);
    await unread.return?.();
    assert.equal(calls.length, 0);
    await chunksOf(answer);
    await chunksOf(answer);
    assert.equal(calls.length, 2);
  });
});

function deepFrozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null && !(part instanceof AbortSignal)) deepFrozen(part);
  }
  return Object.freeze(value);
}

/** Paths of what is frozen. */
function frozenIn(value: unknown, path = "call"): string[] {
  if (typeof value !== "object" || value === null) return [];
  return [
    ...(Object.isFrozen(value) ? [path] : []),
    ...Object.entries(value).flatMap(([key, part]) => frozenIn(part, `${path}.${key}`)),
  ];
}
