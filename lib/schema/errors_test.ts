import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OutputSchemaError, ToolArgsError } from "./errors.ts";

const classes = [
  {
    name: "OutputSchemaError",
    type: OutputSchemaError,
    code: "UNSUPPORTED_SCHEMA",
    one: "unsupported JSON schema: first",
    two: "unsupported JSON schema: first; second",
  },
  {
    name: "ToolArgsError",
    type: ToolArgsError,
    code: "INVALID_ARGS",
    one: "invalid arguments: first",
    two: "invalid arguments: first; second",
  },
] as const;

for (const { name, type, code, one, two } of classes) {
  describe(name, () => {
    it("is an error of that name, which stands on the prototype", () => {
      const error = new type(["first"]);
      assert.ok(error instanceof Error);
      assert.ok(error instanceof type);
      assert.equal(error.name, name);
      assert.equal(Object.hasOwn(error, "name"), false);
      assert.equal(String(error), `${name}: ${one}`);
    });

    it("has a stable code and lists the violations in its message", () => {
      assert.equal(new type([]).code, code);
      assert.equal(new type(["first"]).message, one);
      assert.equal(new type(["first", "second"]).message, two);
    });

    it("keeps a frozen list of its own", () => {
      const violations = ["first"];
      const error = new type(violations);
      violations.push("second");
      assert.deepEqual(error.violations, ["first"]);
      assert.ok(Object.isFrozen(error.violations));
      assert.ok(!Object.isFrozen(violations));
    });

    it("keeps its cause out of enumeration", () => {
      const cause = new Error("cause");
      const error = new type(["first"], { cause });
      assert.equal(error.cause, cause);
      assert.ok(!Object.keys(error).includes("cause"));
      assert.equal(Object.hasOwn(new type(["first"]), "cause"), false);
    });

    it("is() knows its own kind, and the class of another copy of the package", () => {
      class OtherCopy extends Error {}
      Object.defineProperty(OtherCopy.prototype, Symbol.for(`@subagent/seam.${name}`), { value: true });
      assert.equal(type.is(new type([])), true);
      assert.equal(type.is(new OtherCopy()), true);
    });

    it("is() refuses everything else", () => {
      const others = classes.filter((other) => other.name !== name).map((other) => new other.type([]));
      const named = Object.assign(new Error("x"), { name, code });
      for (const value of [null, undefined, name, named, ...others]) assert.equal(type.is(value), false);
    });
  });
}

describe("OutputSchemaError where the generations of the contract differ", () => {
  it("says JSON schema, where the older one said output schema, under the name and code of the older one", () => {
    const error = new OutputSchemaError(["schema is circular"]);
    assert.equal(error.message, "unsupported JSON schema: schema is circular");
    assert.equal(error.name, "OutputSchemaError");
    assert.equal(error.code, "UNSUPPORTED_SCHEMA");
  });
});
