import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SubagentDepthError } from "../seam/depth_error.ts";
import { childDepthOf, delegationDepthOf, depthOf } from "./depth.ts";
import { isRefusal } from "./refusal.ts";

const MALFORMED: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["a string", "1"],
  ["NaN", NaN],
  ["an infinity", Infinity],
  ["a negative number", -1],
  ["negative zero", -0],
  ["a fraction", 1.5],
  ["a number past the safe integers", 2 ** 53],
  ["a boolean", true],
  ["an object", { valueOf: () => 1 }],
];

const malformedDepth = (error: unknown) =>
  error instanceof TypeError && isRefusal(error) &&
  error.message === "agent subagentDepth must be a non-negative safe integer";

describe("depthOf()", () => {
  it("is 0 for an agent without a depth, whether undefined or absent", () => {
    assert.equal(depthOf({ options: {} }), 0);
    assert.equal(depthOf({ options: { subagentDepth: undefined } }), 0);
    assert.equal(depthOf({}), 0);
  });

  it("is what the options say", () => {
    for (const depth of [0, 1, 7, Number.MAX_SAFE_INTEGER]) {
      assert.equal(depthOf({ options: { subagentDepth: depth } }), depth);
    }
  });

  it("reads only the options, not the session (older generation)", () => {
    const agent = { options: { subagentDepth: 1 }, session: { header: { delegationDepth: 5 } } };
    assert.equal(depthOf(agent), 1);
  });

  for (const [name, subagentDepth] of MALFORMED) {
    it(`refuses ${name}, which would make every comparison with a cap come out false`, () => {
      assert.throws(() => depthOf({ options: { subagentDepth } }), malformedDepth);
    });
  }
});

describe("delegationDepthOf()", () => {
  const agent = (subagentDepth: number | undefined, delegationDepth?: number) => ({
    options: { subagentDepth },
    session: { header: delegationDepth === undefined ? {} : { delegationDepth } },
  });

  it("is the larger of session and options (newer generation)", () => {
    assert.equal(delegationDepthOf(agent(1, 5)), 5);
    assert.equal(delegationDepthOf(agent(5, 1)), 5);
    assert.equal(delegationDepthOf(agent(undefined, 2)), 2);
    assert.equal(delegationDepthOf(agent(2)), 2);
    assert.equal(delegationDepthOf({}), 0);
  });

  for (const [name, subagentDepth] of MALFORMED) {
    it(`refuses ${name} in the options whatever the session says`, () => {
      assert.throws(() => delegationDepthOf({ options: { subagentDepth } }), malformedDepth);
    });
  }
});

describe("childDepthOf()", () => {
  it("is one more than the parent's", () => {
    assert.equal(childDepthOf(0, undefined), 1);
    assert.equal(childDepthOf(2, 3), 3);
  });

  it("refuses a depth past the cap with both depths", () => {
    assert.throws(() => childDepthOf(2, 2), (error) => {
      assert.ok(SubagentDepthError.is(error));
      assert.deepEqual([error.attemptedDepth, error.maxDepth], [3, 2]);
      assert.equal(error.message, "subagent depth 3 exceeds maxDepth 2");
      return true;
    });
    assert.throws(() => childDepthOf(0, 0), SubagentDepthError);
  });

  it("refuses a depth that is no safe integer, capped or not, before it looks at the cap", () => {
    for (const maxDepth of [undefined, 0, Number.MAX_SAFE_INTEGER]) {
      assert.throws(() => childDepthOf(Number.MAX_SAFE_INTEGER, maxDepth), (error) => {
        assert.ok(error instanceof RangeError && isRefusal(error));
        assert.equal(error.message, "subagent child depth exceeds the safe-integer range");
        return true;
      });
    }
    assert.equal(childDepthOf(Number.MAX_SAFE_INTEGER - 1, undefined), Number.MAX_SAFE_INTEGER);
  });
});
