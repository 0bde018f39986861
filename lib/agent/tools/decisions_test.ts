import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { unfrozenIn } from "../agent_fixtures_test.ts";
import { checkedApproval, checkedGuardResult, checkedPostDecision, checkedPreDecision } from "./decisions.ts";

const BLOCKS = [{ type: "text", text: "a" }];

/** An object whose property answers differently the second time it is read. */
function fickle(fields: Readonly<Record<string, readonly [unknown, unknown]>>): object {
  const object = {};
  for (const [key, answers] of Object.entries(fields)) {
    let reads = 0;
    Object.defineProperty(object, key, { get: () => answers[Math.min(reads++, 1)], enumerable: true });
  }
  return object;
}

describe("checkedPreDecision()", () => {
  for (
    const decision of [
      { kind: "allow" },
      { kind: "deny", reason: "no" },
      { kind: "deny", reason: "" },
      { kind: "ask" },
      { kind: "ask", reason: "sure?" },
    ]
  ) {
    it(`takes ${JSON.stringify(decision)}`, () => {
      const taken = checkedPreDecision(decision);
      assert.deepEqual(taken, decision);
      assert.notEqual(taken, decision);
      assert.deepEqual(unfrozenIn(taken), []);
    });
  }

  it("drops what does not belong to a decision", () => {
    assert.deepEqual(checkedPreDecision({ kind: "allow", reason: "because" }), { kind: "allow" });
    assert.deepEqual(checkedPreDecision({ kind: "ask", reason: undefined }), { kind: "ask" });
  });

  it("reads each field once", () => {
    assert.deepEqual(
      checkedPreDecision(fickle({ kind: ["deny", "allow"], reason: ["no", 1] })),
      { kind: "deny", reason: "no" },
    );
  });

  const malformed: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["null", null],
    ["true", true],
    ["a text", "allow"],
    ["a list", ["allow"]],
    ["an object without kind", {}],
    ["an unknown kind", { kind: "perhaps" }],
    ["a refusal without reason", { kind: "deny" }],
    ["a refusal whose reason is no text", { kind: "deny", reason: 1 }],
    ["a question whose reason is no text", { kind: "ask", reason: null }],
  ];
  for (const [what, value] of malformed) {
    it(`refuses ${what}`, () =>
      assert.throws(
        () => checkedPreDecision(value),
        new TypeError(
          "tools/pre-execute returned an invalid decision; " +
            "expected { kind: 'allow' }, { kind: 'deny', reason } or { kind: 'ask', reason? }",
        ),
      ));
  }
});

describe("checkedApproval()", () => {
  for (const decision of [{ kind: "allow" }, { kind: "deny", reason: "no" }]) {
    it(`takes ${JSON.stringify(decision)}`, () => assert.deepEqual(checkedApproval(decision), decision));
  }

  for (const value of [undefined, true, { kind: "ask" }, { kind: "ask", reason: "you" }, { kind: "deny" }]) {
    it(`refuses ${JSON.stringify(value)}`, () =>
      assert.throws(
        () => checkedApproval(value),
        new TypeError(
          "tool approval returned an invalid decision; expected { kind: 'allow' } or { kind: 'deny', reason }",
        ),
      ));
  }
});

describe("checkedPostDecision()", () => {
  for (
    const decision of [
      { kind: "accept" },
      { kind: "accept", content: BLOCKS },
      { kind: "accept", content: [] },
      { kind: "block", feedback: BLOCKS },
      { kind: "block", feedback: [] },
    ]
  ) {
    it(`takes ${JSON.stringify(decision)}`, () => {
      const taken = checkedPostDecision(decision);
      assert.deepEqual(taken, decision);
      assert.notEqual(taken, decision);
      assert.deepEqual(unfrozenIn(taken), []);
    });
  }

  it("takes content that is there and undefined for none", () => {
    assert.deepEqual(checkedPostDecision({ kind: "accept", content: undefined }), { kind: "accept" });
  });

  it("reads each field once", () => {
    assert.deepEqual(
      checkedPostDecision(fickle({ kind: ["block", "accept"], feedback: [BLOCKS, []] })),
      { kind: "block", feedback: BLOCKS },
    );
  });

  const malformed: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["a text", "accept"],
    ["an object without kind", {}],
    ["a decision about calls", { kind: "allow" }],
    ["content that is a text", { kind: "accept", content: "a" }],
    ["content that is null", { kind: "accept", content: null }],
    ["a block without feedback", { kind: "block" }],
    ["feedback that is a text", { kind: "block", feedback: "no" }],
  ];
  for (const [what, value] of malformed) {
    it(`refuses ${what}`, () =>
      assert.throws(
        () => checkedPostDecision(value),
        new TypeError(
          "tools/post-execute returned an invalid decision; " +
            "expected { kind: 'accept', content? } or { kind: 'block', feedback }",
        ),
      ));
  }
});

describe("checkedGuardResult()", () => {
  for (const value of [undefined, "no", ""]) {
    it(`takes ${JSON.stringify(value)}`, () => assert.equal(checkedGuardResult(value), value));
  }

  for (
    const [what, value] of [["null", null], ["false", false], ["a promise", Promise.resolve("no")]] as const
  ) {
    it(`refuses ${what}`, () =>
      assert.throws(
        () => checkedGuardResult(value),
        new TypeError("tool guard returned an invalid result; expected a string or undefined"),
      ));
  }
});
