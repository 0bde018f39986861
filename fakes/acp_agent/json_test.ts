import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asText, atPointer, isObject, type Json } from "./json.ts";

describe("atPointer()", () => {
  const value: Json = { a: [{ b: 1 }, null], "x/y": { "m~n": "odd" }, "": "empty key" };
  for (
    const { pointer, found } of [
      { pointer: "", found: value },
      { pointer: "/a/0/b", found: 1 },
      { pointer: "/a/1", found: null },
      { pointer: "/x~1y/m~0n", found: "odd" },
      { pointer: "/", found: "empty key" },
      { pointer: "/a/7", found: undefined },
      { pointer: "/a/0/b/c", found: undefined },
      { pointer: "/toString", found: undefined },
    ]
  ) {
    it(`follows "${pointer}"`, () => assert.deepEqual(atPointer(value, pointer), found));
  }
});

describe("asText()", () => {
  it("leaves a string as it is", () => assert.equal(asText('"a"'), '"a"'));
  it("writes other values as JSON", () => assert.equal(asText({ a: [1, null] }), '{"a":[1,null]}'));
  it("makes nothing of nothing", () => assert.equal(asText(undefined), ""));
});

describe("isObject()", () => {
  it("tells objects from arrays, null and scalars", () => {
    assert.deepEqual([{}, [], null, 1, "a", undefined].map(isObject), [
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
