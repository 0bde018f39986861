import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkedFunction } from "./checked_function.ts";

describe("checkedFunction()", () => {
  it("gives a function back as it is", () => {
    const listener = () => {};
    assert.equal(checkedFunction(listener, "on()"), listener);
  });

  for (const [kind, value] of [["undefined", undefined], ["null", null], ["object", {}]] as const) {
    it(`refuses ${kind}`, () =>
      assert.throws(
        () => checkedFunction(value, "on()"),
        new TypeError(`on() takes a function, got ${kind}`),
      ));
  }
});
