import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compare, median } from "./statistics.ts";

describe("median()", () => {
  for (
    const { name, values, expected } of [
      { name: "is the only value of one", values: [7], expected: 7 },
      {
        name: "is the middle value of an odd number, by size and not by text",
        values: [100, 9, 20],
        expected: 20,
      },
      {
        name: "is the mean of the two middle values of an even number",
        values: [4, 1, 3, 10],
        expected: 3.5,
      },
      { name: "is not moved by one outlier", values: [1, 1, 1, 1, 1e6], expected: 1 },
    ]
  ) {
    it(name, () => assert.equal(median(values), expected));
  }

  it("leaves the values in their order", () => {
    const values = [3, 1, 2];
    median(values);
    assert.deepEqual(values, [3, 1, 2]);
  });

  it("refuses no values", () => {
    assert.throws(() => median([]), { name: "RangeError", message: "Cannot take the median of no values" });
  });
});

describe("compare()", () => {
  it("gives the ratio of the medians and the range of the rounds' own ratios", () => {
    assert.deepEqual(compare([2, 6, 4], [1, 2, 4]), { ratio: 2, low: 1, high: 3 });
  });

  it("refuses rounds that do not belong together", () => {
    assert.throws(() => compare([1, 2], [1]), { message: "Cannot compare 2 rounds with 1" });
  });
});
