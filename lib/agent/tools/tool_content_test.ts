import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { unfrozenIn } from "../agent_fixtures_test.ts";
import { snapshotContent } from "./tool_content.ts";

describe("snapshotContent()", () => {
  it("gives a detached, deep-frozen copy, blocks of unknown types included", () => {
    const content = [{ type: "text", text: "a" }, { type: "chart", series: [1, 2] }];
    const copy = snapshotContent(content);
    assert.deepEqual(copy, content);
    assert.notEqual(copy?.[1], content[1]);
    assert.deepEqual(unfrozenIn(copy), []);
  });

  it("takes an empty list", () => assert.deepEqual(snapshotContent([]), []));

  const refused: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["a text", "text"],
    ["a block that is in no list", { type: "text", text: "a" }],
    ["a text in the list", ["a"]],
    ["null in the list", [null]],
    ["a block without type", [{ text: "a" }]],
    ["a text block without text", [{ type: "text" }]],
    ["a text block whose text is a number", [{ type: "text", text: 1 }]],
    ["a block that JSON loses something of", [{ type: "chart", at: new Date(0) }]],
  ];
  for (const [what, value] of refused) {
    it(`refuses ${what}`, () => assert.equal(snapshotContent(value), undefined));
  }
});
