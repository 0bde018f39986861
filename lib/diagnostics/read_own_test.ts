import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readElements, readOwn } from "./read_own.ts";

function refuse(): never {
  throw new Error("secret");
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

describe("readOwn()", () => {
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ["gives an own property", { stage: "prompt" }, "prompt"],
    ["gives an own property of a null-prototype object", Object.assign(Object.create(null), { stage: 1 }), 1],
    ["gives undefined for a missing property", {}, undefined],
    ["gives undefined for an inherited property", Object.create({ stage: "prompt" }), undefined],
    ["gives undefined for a number", 1, undefined],
    ["gives null for null", null, null],
    ["gives null for undefined", undefined, null],
    ["gives null for a getter that throws", Object.defineProperty({}, "stage", { get: refuse }), null],
    [
      "gives null for a proxy that refuses to say what it has",
      new Proxy({}, { getOwnPropertyDescriptor: refuse }),
      null,
    ],
    ["gives null for a proxy that refuses to read", new Proxy({ stage: "prompt" }, { get: refuse }), null],
    ["gives null for a revoked proxy", revoked(), null],
  ];
  for (const [name, source, expected] of cases) {
    it(name, () => assert.equal(readOwn(source, "stage"), expected));
  }

  it("reads a getter once", () => {
    let reads = 0;
    const source = {
      get stage() {
        return ++reads;
      },
    };
    assert.equal(readOwn(source, "stage"), 1);
    assert.equal(reads, 1);
  });
});

describe("readElements()", () => {
  it("gives the elements in their order", () =>
    assert.deepEqual(readElements(["a", 2, null], 3), ["a", 2, null]));

  it("gives holes as undefined", () =>
    assert.deepEqual(readElements(new Array(2), 2), [undefined, undefined]));

  it("does not ask the array how to iterate it", () => {
    const source = Object.assign(["a"], { [Symbol.iterator]: refuse, map: refuse });
    assert.deepEqual(readElements(source, 1), ["a"]);
  });

  const cases: readonly (readonly [string, unknown])[] = [
    ["an array longer than the limit", ["a", "b"]],
    ["a proxy that claims a huge length", new Proxy([], { get: () => 2 ** 53 })],
    ["a proxy that claims a length that is none", new Proxy([], { get: () => Symbol("length") })],
    ["an element that throws", Object.defineProperty(["a"], 0, { get: refuse })],
    ["a revoked proxy of an array", revoked()],
    ["an array-like object", { length: 1, 0: "a" }],
    ["a string", "a"],
    ["null", null],
  ];
  for (const [name, source] of cases) {
    it(`gives nothing for ${name}`, () => assert.deepEqual(readElements(source, 1), []));
  }
});
