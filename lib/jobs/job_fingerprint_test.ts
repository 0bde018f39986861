import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../schema/json_value.ts";
import { jobFingerprint } from "./job_fingerprint.ts";

const of = (work: JsonObject, label = "l", kind = "k") => jobFingerprint({ kind, label, work });

describe("jobFingerprint()", () => {
  it("is the same whatever the order of names, at any depth", () => {
    assert.equal(of({ a: 1, b: [{ c: 2, d: 3 }] }), of({ b: [{ d: 3, c: 2 }], a: 1 }));
  });

  const different: [fact: string, one: string, other: string][] = [
    ["kinds", of({}, "l", "k"), of({}, "l", "m")],
    ["labels", of({}, "l"), of({}, "m")],
    ["orders of a list", of({ a: [1, 2] }), of({ a: [2, 1] })],
    ["types of a value", of({ a: "1" }), of({ a: 1 })],
    ["names that hold what separates", of({ 'a":1,"b': 2 }), of({ a: 1, b: 2 })],
  ];
  for (const [fact, one, other] of different) {
    it(`tells ${fact} apart`, () => assert.notEqual(one, other));
  }

  it("is equal exactly when JSON is, names sorted", () => {
    const work = fc.dictionary(fc.constantFrom("a", "b", "__proto__"), fc.jsonValue());
    fc.assert(fc.property(work, work, (one, other) => {
      const same = isSame(one as JsonValue, other as JsonValue);
      assert.equal(of(one as JsonObject) === of(other as JsonObject), same);
    }));
  });
});

/** JSON has no -0: it writes 0. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  try {
    assert.deepEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
    return true;
  } catch {
    return false;
  }
}
