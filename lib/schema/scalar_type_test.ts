import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOfScalarType, type ScalarType } from "./scalar_type.ts";

const types: readonly ScalarType[] = ["string", "number", "integer", "boolean", "null"];

describe("isOfScalarType()", () => {
  const cases: readonly (readonly [string, unknown, readonly ScalarType[]])[] = [
    ["a string", "1", ["string"]],
    ["an empty string", "", ["string"]],
    ["a whole number", 7, ["number", "integer"]],
    ["zero", 0, ["number", "integer"]],
    ["a whole number beyond the safe ones", 2 ** 70, ["number", "integer"]],
    ["a fraction", 0.5, ["number"]],
    ["true", true, ["boolean"]],
    ["false", false, ["boolean"]],
    ["null", null, ["null"]],
    ["NaN", NaN, []],
    ["infinity", Infinity, []],
    ["negative zero", -0, []],
    ["undefined", undefined, []],
    ["a bigint", 1n, []],
    ["a boxed number", new Number(1), []],
    ["an array", [], []],
  ];
  for (const [what, value, expected] of cases) {
    it(`finds ${what} to be ${expected.join(" and ") || "of none"}`, () =>
      assert.deepEqual(types.filter((type) => isOfScalarType(value, type)), expected));
  }
});
