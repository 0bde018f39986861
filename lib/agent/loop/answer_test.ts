import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { unfrozenIn } from "../agent_fixtures_test.ts";
import type { ModelChunk } from "../model/model_types.ts";
import { Answer, checkedChunk } from "./answer.ts";

function answer(...chunks: readonly ModelChunk[]): Answer {
  const answer = new Answer();
  for (const chunk of chunks) answer.push(chunk);
  return answer;
}

const text = (text: string): ModelChunk => ({ type: "text-delta", text });
const reasoning = (text: string): ModelChunk => ({ type: "reasoning-delta", text });
const call: ModelChunk = { type: "tool-call", id: "1", name: "t", arguments: "{}" };
const finish: ModelChunk = { type: "finish", reason: "stop" };
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

describe("checkedChunk()", () => {
  it("gives a frozen copy, and takes what is undefined as left out", () => {
    const usage = { inputTokens: 3, outputTokens: undefined };
    const chunk = checkedChunk({ type: "finish", reason: "stop", usage, note: undefined });
    assert.deepEqual(chunk, { type: "finish", reason: "stop", usage: { inputTokens: 3 } });
    assert.deepEqual(unfrozenIn(chunk), []);
    assert.deepEqual(
      checkedChunk({ type: "text-delta", text: "a", providerMetadata: undefined }),
      { type: "text-delta", text: "a" },
    );
    assert.deepEqual(checkedChunk({ type: "finish", reason: "stop", usage: undefined }), finish);
  });

  it("reads each field once", () => {
    const texts = ["first", "second"];
    const chunk = checkedChunk({
      type: "text-delta",
      get text() {
        return texts.shift();
      },
    });
    assert.deepEqual([chunk, texts], [{ type: "text-delta", text: "first" }, ["second"]]);
  });

  const wrong: readonly (readonly [what: string, value: unknown])[] = [
    ["null", null],
    ["a list", [finish]],
    ["a type that is inherited by every object", { type: "toString" }],
    ["a piece without its type", { text: "a" }],
    ["text that is no text", { type: "text-delta", text: 1 }],
    ["reasoning without text", { type: "reasoning-delta" }],
    ["a call on its way without arguments", { type: "tool-call-delta", id: "1", name: "t" }],
    ["a call without an id", { type: "tool-call", name: "t", arguments: "{}" }],
    ["an end without a reason", { type: "finish" }],
    ["usage that is a list", { ...finish, usage: [] }],
    ["usage that is null", { ...finish, usage: null }],
    ["a count that is text", { ...finish, usage: { inputTokens: "3" } }],
    ["a count that is null", { ...finish, usage: { cachedInputTokens: null } }],
    ["a count that is NaN", { ...finish, usage: { outputTokens: NaN } }],
    ["facts that are text", { type: "text-delta", text: "a", providerMetadata: "b" }],
    ["facts that are no JSON", { type: "text-delta", text: "a", providerMetadata: { at: new Date(0) } }],
  ];
  for (const [what, value] of wrong) {
    it(`refuses ${what}, in words that say nothing of it`, () => {
      assert.throws(() => checkedChunk(value), {
        name: "TypeError",
        message:
          "Model port gave an invalid chunk; expected JSON data of type text-delta, reasoning-delta, " +
          "tool-call-delta, tool-call or finish with the fields of that type",
      });
    });
  }

  it("throws what a getter throws", () => {
    const error = new Error("from the getter");
    const hostile = {
      get type() {
        throw error;
      },
    };
    assert.throws(() => checkedChunk(hostile), error);
  });
});
