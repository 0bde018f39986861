import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AnswerParts } from "./answer_parts.ts";
import { LanguageModelError } from "./language_model_error.ts";
import type { ModelChunk } from "./model_types.ts";

const SIGNED = { anthropic: { signature: "s1" } };
const FINISH = { type: "finish", finishReason: "stop" };

/** What the parts amount to, one after the other. */
function chunksOf(parts: readonly unknown[]): ModelChunk[] {
  const reader = new AnswerParts('"fake/one"');
  return parts.flatMap((part) => [...reader.chunksOf(part)]);
}

describe("AnswerParts", () => {
  const rows: [fact: string, parts: unknown[], chunks: ModelChunk[]][] = [
    [
      "gives text piece by piece, empty pieces left out",
      [
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: "a" },
        { type: "text-delta", id: "0", delta: "" },
        { type: "text-delta", id: "0", delta: "b" },
        { type: "text-end", id: "0" },
      ],
      [{ type: "text-delta", text: "a" }, { type: "text-delta", text: "b" }],
    ],
    [
      "ends signed reasoning with the signature that came with an empty piece",
      [
        { type: "reasoning-start", id: "0" },
        { type: "reasoning-delta", id: "0", delta: "why" },
        { type: "reasoning-delta", id: "0", delta: "", providerMetadata: SIGNED },
        { type: "reasoning-end", id: "0" },
      ],
      [
        { type: "reasoning-delta", text: "why" },
        { type: "reasoning-delta", text: "", providerMetadata: SIGNED },
      ],
    ],
    [
      "takes the latest metadata of a block",
      [
        { type: "reasoning-start", id: "0", providerMetadata: { openai: { itemId: "r", content: null } } },
        { type: "reasoning-delta", id: "0", delta: "why" },
        { type: "reasoning-end", id: "0", providerMetadata: { openai: { itemId: "r", content: "secret" } } },
      ],
      [
        { type: "reasoning-delta", text: "why" },
        {
          type: "reasoning-delta",
          text: "",
          providerMetadata: { openai: { itemId: "r", content: "secret" } },
        },
      ],
    ],
    [
      "keeps the metadata of blocks apart by id and kind",
      [
        { type: "reasoning-start", id: "0", providerMetadata: { p: { n: 1 } } },
        { type: "reasoning-start", id: "1", providerMetadata: { p: { n: 2 } } },
        { type: "text-start", id: "0", providerMetadata: { p: { n: 3 } } },
        { type: "reasoning-end", id: "1" },
        { type: "text-end", id: "0" },
        { type: "reasoning-end", id: "0" },
      ],
      [
        { type: "reasoning-delta", text: "", providerMetadata: { p: { n: 2 } } },
        { type: "text-delta", text: "", providerMetadata: { p: { n: 3 } } },
        { type: "reasoning-delta", text: "", providerMetadata: { p: { n: 1 } } },
      ],
    ],
    [
      "gives the metadata of a block that nobody ended before the end of the answer",
      [{ type: "reasoning-start", id: "0", providerMetadata: SIGNED }, FINISH],
      [{ type: "reasoning-delta", text: "", providerMetadata: SIGNED }],
    ],
    [
      "leaves out of metadata what JSON leaves out",
      [
        { type: "text-end", id: "0", providerMetadata: { p: { a: undefined, b: -0, c: [1] } } },
        { type: "text-end", id: "1", providerMetadata: null },
      ],
      [{ type: "text-delta", text: "", providerMetadata: { p: { b: 0, c: [1] } } }],
    ],
    [
      "gives a tool call on its way with its name, and then whole",
      [
        { type: "tool-input-start", id: "c1", toolName: "add" },
        { type: "tool-input-delta", id: "c1", delta: '{"a"' },
        { type: "tool-input-delta", id: "c1", delta: "" },
        { type: "tool-input-delta", id: "c1", delta: ":1}" },
        { type: "tool-input-end", id: "c1" },
        { type: "tool-call", toolCallId: "c1", toolName: "add", input: '{"a":1}' },
      ],
      [
        { type: "tool-call-delta", id: "c1", name: "add", arguments: '{"a"' },
        { type: "tool-call-delta", id: "c1", name: "add", arguments: ":1}" },
        { type: "tool-call", id: "c1", name: "add", arguments: '{"a":1}' },
      ],
    ],
    [
      "passes a tool call's metadata on, and arguments that are no JSON as they are",
      [{ type: "tool-call", toolCallId: "c1", toolName: "add", input: "{", providerMetadata: SIGNED }],
      [{ type: "tool-call", id: "c1", name: "add", arguments: "{", providerMetadata: SIGNED }],
    ],
    [
      "drops what the provider's own tools do",
      [
        { type: "tool-input-start", id: "c1", toolName: "search", providerExecuted: true },
        { type: "tool-input-delta", id: "c1", delta: "{}" },
        { type: "tool-call", toolCallId: "c1", toolName: "search", input: "{}", providerExecuted: true },
        { type: "tool-result", toolCallId: "c1", toolName: "search", result: {} },
      ],
      [],
    ],
    [
      "drops pieces of an input that is written as plain text, and of one that nobody announced",
      [
        { type: "tool-input-start", id: "c1", toolName: "patch", inputEncoding: "text" },
        { type: "tool-input-delta", id: "c1", delta: "*** Begin" },
        { type: "tool-input-delta", id: "c2", delta: "{" },
      ],
      [],
    ],
    [
      "passes over parts that mean nothing here",
      [
        { type: "stream-start", warnings: [] },
        { type: "response-metadata", id: "r" },
        { type: "raw", rawValue: {} },
        { type: "ping" },
        { type: "source", sourceType: "url", id: "s", url: "https://example.com" },
        { type: "file", mediaType: "image/png", data: "AA==" },
        { type: "custom", kind: "a.b" },
        { type: "of the future", delta: 1 },
        { type: 7 },
        {},
      ],
      [],
    ],
  ];
  for (const [fact, parts, chunks] of rows) it(fact, () => assert.deepEqual(chunksOf(parts), chunks));

  it("keeps the end of the answer for whoever asks", () => {
    const reader = new AnswerParts('"fake/one"');
    reader.chunksOf({ type: "text-delta", id: "0", delta: "a" });
    assert.equal(reader.finish, undefined);
    assert.deepEqual(reader.chunksOf(FINISH), []);
    assert.deepEqual(reader.finish, { type: "finish", reason: "stop" });
  });

  it("throws an error part as the cause of an error without its text", () => {
    const cause = Object.assign(new Error("canary-5511"), { statusCode: 503 });
    assert.throws(() => chunksOf([{ type: "error", error: cause }]), (error) => {
      assert.ok(LanguageModelError.is(error));
      assert.deepEqual([error.code, error.httpStatus, error.cause], ["STREAM_FAILED", 503, cause]);
      assert.equal(
        error.message,
        'Language model "fake/one" reported an error instead of the rest of its answer (HTTP status: 503)',
      );
      return true;
    });
  });

  it("throws when the model says that it was interrupted", () => {
    const finish = { type: "finish", finishReason: { unified: "interrupted", raw: undefined } };
    assert.throws(() => chunksOf([finish]), { code: "BROKEN_OFF" });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const malformed: [fact: string, part: unknown, problem: string][] = [
    ["null", null, "a part that is no object but null"],
    ["an array", [], "a part that is no object but array"],
    [
      "a delta that is no string",
      { type: "text-delta", id: "0", delta: 5 },
      'a "text-delta" part whose delta is no string but number',
    ],
    [
      "v1's name of a delta",
      { type: "reasoning-delta", id: "0", textDelta: "a" },
      'a "reasoning-delta" part whose delta is no string but undefined',
    ],
    [
      "a call without an id",
      { type: "tool-call", toolName: "add", input: "{}" },
      'a "tool-call" part whose toolCallId is no string but undefined',
    ],
    [
      "a call without a name",
      { type: "tool-call", toolCallId: "c", input: "{}" },
      'a "tool-call" part whose toolName is no string but undefined',
    ],
    [
      "arguments that are no text",
      { type: "tool-call", toolCallId: "c", toolName: "add", input: {} },
      'a "tool-call" part whose input is no string but object',
    ],
    [
      "metadata that is no object",
      { type: "text-end", id: "0", providerMetadata: "canary" },
      'a "text-end" part whose providerMetadata is no JSON object of objects',
    ],
    [
      "metadata without providers",
      { type: "text-end", id: "0", providerMetadata: { signature: "canary" } },
      'a "text-end" part whose providerMetadata is no JSON object of objects',
    ],
    [
      "metadata that contains itself",
      { type: "text-end", id: "0", providerMetadata: cyclic },
      'a "text-end" part whose providerMetadata is no JSON object of objects',
    ],
  ];
  for (const [fact, part, problem] of malformed) {
    it(`refuses ${fact}`, () => {
      assert.throws(() => chunksOf([part]), {
        name: "LanguageModelError",
        code: "MALFORMED_ANSWER",
        message: `Language model "fake/one" does not keep to its specification: its answer has ${problem}`,
      });
    });
  }
});
