import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SchemaTypes } from "./schema_types.ts";

describe("SchemaTypes", () => {
  const rows: readonly (readonly [unknown, string])[] = [
    [{ type: "string" }, "string"],
    [{ type: "integer" }, "number"],
    [{ type: "null" }, "null"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ const: "x\u2028y" }, '"x\\u2028y"'],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: { oneOf: [{ type: "string" }, { type: "number" }] } }, "(string | number)[]"],
    [{ type: "array" }, "unknown[]"],
    [{ type: "object" }, "{ [name: string]: unknown }"],
    [{ type: "object", additionalProperties: false }, "{}"],
    [
      {
        type: "object",
        properties: { a: { type: "string", description: "The\n a." }, "b-c": { type: "boolean" } },
        required: ["a"],
      },
      '{ /** The a. */ a: string; "b-c"?: boolean }',
    ],
    [{ anyOf: [{ type: "string" }, { type: "string" }] }, "string"],
    [{ allOf: [{ type: "string" }, { enum: ["a", "b"] }] }, 'string & ("a" | "b")'],
    [{ type: "object", additionalProperties: { type: "number" } }, "{ [name: string]: number }"],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
    [{ $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "string" } } }, "string"],
    [{ $ref: "#/$defs/a", $defs: {} }, "unknown"],
    [{ $ref: "https://example.com/x" }, "unknown"],
    [{ $ref: "#/__proto__" }, "unknown"],
    [{ const: { a: 1 } }, "unknown"],
    [{ enum: [] }, "unknown"],
    [true, "unknown"],
    [null, "unknown"],
  ];
  for (const [schema, type] of rows) {
    it(`gives ${type} for ${JSON.stringify(schema)}`, () =>
      assert.equal(new SchemaTypes(schema).typeOf(schema), type));
  }

  it("ends in a schema that nests without end", () => {
    let schema: unknown = { type: "string" };
    for (let depth = 0; depth < 10_000; depth++) schema = { type: "array", items: schema };
    assert.equal(new SchemaTypes(schema).typeOf(schema), `unknown${"[]".repeat(9)}`);
  });

  it("ends in a schema that refers to itself, again and again", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`p${index}`, { $ref: "#" }]),
    );
    const schema = { type: "object", properties };
    assert.ok(new SchemaTypes(schema).typeOf(schema).length < 10_000);
  });
});
