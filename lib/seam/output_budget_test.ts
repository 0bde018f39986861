import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { OutputBudget, OutputLimitError } from "./output_budget.ts";

const size = (text: string) => new TextEncoder().encode(text).length;

describe("OutputBudget", () => {
  const cases: readonly (readonly [string, number, readonly string[], readonly string[], boolean])[] = [
    ["takes what fits", 6, ["abc", "def"], ["abc", "def"], false],
    ["cuts the piece that does not fit", 4, ["abc", "def"], ["abc", "d"], true],
    ["takes nothing after a cut, though it would fit", 4, ["abc", "éé", "d"], ["abc", "", ""], true],
    ["counts bytes and not characters", 6, ["漢字", "x"], ["漢字", ""], true],
    ["takes text of three bytes a character to the last byte", 6, ["漢", "字"], ["漢", "字"], false],
    ["cuts between code points", 5, ["a", "😀😀"], ["a", "😀"], true],
    ["leaves bytes unused rather than tear a code point", 7, ["a😀", "é", "é"], ["a😀", "é", ""], true],
    ["takes empty pieces when it is full", 1, ["a", "", ""], ["a", "", ""], false],
    ["takes nothing when nothing fits", 0, ["", "a"], ["", ""], true],
    ["counts three bytes for each half of a torn pair", 6, ["\ud83d", "\ude00"], ["\ud83d", "\ude00"], false],
  ];
  for (const [name, maxBytes, pieces, taken, exceeded] of cases) {
    it(name, () => {
      const budget = new OutputBudget(maxBytes);
      assert.deepEqual(pieces.map((piece) => budget.take(piece)), taken);
      assert.equal(budget.exceeded, exceeded);
      const used = taken.reduce((bytes, piece) => bytes + size(piece), 0);
      assert.equal(budget.remainingBytes, maxBytes - used);
    });
  }

  it("takes exactly the longest beginning that fits, whatever the pieces", () => {
    const piece = fc.array(fc.constantFrom("a", "é", "漢", "😀")).map((points) => points.join(""));
    fc.assert(fc.property(fc.array(piece), fc.nat(60), (pieces, maxBytes) => {
      const budget = new OutputBudget(maxBytes);
      const taken = pieces.map((text) => budget.take(text)).join("");
      const all = pieces.join("");
      assert.ok(all.startsWith(taken));
      assert.ok(size(taken) <= maxBytes);
      assert.equal(budget.exceeded, size(all) > maxBytes);
      const next = Array.from(all.slice(taken.length))[0];
      if (next !== undefined) assert.ok(size(taken + next) > maxBytes);
    }));
  });

  for (const maxBytes of [-1, 1.5, NaN, Infinity, 2 ** 53]) {
    it(`refuses a limit of ${maxBytes}`, () =>
      assert.throws(() => new OutputBudget(maxBytes), {
        name: "RangeError",
        message:
          `Cannot make an output budget: maxBytes must be a non-negative safe integer, got ${maxBytes}`,
      }));
  }
});

describe("OutputLimitError", () => {
  it("says how much was allowed", () => {
    const error = new OutputLimitError(4);
    assert.equal(
      `${error}`,
      "OutputLimitError: The child's answer exceeds 4 bytes: raise maxOutputBytes, or ask for less",
    );
    assert.equal(error.code, "OUTPUT_LIMIT");
    assert.equal(error.limitBytes, 4);
  });

  it("is() knows its own, also from another copy of this package", async () => {
    const copy = await import(
      `./output_budget.ts?copy=${Math.random()}`
    ) as typeof import("./output_budget.ts");
    assert.equal(OutputLimitError.is(new copy.OutputLimitError(1)), true);
    assert.equal(OutputLimitError.is(new RangeError(new OutputLimitError(1).message)), false);
  });
});
