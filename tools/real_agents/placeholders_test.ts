import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fillPlaceholders } from "./placeholders.ts";

describe("fillPlaceholders()", () => {
  it("fills strings at any depth, keys included, and leaves the rest", () => {
    const value = { "${HOME}/a": ["${URL}/v1", 1, null, { b: "${HOME}:${HOME}", c: true }] };
    assert.deepEqual(fillPlaceholders(value, { HOME: "/h", URL: "http://x" }), {
      "/h/a": ["http://x/v1", 1, null, { b: "/h:/h", c: true }],
    });
  });

  it("does not fill what a value brings", () => {
    assert.equal(fillPlaceholders("${A}", { A: "${B}$&", B: "no" }), "${B}$&");
  });

  it("throws for a name without a value, inherited names included", () => {
    for (const name of ["HOST", "constructor", ""]) {
      assert.throws(() => fillPlaceholders(`\${${name}}`, { HOME: "/h" }), {
        name: "RangeError",
        message: `No value for the placeholder "\${${name}}"`,
      });
    }
  });
});
