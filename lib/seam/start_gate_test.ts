import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { SubagentError } from "./errors.ts";
import { NO_START_CAPABILITIES } from "./no_start_capabilities.ts";
import { assertCapabilities, assertMaxDepth, assertPersona, type UncheckedRequest } from "./start_gate.ts";
import type { SubagentCapabilities, SubagentProvider, SubagentRun } from "./types.ts";

function provider(capabilities: Partial<SubagentCapabilities> = {}): SubagentProvider {
  return {
    specificationVersion: "v1",
    name: "mine",
    capabilities: { ...NO_START_CAPABILITIES, ...capabilities },
    inheritsParentContext: false,
    start: () => Promise.reject<SubagentRun>(new Error("not in this test")),
  };
}

const gates = [
  ["agentOptions", "agentOptions", {}],
  ["outputSchema", "outputSchema", { type: "object" }],
  ["maxDepth", "depthLimit", 0],
  ["toolFilter", "toolFilter", { allow: [] }],
  ["persona", "persona", ""],
] as const;

describe("assertCapabilities()", () => {
  for (const [index, [field, capability, value]] of gates.entries()) {
    const message = `subagent provider "mine" does not support the "${capability}" capability`;

    it(`refuses ${field} without the capability ${capability}`, () =>
      assert.throws(() => assertCapabilities(provider(), { [field]: value }), (error) => {
        assert.ok(SubagentError.is(error));
        assert.equal(error.code, "UNSUPPORTED_CAPABILITY");
        assert.equal(error.message, message);
        return true;
      }));

    it(`takes ${field} with the capability ${capability}`, () =>
      assert.doesNotThrow(() => assertCapabilities(provider({ [capability]: true }), { [field]: value })));

    it(`takes an undefined ${field} for not asked for`, () =>
      assert.doesNotThrow(() => assertCapabilities(provider(), { [field]: undefined })));

    it(`takes a null ${field} for asked for`, () =>
      assert.throws(() => assertCapabilities(provider(), { [field]: null }), { message }));

    it(`names ${capability} before those that come after it`, () => {
      const rest: UncheckedRequest = Object.fromEntries(
        gates.slice(index).map(([name, , asked]) => [name, asked]),
      );
      assert.throws(() => assertCapabilities(provider(), rest), { message });
    });
  }
});

describe("assertMaxDepth()", () => {
  for (const value of [undefined, 0, 1, Number.MAX_SAFE_INTEGER]) {
    it(`takes ${value}`, () => assert.doesNotThrow(() => assertMaxDepth(value)));
  }

  for (
    const value of [
      null,
      "1",
      "",
      NaN,
      Infinity,
      -Infinity,
      0.5,
      -1,
      -0,
      2 ** 53,
      1n,
      true,
      {},
      [1],
      new Number(1),
    ]
  ) {
    it(`refuses ${inspect(value)}`, () =>
      assert.throws(() => assertMaxDepth(value), {
        name: "TypeError",
        message: "subagent maxDepth must be a non-negative safe integer",
      }));
  }
});

describe("assertPersona()", () => {
  for (const value of [undefined, "", "You are terse"]) {
    it(`takes ${JSON.stringify(value) ?? "undefined"}`, () =>
      assert.doesNotThrow(() => assertPersona(value)));
  }

  for (const value of [null, 1, {}, ["x"], new String("x")]) {
    it(`refuses ${JSON.stringify(value)} (${typeof value})`, () =>
      assert.throws(() => assertPersona(value), {
        name: "TypeError",
        message: "subagent persona must be a string",
      }));
  }
});
