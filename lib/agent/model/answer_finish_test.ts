import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { finishChunk } from "./answer_finish.ts";

describe("finishChunk()", () => {
  const words: [word: unknown, reason: string][] = [
    ["stop", "stop"],
    ["length", "length"],
    ["content-filter", "content-filter"],
    ["tool-calls", "tool-calls"],
    ["error", "error"],
    ["other", "other"],
    ["unknown", "other"],
    ["a word of the future", "other"],
    ["toString", "other"],
    [undefined, "other"],
    [7, "other"],
  ];
  for (const [word, reason] of words) {
    it(`reads ${JSON.stringify(word) ?? "no reason"} as ${reason}, as v2 writes it and as v3 and v4 do`, () => {
      assert.deepEqual(finishChunk({ finishReason: word }), { type: "finish", reason });
      assert.deepEqual(finishChunk({ finishReason: { unified: word, raw: "length" } }), {
        type: "finish",
        reason,
      });
    });
  }

  it("gives nothing for an answer that was interrupted", () => {
    assert.equal(finishChunk({ finishReason: { unified: "interrupted", raw: undefined } }), undefined);
  });

  const usages: [fact: string, usage: unknown, read: unknown][] = [
    [
      "reads v2's flat usage",
      { inputTokens: 10, outputTokens: 20, totalTokens: 30, reasoningTokens: 5, cachedInputTokens: 7 },
      { inputTokens: 10, outputTokens: 20, reasoningTokens: 5, cachedInputTokens: 7 },
    ],
    [
      "reads the nested usage of v3 and v4",
      {
        inputTokens: { total: 10, noCache: 3, cacheRead: 7, cacheWrite: 1 },
        outputTokens: { total: 20, text: 15, reasoning: 5 },
        raw: { input_tokens: 99 },
      },
      { inputTokens: 10, outputTokens: 20, reasoningTokens: 5, cachedInputTokens: 7 },
    ],
    [
      "keeps a zero and leaves out what is not told",
      {
        inputTokens: { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
      { inputTokens: 0 },
    ],
    [
      "leaves out what is no count",
      { inputTokens: Number.NaN, outputTokens: -1, reasoningTokens: "5", cachedInputTokens: 1.5 },
      undefined,
    ],
    ["takes no usage for none", undefined, undefined],
    ["takes a word for no usage", "12 tokens", undefined],
  ];
  for (const [fact, usage, read] of usages) {
    it(fact, () => {
      assert.deepEqual(finishChunk({ finishReason: "stop", usage }), {
        type: "finish",
        reason: "stop",
        ...(read === undefined ? {} : { usage: read }),
      });
    });
  }
});
