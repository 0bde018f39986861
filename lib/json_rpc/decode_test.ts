import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decodeUtf8 } from "./decode.ts";

describe("decodeUtf8()", () => {
  for (
    const { name, bytes, text } of [
      { name: "decodes ASCII", bytes: [0x61, 0x62], text: "ab" },
      {
        name: "decodes two, three and four bytes",
        bytes: [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80],
        text: "é€😀",
      },
      { name: "replaces a stray byte", bytes: [0x61, 0xff, 0x62], text: "a\ufffdb" },
      { name: "replaces a truncated character", bytes: [0x61, 0xe2, 0x82], text: "a\ufffd" },
      { name: "replaces an overlong form byte by byte", bytes: [0xc0, 0xaf], text: "\ufffd\ufffd" },
      { name: "replaces a surrogate byte by byte", bytes: [0xed, 0xa0, 0x80], text: "\ufffd\ufffd\ufffd" },
      { name: "keeps a byte order mark", bytes: [0xef, 0xbb, 0xbf, 0x61], text: "\ufeffa" },
      { name: "decodes nothing", bytes: [], text: "" },
    ]
  ) {
    it(`${name}, from a Uint8Array`, () => assert.equal(decodeUtf8(Uint8Array.from(bytes)), text));
    it(`${name}, from a Buffer`, () => assert.equal(decodeUtf8(Buffer.from(bytes)), text));
  }

  it("decodes the span asked for and nothing around it", () => {
    const bytes = [0x61, 0xc3, 0xa9, 0x62];
    assert.equal(decodeUtf8(Uint8Array.from(bytes), 1, 3), "é");
    assert.equal(decodeUtf8(Buffer.from(bytes), 1, 3), "é");
  });

  it("reads the same from a Buffer and from a Uint8Array, whatever the bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      assert.equal(decodeUtf8(Buffer.from(bytes)), decodeUtf8(bytes));
    }));
  });
});
