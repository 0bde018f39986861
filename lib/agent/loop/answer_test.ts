import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelChunk } from "../model/model_types.ts";
import { Answer } from "./answer.ts";

function answer(...chunks: readonly ModelChunk[]): Answer {
  const answer = new Answer();
  for (const chunk of chunks) answer.push(chunk);
  return answer;
}

const text = (text: string): ModelChunk => ({ type: "text-delta", text });
const reasoning = (text: string): ModelChunk => ({ type: "reasoning-delta", text });
const call: ModelChunk = { type: "tool-call", id: "1", name: "t", arguments: "{}" };
const end: ModelChunk = { type: "finish", reason: "stop", usage: { outputTokens: 3 } };

describe("Answer", () => {
  it("joins pieces of one kind into a block and begins another where the kind changes", () => {
    assert.deepEqual(
      answer(reasoning("a"), reasoning("b"), text("c"), text("d"), call, text("e"), reasoning("f"), end)
        .content,
      [
        { type: "reasoning", text: "ab" },
        { type: "text", text: "cd" },
        { type: "tool-call", id: "1", name: "t", arguments: "{}" },
        { type: "text", text: "e" },
        { type: "reasoning", text: "f" },
      ],
    );
  });

  it("ends a block at what the provider needs back with it, and keeps that", () => {
    const providerMetadata = { p: { signature: "s" } };
    const signed: ModelChunk = { type: "reasoning-delta", text: "", providerMetadata };
    assert.deepEqual(answer(reasoning("a"), signed, reasoning("b"), signed, end).content, [
      { type: "reasoning", text: "a", providerMetadata },
      { type: "reasoning", text: "b", providerMetadata },
    ]);
    assert.deepEqual(answer(text("x"), signed, end).content, [
      { type: "text", text: "x" },
      { type: "reasoning", text: "", providerMetadata },
    ]);
  });

  it("has no empty block", () => {
    assert.deepEqual(answer(text(""), reasoning(""), end).content, []);
  });

  it("takes nothing of calls on their way", () => {
    assert.deepEqual(
      answer(text("a"), { type: "tool-call-delta", id: "1", name: "t", arguments: "{" }, text("b"), end)
        .content,
      [{ type: "text", text: "ab" }],
    );
  });

  it("has an end once there is one, and takes nothing behind it", () => {
    assert.equal(answer(text("a")).finish, undefined);
    const ended = answer(text("a"), end, text("b"), { type: "finish", reason: "error" });
    assert.equal(ended.finish, end);
    assert.deepEqual(ended.content, [{ type: "text", text: "a" }]);
  });
});
