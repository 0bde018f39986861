import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withoutUndefined } from "./without_undefined.ts";

describe("withoutUndefined()", () => {
  it("leaves out what is undefined and nothing else, in a copy", () => {
    const fields = { a: undefined, b: null, c: 0, d: "", e: false };
    assert.deepEqual(withoutUndefined(fields), { b: null, c: 0, d: "", e: false });
    assert.ok("a" in fields);
  });

  it("looks no deeper, and at own fields only", () => {
    const fields = Object.assign(Object.create({ inherited: 1 }), { a: { b: undefined } });
    assert.deepEqual(withoutUndefined(fields), { a: { b: undefined } });
  });
});
