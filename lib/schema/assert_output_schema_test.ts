import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertOutputSchema, snapshotOutputSchema } from "./assert_output_schema.ts";
import { OutputSchemaError } from "./errors.ts";
import { HOSTILE_ERROR, HOSTILE_VALUES, THROWING_VALUES } from "./hostile_values_test.ts";

const supported = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

function violationsOf(action: () => unknown): readonly string[] {
  try {
    action();
  } catch (error) {
    assert.ok(OutputSchemaError.is(error), String(error));
    assert.equal(error.message, `unsupported JSON schema: ${error.violations.join("; ")}`);
    return error.violations;
  }
  return assert.fail("nothing was thrown");
}

describe("assertOutputSchema()", () => {
  it("returns for a supported schema", () => assert.equal(assertOutputSchema(supported), undefined));

  it("throws one error that lists everything", () => {
    const schema = { type: "object", properties: { a: { type: "text" } }, required: ["b"] };
    assert.deepEqual(violationsOf(() => assertOutputSchema(schema)), [
      "schema.properties.a.type must be one of object/array/string/number/integer/boolean/null",
      'schema.required names "b" which is not in properties',
    ]);
  });

  for (const [what, value] of HOSTILE_VALUES) {
    it(`throws nothing of ${what}`, () =>
      assert.deepEqual(violationsOf(() => assertOutputSchema(value)), ["schema must be a schema object"]));
  }
});

describe("snapshotOutputSchema()", () => {
  it("gives a frozen copy", () => {
    const copy = snapshotOutputSchema(supported);
    assert.deepEqual(copy, supported);
    assert.notEqual(copy, supported);
    assert.ok(Object.isFrozen(copy) && Object.isFrozen(copy.properties) && Object.isFrozen(copy.required));
    assert.ok(!Object.isFrozen(supported));
  });

  const circular: Record<string, unknown> = { type: "object" };
  circular.properties = { a: circular };
  const lossy: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["a function", () => supported],
    ["an annotation that JSON loses", { ...supported, default: new Date(0) }],
    ["a keyword that holds undefined", { ...supported, title: undefined }],
    ["an enum with negative zero", { type: "object", properties: { a: { type: "number", enum: [-0] } } }],
    ["a schema that contains itself", circular],
  ];
  for (const [what, schema] of lossy) {
    it(`refuses ${what} with one fixed violation`, () =>
      assert.deepEqual(violationsOf(() => snapshotOutputSchema(schema)), [
        "schema annotation must be JSON data; the complete schema must be losslessly JSON-serializable",
      ]));
  }

  it("refuses a schema outside the subset, and one that is no object", () => {
    assert.deepEqual(violationsOf(() => snapshotOutputSchema({ type: "string" })), [
      'schema.type must be "object" (structured output is object-rooted)',
    ]);
    assert.deepEqual(violationsOf(() => snapshotOutputSchema(null)), ["schema must be a schema object"]);
  });

  it("checks what it gives, not what the schema says later", () => {
    let reads = 0;
    const schema = {
      get type() {
        return reads++ === 0 ? "object" : "string";
      },
    };
    assert.deepEqual(snapshotOutputSchema(schema), { type: "object" });
    assert.equal(reads, 1);
  });

  for (const [what, value] of THROWING_VALUES) {
    it(`lets the error of ${what} through`, () =>
      assert.throws(() => snapshotOutputSchema(value), (error) => error === HOSTILE_ERROR));
  }
});
