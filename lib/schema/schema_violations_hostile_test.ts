import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOSTILE_VALUES, nested } from "./hostile_values_test.ts";
import { schemaViolations } from "./schema_violations.ts";
import { A, rootWith, TYPES, violationTable } from "./violation_table_test.ts";

describe("schemaViolations() of values that fight back", () => {
  for (const [what, value] of HOSTILE_VALUES) {
    const beside = { type: "string" };
    violationTable([
      {
        name: `finds ${what} to be no schema`,
        schema: value,
        violations: ["schema must be a schema object"],
      },
      {
        name: `finds ${what} to be no schema of a property, and goes on`,
        schema: { type: "object", properties: { a: value, b: beside }, required: ["c"] },
        violations: [
          `${A} must be a schema object`,
          'schema.required names "c" which is not in properties',
        ],
      },
      {
        name: `refuses ${what} as what any keyword holds`,
        schema: {
          type: "object",
          title: value,
          description: value,
          default: value,
          examples: [value],
          properties: {
            a: { type: value },
            b: { oneOf: value },
            c: { type: "string", enum: value, const: value },
            d: { type: "array", items: value },
            e: { type: "object", properties: value },
          },
          required: value,
          additionalProperties: value,
        },
        violations: [
          "schema.default annotation must be lossless JSON data",
          "schema.examples annotation must be lossless JSON data",
          "schema.description must be a string",
          "schema.title must be a string",
          `${A}.type must be one of ${TYPES}`,
          "schema.properties.b.oneOf must be an array of at least two schemas",
          "schema.properties.c.enum must be a non-empty array of string values",
          "schema.properties.c.const must be a string value",
          "schema.properties.d.items must be a schema object",
          "schema.properties.e.properties must be an object of schemas",
          "schema.required must be an array of strings",
          "schema.additionalProperties must be a boolean",
        ],
      },
    ]);
  }

  it("reads each slot once", () => {
    let reads = 0;
    const schema = {
      get type() {
        return reads++ === 0 ? "object" : "string";
      },
    };
    assert.deepEqual(schemaViolations(schema), []);
    assert.equal(reads, 1);
  });
});

describe("schemaViolations() of deep schemas", () => {
  const text = { type: "string" };
  const branches = (depth: number, core: unknown) =>
    rootWith(nested<unknown>(depth, core, (inner) => ({ oneOf: [inner, text] })));

  it("passes 5,000 levels of oneOf", () => assert.deepEqual(schemaViolations(branches(5000, text)), []));

  it("names what is wrong below 5,000 levels of oneOf", () =>
    assert.deepEqual(schemaViolations(branches(5000, 1)), [
      `${A}${".oneOf[0]".repeat(5000)} must be a schema object`,
    ]));

  it("passes 100,000 levels of properties and of items", () => {
    assert.deepEqual(schemaViolations(nested<unknown>(100_000, { type: "object" }, rootWith)), []);
    const lists = nested<unknown>(100_000, text, (items) => ({ type: "array", items }));
    assert.deepEqual(schemaViolations(rootWith(lists)), []);
  });

  it("names a circle of 5,000 levels", () => {
    const core: Record<string, unknown> = { type: "array" };
    core.items = nested<unknown>(4999, core, (items) => ({ type: "array", items }));
    assert.deepEqual(schemaViolations(rootWith(core)), [`${A}${".items".repeat(5000)} is circular`]);
  });
});
