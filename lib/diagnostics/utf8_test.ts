import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { utf8Prefix, wellFormed } from "./utf8.ts";

const size = (text: string) => new TextEncoder().encode(text).length;

/** Text of code units of every width, lone surrogates included. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.array(fc.constantFrom("a", "é", "漢", "😀", "\ud83d", "\ude00", "\0", "\ufffd")).map((units) =>
    units.join("")
  ),
);

describe("utf8Prefix()", () => {
  const cases: readonly (readonly [string, string, number, string, number])[] = [
    ["keeps a text that fits exactly", "abc", 3, "abc", 3],
    ["cuts ASCII at the byte", "abcd", 3, "abc", 3],
    ["counts two bytes for é", "éa", 3, "éa", 3],
    ["leaves out é when one byte is left", "aéb", 2, "a", 1],
    ["counts three bytes for 漢", "漢字", 5, "漢", 3],
    ["counts four bytes for a pair", "😀", 4, "😀", 4],
    ["never cuts a pair", "a😀", 4, "a", 1],
    ["counts three bytes for a lone high surrogate", "a\ud83d", 4, "a\ud83d", 4],
    ["counts three bytes for a lone low surrogate", "\ude00a", 3, "\ude00", 3],
    [
      "counts high surrogates before a pair each on its own",
      "\ud83d\ud83d\ude00",
      7,
      "\ud83d\ud83d\ude00",
      7,
    ],
    ["gives nothing of nothing", "", 0, "", 0],
    ["gives nothing when nothing fits", "a", 0, "", 0],
  ];
  for (const [name, text, maxBytes, expected, bytes] of cases) {
    it(name, () => assert.deepEqual(utf8Prefix(text, maxBytes), { text: expected, bytes }));
  }

  const edges: readonly (readonly [number, number])[] = [
    [0x7f, 1],
    [0x80, 2],
    [0x7ff, 2],
    [0x800, 3],
    [0xffff, 3],
    [0x10000, 4],
    [0x10ffff, 4],
  ];
  for (const [point, bytes] of edges) {
    it(`counts ${bytes} for U+${point.toString(16)}`, () =>
      assert.equal(utf8Prefix(String.fromCodePoint(point), 4).bytes, bytes));
  }

  it("gives the longest beginning that an encoder fits into the bytes", () => {
    fc.assert(fc.property(anyText, fc.nat(40), (text, maxBytes) => {
      const prefix = utf8Prefix(text, maxBytes);
      const points = Array.from(text);
      let count = 0;
      while (count < points.length && size(points.slice(0, count + 1).join("")) <= maxBytes) count++;
      assert.equal(prefix.text, points.slice(0, count).join(""));
      assert.equal(prefix.bytes, size(prefix.text));
    }));
  });
});

describe("wellFormed()", () => {
  it("replaces lone surrogates and keeps pairs", () =>
    assert.equal(wellFormed("\ude00a\ud83d😀\ud83d"), "\ufffda\ufffd😀\ufffd"));

  it("gives what an encoder and a decoder make of a text", () => {
    fc.assert(fc.property(anyText, (text) => {
      // The BOM is the one mark that a decoder drops by default.
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      assert.equal(wellFormed(text), decoder.decode(new TextEncoder().encode(text)));
    }));
  });
});
