import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isJsonScalar } from "./json_value.ts";

describe("isJsonScalar()", () => {
  for (const value of [null, true, false, "", "text", "\ud800", 0, -1.5, 1e308, 5e-324, 2 ** 60]) {
    it(`takes ${JSON.stringify(value)}`, () => assert.equal(isJsonScalar(value), true));
  }

  const others: readonly (readonly [string, unknown])[] = [
    ["NaN", NaN],
    ["positive infinity", Infinity],
    ["negative infinity", -Infinity],
    ["negative zero", -0],
    ["undefined", undefined],
    ["a bigint", 1n],
    ["a symbol", Symbol("s")],
    ["a function", () => 1],
    ["an object", {}],
    ["an array", []],
    ["a boxed string", new String("text")],
    ["a boxed number", new Number(1)],
  ];
  for (const [what, value] of others) {
    it(`refuses ${what}`, () => assert.equal(isJsonScalar(value), false));
  }
});
