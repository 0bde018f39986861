import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isRefusal, refusal, refusing } from "./refusal.ts";

describe("isRefusal()", () => {
  it("knows what was marked, and gives nothing away to a look-alike", () => {
    const error = new TypeError("no");
    assert.equal(isRefusal(error), false);
    assert.equal(refusal(error), error);
    assert.equal(isRefusal(error), true);
    assert.equal(isRefusal(new TypeError("no")), false);
    assert.equal(isRefusal(Object.create(error)), false);
  });

  for (const value of [undefined, null, "no", 1]) {
    it(`says no to ${String(value)}`, () => assert.equal(isRefusal(value), false));
  }
});

describe("refusing()", () => {
  it("marks what the check throws and changes nothing about it", () => {
    const error = new RangeError("no");
    assert.throws(
      () =>
        refusing(() => {
          throw error;
        }),
      (thrown) => thrown === error && isRefusal(thrown),
    );
  });

  it("gives what the check gives", () => assert.equal(refusing(() => 7), 7));
});
