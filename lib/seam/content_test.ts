import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ContentBlock, isTextBlock, joinText } from "./content.ts";

describe("isTextBlock()", () => {
  it("takes a text block", () => assert.equal(isTextBlock({ type: "text", text: "" }), true));

  for (
    const block of [null, undefined, "text", { type: "text" }, { type: "text", text: 1 }, {
      type: "reasoning",
      text: "x",
    }]
  ) {
    it(`refuses ${JSON.stringify(block) ?? "undefined"}`, () => assert.equal(isTextBlock(block), false));
  }
});

describe("joinText()", () => {
  it("joins text with no separator and drops every other block", () => {
    const blocks: ContentBlock[] = [
      { type: "text", text: "a" },
      { type: "reasoning", text: "hidden" },
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "text", text: "b" },
      { type: "of-tomorrow", text: "hidden" },
      { type: "text", text: 1 } as unknown as ContentBlock,
    ];
    assert.equal(joinText(blocks), "ab");
  });

  it("gives an empty text for no blocks", () => assert.equal(joinText([]), ""));
});
