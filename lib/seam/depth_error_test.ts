import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDepth, SubagentDepthError } from "./depth_error.ts";

describe("SubagentDepthError", () => {
  it("says both depths, in its message and as fields", () => {
    const error = new SubagentDepthError(4, 3);
    assert.ok(error instanceof Error);
    assert.equal(String(error), "SubagentDepthError: subagent depth 4 exceeds maxDepth 3");
    assert.deepEqual({ ...error }, { code: "DEPTH_EXCEEDED", attemptedDepth: 4, maxDepth: 3 });
  });

  it("has the cause that it is given, and none of its own", () => {
    const cause = new Error("why");
    assert.equal(new SubagentDepthError(1, 0, { cause }).cause, cause);
    assert.equal(Object.hasOwn(new SubagentDepthError(1, 0), "cause"), false);
  });

  it("is() knows its own kind, also of another copy of the package, and nothing else", () => {
    class OtherCopy extends Error {}
    Object.defineProperty(OtherCopy.prototype, Symbol.for("@subagent/seam.SubagentDepthError"), {
      value: true,
    });
    assert.equal(SubagentDepthError.is(new SubagentDepthError(1, 0)), true);
    assert.equal(SubagentDepthError.is(new OtherCopy()), true);
    const impostor = Object.assign(new Error("subagent depth 1 exceeds maxDepth 0"), {
      name: "SubagentDepthError",
    });
    for (const other of [impostor, null, undefined, "SubagentDepthError"]) {
      assert.equal(SubagentDepthError.is(other), false);
    }
  });
});

describe("isDepth()", () => {
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) {
    it(`takes ${value}`, () => assert.equal(isDepth(value), true));
  }
  for (const value of [-0, -1, 1.5, NaN, Infinity, 2 ** 53, "1", null, undefined]) {
    it(`refuses ${Object.is(value, -0) ? "-0" : String(value)} of type ${typeof value}`, () => {
      assert.equal(isDepth(value), false);
    });
  }
});
