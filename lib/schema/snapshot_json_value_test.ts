import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  HOSTILE_ERROR,
  inOtherRealm,
  nested,
  REVOKED_PROXIES,
  THROWING_VALUES,
} from "./hostile_values_test.ts";
import { snapshotFrozenJsonValue, snapshotJsonValue } from "./snapshot_json_value.ts";

type Slots = Record<string, unknown>;

/** Collects every object that a value holds. */
function containersIn(root: unknown): Set<object> {
  const found: Set<object> = new Set();
  const ahead = [root];
  while (ahead.length > 0) {
    const value = ahead.pop();
    if (typeof value !== "object" || value === null || found.has(value)) continue;
    found.add(value);
    ahead.push(...Object.values(value));
  }
  return found;
}

const hidden = (value: object, key: PropertyKey): object => Object.defineProperty(value, key, { value: 1 });

describe("snapshotJsonValue()", () => {
  const kept: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["true", true],
    ["false", false],
    ["an empty string", ""],
    ["a string with a lone surrogate", "\ud83d"],
    ["zero", 0],
    ["a fraction", -12.5],
    ["the largest number", Number.MAX_VALUE],
    ["an empty array", []],
    ["an empty object", {}],
    ["an array of arrays", [[], [1, ["2"]]]],
    ["objects in objects", { a: { b: [{ c: null }] }, "": 1, 7: "seven" }],
    ["a key called toJSON that holds data", { toJSON: "data" }],
    ["keys called like inherited members", { constructor: 1, hasOwnProperty: 2, toString: 3 }],
  ];
  for (const [what, value] of kept) {
    it(`copies ${what}`, () => {
      const copy = snapshotJsonValue(value);
      assert.deepEqual(copy, value);
      if (typeof value === "object" && value !== null) assert.notEqual(copy, value);
    });
  }

  const circular: Slots = {};
  circular.a = { b: [circular] };
  const ring: unknown[] = [];
  ring.push(ring);
  // deno-lint-ignore no-sparse-arrays -- holes are the subject
  const sparse = [1, , 3];
  const refused: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["negative zero", -0],
    ["NaN", NaN],
    ["positive infinity", Infinity],
    ["negative infinity", -Infinity],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a class", class {}],
    ["a symbol", Symbol("s")],
    [
      "a class instance",
      new (class Point {
        x = 1;
      })(),
    ],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a set", new Set()],
    ["a regular expression", /a/],
    ["a boxed string", new String("a")],
    ["bytes", new Uint8Array(1)],
    ["an error", new Error("a")],
    ["a promise", Promise.resolve(1)],
    ["an object that inherits from an object", Object.create({ a: 1 })],
    ["an array of a subclass", new (class Items extends Array {})()],
    ["an array whose prototype is an array", Object.setPrototypeOf([], [])],
    ["an array whose prototype is gone", Object.setPrototypeOf([], null)],
    ["a hole", sparse],
    ["a hole at the end", new Array(1)],
    ["four billion holes", new Array(2 ** 32 - 1)],
    ["undefined in an array", [undefined]],
    ["undefined in an object", { a: undefined }],
    ["something deep inside", { a: [{ b: [1, { c: () => 1 }] }] }],
    ["negative zero deep inside", [[{ a: -0 }]]],
    ["an object that contains itself", circular],
    ["an array that contains itself", ring],
    ["an object whose part contains it", { outside: circular }],
  ];
  for (const [what, value] of refused) {
    it(`refuses ${what}`, () => assert.equal(snapshotJsonValue(value), undefined));
  }

  it("gives an object without a prototype the usual one", () => {
    const copy = snapshotJsonValue(Object.assign(Object.create(null), { a: Object.create(null) }));
    assert.deepEqual(copy, { a: {} });
    for (const container of containersIn(copy)) {
      assert.equal(Object.getPrototypeOf(container), Object.prototype);
    }
  });

  it("copies a key called __proto__ as data", () => {
    const copy = snapshotJsonValue(JSON.parse('{"__proto__":{"polluted":true},"a":1}')) as Slots;
    assert.deepEqual(Object.keys(copy), ["__proto__", "a"]);
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
    assert.equal(copy.polluted, undefined);
    assert.equal(JSON.stringify(copy), '{"__proto__":{"polluted":true},"a":1}');
  });

  it("calls no setter that Object.prototype has got", () => {
    const key = "snapshotPollution";
    const received: unknown[] = [];
    const prototype = Object.prototype;
    Object.defineProperty(prototype, key, { set: (value) => received.push(value), configurable: true });
    try {
      const copy = snapshotJsonValue(JSON.parse(`{"${key}":1}`)) as Slots;
      assert.ok(Object.hasOwn(copy, key));
      assert.equal(copy[key], 1);
      assert.deepEqual(received, []);
    } finally {
      Reflect.deleteProperty(prototype, key);
    }
  });

  it("keeps the order of keys", () => {
    const copy = snapshotJsonValue({ z: 1, a: 2, m: 3 }) as Slots;
    assert.deepEqual(Object.keys(copy), ["z", "a", "m"]);
  });

  it("is not affected by later changes of the original", () => {
    const original = { list: [1, { deep: "before" }], map: { a: 1 } as Slots };
    const copy = snapshotJsonValue(original);
    original.list.push(2);
    (original.list[1] as Slots).deep = "after";
    original.map.b = 2;
    assert.deepEqual(copy, { list: [1, { deep: "before" }], map: { a: 1 } });
  });

  it("gives a copy that can be changed", () => {
    const copy = snapshotJsonValue({ list: [1] }) as { list: number[]; more?: true };
    copy.list.push(2);
    copy.list[0] = 0;
    copy.more = true;
    assert.deepEqual(copy, { list: [0, 2], more: true });
  });

  it("takes an object in two sibling positions", () => {
    const shared = { a: [1] };
    assert.deepEqual(snapshotJsonValue({ left: shared, right: [shared, shared] }), {
      left: { a: [1] },
      right: [{ a: [1] }, { a: [1] }],
    });
  });

  it("takes an object that occurs 2^100 times", () => {
    const copy = snapshotJsonValue(nested<unknown>(100, [], (inner) => [inner, inner]));
    assert.equal(containersIn(copy).size, 101);
  });

  it("reads each slot once, and not again where its object recurs", () => {
    const reads: string[] = [];
    const counting = (name: string, value: unknown) => ({
      enumerable: true,
      get: () => {
        reads.push(name);
        return value;
      },
    });
    const list = Object.defineProperty([], 0, counting("list[0]", "item"));
    const value = Object.defineProperties({}, { a: counting("a", list), b: counting("b", list) });
    assert.deepEqual(snapshotJsonValue(value), { a: ["item"], b: ["item"] });
    assert.deepEqual(reads, ["a", "list[0]", "b"]);
  });

  it("reads each slot of a proxy once", () => {
    const reads: PropertyKey[] = [];
    const proxied = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (owner, key) => {
          reads.push(key);
          return Reflect.get(owner, key);
        },
      });
    assert.deepEqual(snapshotJsonValue(proxied({ a: proxied([1, 2]), b: 3 })), { a: [1, 2], b: 3 });
    assert.deepEqual(reads, ["a", "length", "0", "1", "b"]);
  });

  it("keeps the first answer of a getter that changes its mind", () => {
    let answers = 0;
    const value = {
      get a(): unknown {
        return answers++ === 0 ? "harmless" : () => "harm";
      },
    };
    assert.deepEqual(snapshotJsonValue(value), { a: "harmless" });
    assert.equal(answers, 1);
  });

  it("refuses a slot that a getter before it removed", () => {
    const value: { a: unknown; b?: number } = {
      get a() {
        delete value.b;
        return 1;
      },
      b: 2,
    };
    assert.equal(snapshotJsonValue(value), undefined);
  });

  it("calls no getter of what it refuses by its shape", () => {
    class Point {}
    const point = Object.defineProperty(new Point(), "x", {
      enumerable: true,
      get: () => assert.fail("was read"),
    });
    assert.equal(snapshotJsonValue(point), undefined);
  });

  it("calls no toJSON", () => {
    let calls = 0;
    const toJSON = () => ++calls;
    class Wrapped {
      toJSON = toJSON;
    }
    for (const value of [{ toJSON }, new Wrapped(), [Object.create({ toJSON })]]) {
      assert.equal(snapshotJsonValue(value), undefined);
    }
    assert.equal(calls, 0);
  });

  for (const [what, value] of THROWING_VALUES) {
    it(`lets the error of ${what} through`, () => {
      assert.throws(() => snapshotJsonValue(value), (error) => error === HOSTILE_ERROR);
      assert.throws(() => snapshotJsonValue([{ deep: value }]), (error) => error === HOSTILE_ERROR);
    });
  }

  for (const [what, value] of REVOKED_PROXIES) {
    it(`throws for ${what}`, () => assert.throws(() => snapshotJsonValue(value), TypeError));
  }

  it("copies nothing but data from a proxy that claims to be plain", () => {
    class Secret {
      a = 1;
    }
    const copy = snapshotJsonValue(new Proxy(new Secret(), { getPrototypeOf: () => Object.prototype }));
    assert.deepEqual(copy, { a: 1 });
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  });

  it("copies 100,000 arrays inside each other", () => {
    let copy: unknown = snapshotJsonValue(nested<unknown>(100_000, "core", (inner) => [inner]));
    let depth = 0;
    for (; Array.isArray(copy); copy = copy[0]) depth++;
    assert.deepEqual([depth, copy], [100_000, "core"]);
  });

  it("copies 100,000 objects inside each other", () => {
    let copy: unknown = snapshotJsonValue(nested<unknown>(100_000, "core", (inner) => ({ inner })));
    let depth = 0;
    for (; typeof copy === "object"; copy = (copy as Slots).inner) depth++;
    assert.deepEqual([depth, copy], [100_000, "core"]);
  });

  it("refuses what is wrong 100,000 levels down", () =>
    assert.equal(snapshotJsonValue(nested<unknown>(100_000, -0, (inner) => [inner])), undefined));

  it("copies a list of 200,000", () => {
    const list = Array.from({ length: 200_000 }, (_, index) => index);
    assert.deepEqual(snapshotJsonValue(list), list);
  });

  it("gives what structuredClone gives for JSON values, and shares nothing with the original", () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => {
      // A generated -0 becomes 0, as it does in JSON.
      const value: unknown = JSON.parse(JSON.stringify(json));
      const copy = snapshotJsonValue(value);
      assert.deepEqual(copy, structuredClone(value));
      const originals = containersIn(value);
      for (const container of containersIn(copy)) assert.ok(!originals.has(container));
    }));
  });

  it("copies exactly what a round trip through JSON leaves the same", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withBoxedValues: true,
    });
    fc.assert(
      fc.property(fc.oneof(anything, fc.jsonValue(), fc.array(fc.constantFrom(0, -0, NaN, ""))), (value) => {
        assert.equal(snapshotJsonValue(value) !== undefined, survivesJson(value));
      }),
      { numRuns: 500 },
    );
  });
});

function survivesJson(value: unknown): boolean {
  try {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(value)), value);
    return true;
  } catch {
    return false;
  }
}

describe("snapshotJsonValue() where the generations of the contract differ", () => {
  it("refuses an object with a symbol key, which the older one ignored", () =>
    assert.equal(snapshotJsonValue({ a: 1, [Symbol("s")]: 2 }), undefined));

  it("refuses an object with a hidden key, which the older one ignored", () => {
    assert.equal(snapshotJsonValue(hidden({ a: 1 }, "b")), undefined);
    assert.equal(snapshotJsonValue(hidden({ a: 1 }, Symbol("s"))), undefined);
  });

  it("refuses an array with another property, which the older one ignored", () => {
    assert.equal(snapshotJsonValue(Object.assign([1], { extra: 2 })), undefined);
    assert.equal(snapshotJsonValue(Object.assign([1], { [Symbol("s")]: 2 })), undefined);
    assert.equal(snapshotJsonValue(hidden([1], "extra")), undefined);
  });

  it("takes arrays and objects of another realm, of which the older one took no arrays", () => {
    const copy = snapshotJsonValue(inOtherRealm('({ list: [1, [2]], map: { a: "b" } })'));
    assert.deepEqual(copy, { list: [1, [2]], map: { a: "b" } });
    assert.equal(Object.getPrototypeOf((copy as Slots).list), Array.prototype);
  });

  it("refuses class instances of another realm, as the older one did", () => {
    for (const expression of ["new Date(0)", "new Map()", "new (class Object {})()", "Object.create([])"]) {
      assert.equal(snapshotJsonValue(inOtherRealm(expression)), undefined, expression);
    }
  });

  it("goes deeper than the call stack, which the older one did not", () =>
    assert.notEqual(snapshotJsonValue(nested<unknown>(100_000, null, (inner) => [inner])), undefined));
});

describe("snapshotFrozenJsonValue()", () => {
  it("freezes every part of the copy and no part of the original", () => {
    const original = { list: [1, { a: [] }], map: { b: null }, text: "text" };
    const copy = snapshotFrozenJsonValue(original);
    assert.deepEqual(copy, original);
    const containers = containersIn(copy);
    assert.equal(containers.size, 5);
    for (const container of containers) assert.ok(Object.isFrozen(container));
    for (const container of containersIn(original)) assert.ok(!Object.isFrozen(container));
  });

  it("freezes 100,000 levels", () => {
    const copy = snapshotFrozenJsonValue(nested<unknown>(100_000, [], (inner) => [inner]));
    for (const container of containersIn(copy)) assert.ok(Object.isFrozen(container));
    assert.equal(containersIn(copy).size, 100_001);
  });

  it("gives scalars as they are and refuses what is no JSON", () => {
    assert.equal(snapshotFrozenJsonValue("text"), "text");
    assert.equal(snapshotFrozenJsonValue(null), null);
    assert.equal(snapshotFrozenJsonValue([() => 1]), undefined);
  });
});
