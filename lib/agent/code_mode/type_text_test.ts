import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { docComment, inlineComment, literal, propertyName } from "./type_text.ts";

describe("propertyName()", () => {
  for (
    const [name, written] of [
      ["read", "read"],
      ["$a_1", "$a_1"],
      ["my-tool", '"my-tool"'],
      ["1a", '"1a"'],
      ["", '""'],
      ['a"b', '"a\\"b"'],
      ["é", '"é"'],
    ] as const
  ) {
    it(`writes ${JSON.stringify(name)} as ${written}`, () => assert.equal(propertyName(name), written));
  }
});

describe("literal()", () => {
  it("is JSON on one line", () => {
    assert.equal(literal("a\n\u2028\u2029"), '"a\\n\\u2028\\u2029"');
    assert.deepEqual([1, true, null].map(literal), ["1", "true", "null"]);
  });
});

describe("docComment()", () => {
  for (
    const [what, text, comment] of [
      ["one line", "Reads.", "  /** Reads. */\n"],
      ["lines", "Reads.\r\n\n  More. ", "  /**\n   * Reads.\n   *\n   *   More.\n   */\n"],
      ["nothing", "", ""],
      ["blank lines", "\n \n", ""],
      ["the end of a comment", "a */ b **/", "  /** a *\\/ b **\\/ */\n"],
    ] as const
  ) {
    it(`writes ${what}`, () => assert.equal(docComment(text, "  "), comment));
  }
});

describe("inlineComment()", () => {
  for (
    const [what, text, comment] of [
      ["text on one line", " a\n b ", "/** a b */ "],
      ["the end of a comment", "*/", "/** *\\/ */ "],
      ["nothing", " ", ""],
      ["what is no text", { a: 1 }, ""],
    ] as const
  ) {
    it(`writes ${what}`, () => assert.equal(inlineComment(text), comment));
  }
});
