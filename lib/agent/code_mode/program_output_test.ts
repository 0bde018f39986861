import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProgramOutput } from "./program_output.ts";

describe("ProgramOutput", () => {
  it("has room for so many characters, line breaks included", () => {
    const output = new ProgramOutput(5);
    assert.deepEqual([output.add("ab"), output.add("cd"), output.text], [true, true, "ab\ncd"]);
    assert.equal(output.add(""), false);
    assert.equal(output.text, "ab\ncd");
  });

  it("keeps what there is room for of a line that is too long", () => {
    const output = new ProgramOutput(5);
    assert.deepEqual([output.add("ab"), output.add("cdefgh"), output.text], [true, false, "ab\ncd"]);
    assert.equal(output.add("i"), false);
    assert.equal(output.text, "ab\ncd");
  });

  it("counts empty lines", () => {
    const output = new ProgramOutput(2);
    assert.deepEqual(["", "", "", ""].map((line) => output.add(line)), [true, true, true, false]);
    assert.equal(output.text, "\n\n");
  });
});
