import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkedNames } from "./checked_names.ts";

describe("checkedNames()", () => {
  it("copies a list, each name once", () => {
    const list = ["b", "a", "b"];
    const names = checkedNames(list, "names");
    list.push("c");
    assert.deepEqual([...names], ["b", "a"]);
  });

  // deno-lint-ignore no-sparse-arrays -- a hole is the subject
  const sparse = ["a", , "b"];
  const refused: readonly (readonly [string, unknown, string])[] = [
    ["undefined", undefined, "names must be an array of strings, got undefined"],
    ["a string", "a", "names must be an array of strings, got string"],
    ["a set", new Set(["a"]), "names must be an array of strings, got object"],
    ["a number in the list", ["a", 1], "names[1] must be a string, got number"],
    ["a hole in the list", sparse, "names[1] must be a string, got undefined"],
  ];
  for (const [what, list, message] of refused) {
    it(`refuses ${what}`, () => assert.throws(() => checkedNames(list, "names"), new TypeError(message)));
  }
});
