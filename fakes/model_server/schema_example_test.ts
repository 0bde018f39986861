import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonSchemaObject } from "./conversation.ts";
import { exampleOf, requiredArguments, typeOf } from "./schema_example.ts";

describe("exampleOf()", () => {
  const rows: [fact: string, schema: JsonSchemaObject, example: unknown][] = [
    ["makes a text", { type: "string" }, "text"],
    ["takes a constant", { const: 0 }, 0],
    ["takes the first choice", { type: "string", enum: ["allow", "deny"] }, "allow"],
    ["takes the first alternative", { anyOf: [{ type: "integer" }, { type: "null" }] }, 1],
    ["heeds a minimum", { type: "number", minimum: 3 }, 3],
    ["takes the first type that is not null", { type: ["null", "boolean"] }, false],
    ["makes null where nothing else fits", { type: "null" }, null],
    ["makes an empty array", { type: "array", items: { type: "string" } }, []],
    ["makes as many items as there must be", { type: "array", minItems: 2, items: { type: "boolean" } }, [
      false,
      false,
    ]],
    ["fills required properties only", {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["b"],
    }, { b: "text" }],
    ["fills every property where none is required", { properties: { a: { type: "boolean" } } }, { a: false }],
    ["reads the type names of Gemini", {
      type: "OBJECT",
      properties: { n: { type: "INTEGER" } },
      required: ["n"],
    }, { n: 1 }],
    ["follows a reference", {
      type: "object",
      required: ["who"],
      properties: { who: { $ref: "#/$defs/a~1b" } },
      $defs: { "a/b": { enum: ["x"] } },
    }, { who: "x" }],
  ];
  for (const [fact, schema, example] of rows) {
    it(fact, () => assert.deepEqual(exampleOf(schema), example));
  }
});

describe("requiredArguments()", () => {
  it("makes nothing where nothing is required", () => {
    assert.deepEqual(requiredArguments({ type: "object", properties: { a: { type: "string" } } }), {});
  });
  it("makes a text for a required property that is not described", () => {
    assert.deepEqual(requiredArguments({ required: ["a"] }), { a: "text" });
  });
});

describe("typeOf()", () => {
  it("is object where properties are described, else string", () => {
    assert.deepEqual([typeOf({ properties: {} }), typeOf({})], ["object", "string"]);
  });
});
