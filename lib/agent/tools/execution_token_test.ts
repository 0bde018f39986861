import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExecutionTokens } from "./execution_token.ts";

describe("ExecutionTokens", () => {
  it("mints tokens that are frozen, show nothing and differ", () => {
    const tokens = new ExecutionTokens();
    const token = tokens.mint();
    assert.notEqual(token, tokens.mint());
    assert.ok(Object.isFrozen(token));
    assert.deepEqual(Reflect.ownKeys(token), []);
    assert.equal(Object.getPrototypeOf(token), null);
  });

  it("knows its own tokens", () => {
    const tokens = new ExecutionTokens();
    assert.ok(tokens.has(tokens.mint()));
  });

  const tokens = new ExecutionTokens();
  const strangers: readonly (readonly [string, unknown])[] = [
    ["a token of another registry", new ExecutionTokens().mint()],
    ["an object that looks the same", Object.freeze(Object.create(null))],
    ["a proxy of a token", new Proxy(tokens.mint(), {})],
    ["a text", "token"],
    ["null", null],
    ["undefined", undefined],
  ];
  for (const [what, value] of strangers) {
    it(`does not know ${what}`, () => assert.equal(tokens.has(value), false));
  }
});
