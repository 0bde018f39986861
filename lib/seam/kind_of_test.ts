import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isRecord, kindOf } from "./kind_of.ts";

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const kinds: readonly (readonly [unknown, string])[] = [
  [null, "null"],
  [undefined, "undefined"],
  [[], "array"],
  [{}, "object"],
  [new Date(), "object"],
  ["secret", "string"],
  [1, "number"],
  [NaN, "number"],
  [1n, "bigint"],
  [true, "boolean"],
  [Symbol("secret"), "symbol"],
  [() => {}, "function"],
  [revoked(), "object"],
];

describe("kindOf()", () => {
  for (const [index, [value, kind]] of kinds.entries()) {
    it(`names ${kind} (case ${index})`, () => assert.equal(kindOf(value), kind));
  }
});

describe("isRecord()", () => {
  for (const [index, [value, kind]] of kinds.entries()) {
    it(`${kind === "object" ? "takes" : "refuses"} ${kind} (case ${index})`, () =>
      assert.equal(isRecord(value), kind === "object"));
  }
});
