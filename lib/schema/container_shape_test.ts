import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { containerShape } from "./container_shape.ts";
import { HOSTILE_ERROR, inOtherRealm } from "./hostile_values_test.ts";

const decorated = (value: object, key: PropertyKey, enumerable = true): object =>
  Object.defineProperty(value, key, { value: 1, enumerable, configurable: true, writable: true });

describe("containerShape()", () => {
  const symbol = Symbol("s");
  const cases: readonly (readonly [string, object, readonly string[], boolean])[] = [
    ["an empty object", {}, [], true],
    ["an object, in the order of its keys", { b: 1, a: 2 }, ["b", "a"], true],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), ["a"], true],
    ["an object of another realm", inOtherRealm("({ a: 1 })"), ["a"], true],
    ["an object with a key called __proto__", JSON.parse('{"__proto__":1}'), ["__proto__"], true],
    ["an object with a symbol key", decorated({ a: 1 }, symbol), ["a"], false],
    ["an object with a hidden symbol key", decorated({ a: 1 }, symbol, false), ["a"], false],
    ["an object with a hidden string key", decorated({ a: 1 }, "b", false), ["a", "b"], false],
    ["an object that inherits", Object.create({ inherited: 1 }), [], false],
    ["a date", new Date(0), [], false],
    ["a map", new Map([["a", 1]]), [], false],
    ["a boxed string", new String("ab"), ["0", "1", "length"], false],
    ["an instance of a class", decorated(new (class Failure {})(), "a"), ["a"], false],
  ];
  for (const [what, value, keys, isPlain] of cases) {
    it(`describes ${what}`, () => assert.deepEqual(containerShape(value), { kind: "object", keys, isPlain }));
  }

  // deno-lint-ignore no-sparse-arrays -- holes are the subject
  const sparse = [1, , 3];
  const arrays: readonly (readonly [string, object, readonly string[], boolean])[] = [
    ["an empty array", [], [], true],
    ["an array", ["a", undefined], ["0", "1"], true],
    ["an array of another realm", inOtherRealm("[1, 2]"), ["0", "1"], true],
    ["an array with a hole", sparse, ["0", "2"], false],
    ["an array that ends in a hole", new Array(1), [], false],
    ["an array with a hole and another property", decorated(new Array(1), "extra"), [], false],
    ["an array with another property", decorated([1], "extra"), ["0"], false],
    ["an array with a hidden property", decorated([1], "extra", false), ["0"], false],
    ["an array with a symbol", decorated([1], symbol), ["0"], false],
    ["an array with a key beyond all indices", decorated([1], "4294967295"), ["0"], false],
    ["an array of a subclass", new (class Items extends Array {})(), [], false],
    ["an array without a prototype", Object.setPrototypeOf([1], null), ["0"], false],
    ["an array with an ordinary prototype", Object.setPrototypeOf([1], Object.prototype), ["0"], false],
  ];
  for (const [what, value, keys, isPlain] of arrays) {
    it(`describes ${what}`, () => assert.deepEqual(containerShape(value), { kind: "array", keys, isPlain }));
  }

  it("describes four billion holes at once", () => {
    const { keys, isPlain } = containerShape(new Array(2 ** 32 - 1));
    assert.deepEqual([keys, isPlain], [[], false]);
  });

  it("runs no getter", () => {
    let reads = 0;
    const count = { get: () => ++reads, enumerable: true };
    assert.equal(containerShape(Object.defineProperty({}, "a", count)).isPlain, true);
    assert.equal(containerShape(Object.defineProperty([], 0, count)).isPlain, true);
    assert.equal(reads, 0);
  });

  it("believes no proxy that lists the indices of an array out of order", () => {
    const proxy = new Proxy(["a", "b"], { ownKeys: () => ["1", "0", "length"] });
    assert.equal(containerShape(proxy).isPlain, false);
  });

  it("believes no proxy that lies about the length of an array", () => {
    const proxy = new Proxy(["a", "b"], {
      get: (target, key) => key === "length" ? 1 : Reflect.get(target, key),
    });
    assert.equal(containerShape(proxy).isPlain, false);
  });

  it("lets through what a trap throws", () => {
    const proxy = new Proxy({}, {
      ownKeys: () => {
        throw HOSTILE_ERROR;
      },
    });
    assert.throws(() => containerShape(proxy), (error) => error === HOSTILE_ERROR);
  });
});
