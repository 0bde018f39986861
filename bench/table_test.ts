import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { table } from "./table.ts";

describe("table()", () => {
  it("aligns the first column to the left and the others to the right", () => {
    assert.equal(
      table([["case", "CPU s"], ["plain", "0.5"], ["x", "12.25"]]),
      [
        "case   CPU s",
        "plain    0.5",
        "x      12.25",
      ].join("\n"),
    );
  });

  it("takes rows of different lengths", () => {
    assert.equal(table([["a"], ["b", "1", "2"]]), "a\nb  1  2");
  });
});
