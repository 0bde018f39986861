import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { nearestName, parseConfig } from "./parse_config.ts";

describe("parseConfig()", () => {
  const schema = z.strictObject({
    name: z.string(),
    count: z.int().default(3),
    nested: z.strictObject({ on: z.boolean() }).optional(),
    either: z.union([z.string(), z.number()]).optional(),
  });

  it("returns the parsed value with its defaults", () => {
    assert.deepEqual(parseConfig("pre", schema, { name: "a" }), { name: "a", count: 3 });
  });

  for (
    const [config, message] of [
      [[], "pre: config must be an object, but it is an array"],
      [{ name: 1n }, `pre: config field "name" must be a string, but it is a bigint`],
      [{ name: "a", count: NaN }, `pre: config field "count" must be a number, but it is NaN`],
      [{ name: "a", nested: {} }, `pre: config field "nested.on" is required: it must be a boolean`],
      [{ name: "a", nested: { on: true, of: 1 } }, `pre: config has no field "of"`],
      [{ name: "a", either: {} }, `pre: config field "either" must be of another kind, but it is an object`],
    ] as const
  ) {
    it(`says: ${message}`, () => {
      assert.throws(() => parseConfig("pre", schema, config), { name: "TypeError", message });
    });
  }
});

describe("nearestName()", () => {
  const known = ["command", "args", "cwd", "disposeGraceMs", "disposeEofGraceMs"];
  for (
    const [name, expected] of [
      ["comand", "command"],
      ["Command", "command"],
      ["arg", "args"],
      ["disposeEOFGraceMs", "disposeEofGraceMs"],
      ["dispose_grace_ms", "disposeGraceMs"],
      ["temperature", undefined],
      ["", undefined],
    ] as const
  ) {
    it(`finds ${expected} for ${JSON.stringify(name)}`, () =>
      assert.equal(nearestName(name, known), expected));
  }
});
