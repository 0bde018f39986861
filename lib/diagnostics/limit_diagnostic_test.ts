import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { limitDiagnostic, MAX_DIAGNOSTIC_BYTES } from "./limit_diagnostic.ts";

const size = (text: string) => new TextEncoder().encode(text).length;
const note = "\n[diagnostic truncated]";

describe("limitDiagnostic()", () => {
  it("has a limit of 4096 bytes and a note of 23", () => {
    assert.equal(MAX_DIAGNOSTIC_BYTES, 4096);
    assert.equal(size(note), 23);
  });

  const cases: readonly (readonly [string, string, string])[] = [
    ["leaves an empty text alone", "", ""],
    ["leaves exactly 4096 ASCII bytes alone", "x".repeat(4096), "x".repeat(4096)],
    ["leaves exactly 4096 multibyte bytes alone", "漢".repeat(1365) + "x", "漢".repeat(1365) + "x"],
    ["cuts 4097 bytes to 4073 and the note", "x".repeat(4097), "x".repeat(4073) + note],
    [
      "cuts 4097 multibyte bytes though there are fewer characters",
      "漢".repeat(1366),
      "漢".repeat(1357) + note,
    ],
    ["cuts a two-byte character at the boundary", "é".repeat(2049), "é".repeat(2036) + note],
    ["cuts a pair at the boundary", "x".repeat(4070) + "😀".repeat(7), "x".repeat(4070) + note],
    [
      "keeps a pair that ends at the boundary",
      "x".repeat(4069) + "😀".repeat(7),
      "x".repeat(4069) + "😀" + note,
    ],
    ["makes replacement characters of lone surrogates", "a\ud83db\ude00", "a\ufffdb\ufffd"],
    [
      "leaves lone surrogates of exactly 4096 bytes their size",
      "\ud800".repeat(1365) + "x",
      "\ufffd".repeat(1365) + "x",
    ],
    ["counts three bytes for a lone surrogate", "\udc00".repeat(1366), "\ufffd".repeat(1357) + note],
  ];
  for (const [name, text, expected] of cases) {
    it(name, () => assert.equal(limitDiagnostic(text), expected));
  }

  for (const value of [undefined, null, 7, ["x"], new String("leak"), { toString: () => "leak" }]) {
    it(`gives an empty text for ${JSON.stringify(value) ?? "undefined"}`, () =>
      assert.equal(limitDiagnostic(value as unknown as string), ""));
  }

  it("keeps every text within the limit, well-formed and a beginning of the original", () => {
    const unit = fc.constantFrom("x", "é", "漢", "😀", "\ud83d", "\ude00");
    const text = fc.tuple(fc.array(unit, { maxLength: 12 }), fc.nat(1400)).map(([units, times]) =>
      units.join("").repeat(times)
    );
    fc.assert(fc.property(text, (original) => {
      const limited = limitDiagnostic(original);
      const asUtf8 = new TextDecoder().decode(new TextEncoder().encode(original));
      assert.equal(new TextDecoder().decode(new TextEncoder().encode(limited)), limited);
      if (size(original) <= 4096) {
        assert.equal(limited, asUtf8);
      } else {
        assert.ok(limited.endsWith(note));
        assert.ok(asUtf8.startsWith(limited.slice(0, -note.length)));
        // A code point has at most 4 bytes, so at most 3 are left unused.
        assert.ok(size(limited) <= 4096 && size(limited) >= 4093, `${size(limited)} bytes`);
      }
    }));
  });

  it("looks at no more of a huge text than the limit", () => {
    const huge = "漢".repeat(2 ** 26);
    const began = performance.now();
    for (let round = 0; round < 1000; round++) limitDiagnostic(huge);
    // A thousand scans of 64 Mi characters would take minutes.
    assert.ok(performance.now() - began < 10_000);
  });
});
