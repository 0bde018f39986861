import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inOtherRealm } from "./hostile_values_test.ts";
import { isArrayPrototype, isObjectPrototype } from "./intrinsic_prototype.ts";

const prototypeOf = (value: object): object => Object.getPrototypeOf(value);

const otherObject = prototypeOf(inOtherRealm("({})"));
const otherArray = prototypeOf(inOtherRealm("[]"));

class Fake {}
class FakeArray extends Array {}

/** An object without a prototype whose constructor is `constructor`. */
const withConstructor = (constructor: unknown) => Object.assign(Object.create(null), { constructor });

/** A class that calls itself `Object`, with a prototype that has none itself. */
function namedObject(): object {
  class Object_ {}
  Object.defineProperty(Object_, "name", { value: "Object" });
  Object.setPrototypeOf(Object_.prototype, null);
  return Object_.prototype;
}

describe("isObjectPrototype()", () => {
  const cases: readonly (readonly [string, object, boolean])[] = [
    ["takes that of this realm", Object.prototype, true],
    ["takes that of another realm", otherObject, true],
    ["refuses that of a class", Fake.prototype, false],
    ["refuses that of arrays", Array.prototype, false],
    ["refuses that of maps", Map.prototype, false],
    ["refuses an ordinary object", {}, false],
    ["refuses an object without a prototype", Object.create(null), false],
    ["refuses a class that calls itself Object", namedObject(), false],
    ["refuses a stranger that names our constructor", withConstructor(Object), false],
    ["refuses a constructor that is none", withConstructor({ prototype: 1 }), false],
    ["refuses an object of the other realm", inOtherRealm("({})"), false],
    ["refuses a class of the other realm", prototypeOf(inOtherRealm("new (class Object {})()")), false],
  ];
  for (const [name, prototype, expected] of cases) {
    it(name, () => assert.equal(isObjectPrototype(prototype), expected));
  }
});

describe("isArrayPrototype()", () => {
  const cases: readonly (readonly [string, object, boolean])[] = [
    ["takes that of this realm", Array.prototype, true],
    ["takes that of another realm", otherArray, true],
    ["refuses that of a subclass", FakeArray.prototype, false],
    ["refuses an array", [], false],
    ["refuses an array of the other realm", inOtherRealm("[]"), false],
    ["refuses that of objects", Object.prototype, false],
    [
      "refuses a subclass of the other realm",
      prototypeOf(inOtherRealm("new (class Array extends [].constructor {})()")),
      false,
    ],
  ];
  for (const [name, prototype, expected] of cases) {
    it(name, () => assert.equal(isArrayPrototype(prototype), expected));
  }
});
