import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { schemaViolations } from "./schema_violations.ts";
import { A, rootWith, TYPES, violationTable } from "./violation_table_test.ts";

const unknownKeyword = (path: string) =>
  `${path} is not a supported keyword ` +
  "(subset: type/oneOf/properties/required/additionalProperties/items/enum/const + annotations)";

class Instance {
  type = "string";
}

const circularNode: Record<string, unknown> = { type: "object", properties: {} };
circularNode.properties = { b: { type: "array", items: circularNode } };

const circularMap: Record<string, unknown> = { type: "object" };
circularMap.properties = { again: circularMap };

const notNode = [`${A} must be a schema object`];

describe("schemaViolations() finds nothing wrong with", () => {
  const text = { type: "string" };
  const supported: readonly (readonly [string, unknown])[] = [
    ["an empty object", { type: "object" }],
    ["an open object", { type: "object", properties: {}, required: [], additionalProperties: true }],
    ["a closed object", {
      type: "object",
      properties: { a: text },
      required: ["a"],
      additionalProperties: false,
    }],
    ["a property required twice", { type: "object", properties: { a: text }, required: ["a", "a"] }],
    ...["object", "array", "string", "number", "integer", "boolean", "null"].map((type) =>
      [`a property of type ${type}`, rootWith({ type })] as const
    ),
    ["items", rootWith({ type: "array", items: { type: "array", items: text } })],
    ["an enum", rootWith({ type: "string", enum: ["a", "b", "a"] })],
    ["a const", rootWith({ type: "number", const: 0.5 })],
    ["a const in an enum", rootWith({ type: "integer", enum: [1, 2], const: 2 })],
    ["an integer beyond the safe ones", rootWith({ type: "integer", const: 2 ** 60 })],
    ["an enum of null", rootWith({ type: "null", enum: [null], const: null })],
    ["an enum of booleans", rootWith({ type: "boolean", enum: [true, false] })],
    ["annotations", {
      type: "object",
      title: "t",
      description: "",
      default: { any: ["data", null] },
      examples: [1, "two"],
    }],
    [
      "annotations where nothing else is",
      rootWith({ title: "t", description: "d", default: null, examples: 0 }),
    ],
    ["one node in two places", {
      type: "object",
      properties: { a: text, b: text, c: { type: "array", items: text } },
    }],
    [
      "properties called like keywords",
      rootWith({
        type: "object",
        properties: { type: text, oneOf: text, $ref: text },
        required: ["type", "$ref"],
      }),
    ],
    ["properties called like inherited members", {
      type: "object",
      properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"null"}}'),
      required: ["__proto__", "constructor"],
    }],
    ["a schema without prototypes", Object.assign(Object.create(null), { type: "object" })],
  ];
  for (const [what, schema] of supported) it(what, () => assert.deepEqual(schemaViolations(schema), []));
});

describe("schemaViolations() of nodes", () => {
  violationTable([
    { name: "refuses null", schema: null, violations: ["schema must be a schema object"] },
    {
      name: "refuses true, which is a schema elsewhere",
      schema: true,
      violations: ["schema must be a schema object"],
    },
    { name: "refuses an array", schema: [], violations: ["schema must be a schema object"] },
    { name: "refuses undefined", schema: undefined, violations: ["schema must be a schema object"] },
    { name: "refuses a string", schema: rootWith("string"), violations: notNode },
    { name: "refuses a function", schema: rootWith(() => 1), violations: notNode },
    { name: "refuses a class instance", schema: rootWith(new Instance()), violations: notNode },
    { name: "refuses a map", schema: rootWith(new Map([["type", "string"]])), violations: notNode },
    {
      name: "refuses what inherits its keywords",
      schema: rootWith(Object.create({ type: "string" })),
      violations: notNode,
    },
    {
      name: "finds a circle through items",
      schema: circularNode,
      violations: ["schema.properties.b.items is circular"],
    },
    {
      name: "finds a circle of one",
      schema: circularMap,
      violations: ["schema.properties.again is circular"],
    },
    {
      name: "finds a circle below the root",
      schema: { type: "object", properties: { x: circularMap } },
      violations: ["schema.properties.x.properties.again is circular"],
    },
    {
      name: "refuses keywords that constrain, in the order of the node",
      schema: rootWith({
        type: "string",
        pattern: "a",
        minLength: 1,
        maxLength: 2,
        format: "uri",
        $ref: "#",
      }),
      violations: [
        unknownKeyword(`${A}.pattern`),
        unknownKeyword(`${A}.minLength`),
        unknownKeyword(`${A}.maxLength`),
        unknownKeyword(`${A}.format`),
        unknownKeyword(`${A}.$ref`),
      ],
    },
    {
      name: "refuses combinators other than oneOf",
      schema: { type: "object", anyOf: [], allOf: [], not: {} },
      violations: [
        unknownKeyword("schema.anyOf"),
        unknownKeyword("schema.allOf"),
        unknownKeyword("schema.not"),
      ],
    },
    {
      name: "refuses keywords that only inform elsewhere",
      schema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", $comment: "" },
      violations: [unknownKeyword("schema.$schema"), unknownKeyword("schema.$comment")],
    },
    {
      name: "refuses keywords called like inherited members",
      schema: JSON.parse('{"type":"object","__proto__":1,"constructor":2}'),
      violations: [unknownKeyword("schema.__proto__"), unknownKeyword("schema.constructor")],
    },
  ]);
});

describe("schemaViolations() of annotations", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  violationTable([
    {
      name: "refuses data that JSON loses",
      schema: { type: "object", default: -0, examples: [() => 1] },
      violations: [
        "schema.default annotation must be lossless JSON data",
        "schema.examples annotation must be lossless JSON data",
      ],
    },
    {
      name: "refuses data that contains itself",
      schema: rootWith({ type: "string", default: circle }),
      violations: [`${A}.default annotation must be lossless JSON data`],
    },
    {
      name: "refuses a description and a title that are no strings, in this order",
      schema: { title: null, description: ["d"], type: "object" },
      violations: ["schema.description must be a string", "schema.title must be a string"],
    },
    {
      name: "names keywords and data before description and title, and these before the type",
      schema: { description: 1, type: "text", examples: undefined, foreign: 1 },
      violations: [
        "schema.examples annotation must be lossless JSON data",
        unknownKeyword("schema.foreign"),
        "schema.description must be a string",
        `schema.type must be one of ${TYPES}`,
      ],
    },
  ]);
});

describe("schemaViolations() of types", () => {
  const arrayType = "must be a single type string (type arrays are not supported)";
  violationTable([
    {
      name: "refuses an array of types",
      schema: { type: ["object", "null"] },
      violations: [`schema.type ${arrayType}`],
    },
    {
      name: "refuses an empty array",
      schema: rootWith({ type: [] }),
      violations: [`${A}.type ${arrayType}`],
    },
    {
      name: "refuses an unknown type",
      schema: rootWith({ type: "text" }),
      violations: [`${A}.type must be one of ${TYPES}`],
    },
    {
      name: "refuses a type called like an inherited member",
      schema: rootWith({ type: "constructor" }),
      violations: [`${A}.type must be one of ${TYPES}`],
    },
    {
      name: "refuses a type in capitals",
      schema: rootWith({ type: "STRING" }),
      violations: [`${A}.type must be one of ${TYPES}`],
    },
    { name: "refuses null", schema: { type: null }, violations: [`schema.type must be one of ${TYPES}`] },
    {
      name: "looks at nothing else in a node with a bad type",
      schema: rootWith({ type: "text", properties: 1, enum: [], items: 1 }),
      violations: [`${A}.type must be one of ${TYPES}`],
    },
    {
      name: "refuses constraints of other types on an object, in a fixed order",
      schema: { const: 1, enum: 1, items: 1, type: "object" },
      violations: [
        'schema.items is not supported on type "object"',
        'schema.enum is not supported on type "object"',
        'schema.const is not supported on type "object"',
      ],
    },
    {
      name: "refuses constraints of other types on an array",
      schema: rootWith({
        type: "array",
        additionalProperties: false,
        required: [],
        properties: {},
        const: 1,
        enum: [[]],
      }),
      violations: [
        `${A}.properties is not supported on type "array"`,
        `${A}.required is not supported on type "array"`,
        `${A}.additionalProperties is not supported on type "array"`,
        `${A}.enum is not supported on type "array"`,
        `${A}.const is not supported on type "array"`,
      ],
    },
    ...["string", "number", "integer", "boolean", "null"].map((type) => ({
      name: `refuses constraints of other types on type ${type}`,
      schema: rootWith({ type, items: {}, additionalProperties: 1, required: 1, properties: 1 }),
      violations: [
        `${A}.properties is not supported on type "${type}"`,
        `${A}.required is not supported on type "${type}"`,
        `${A}.additionalProperties is not supported on type "${type}"`,
        `${A}.items is not supported on type "${type}"`,
      ],
    })),
  ]);
});

describe("schemaViolations() of objects and arrays", () => {
  violationTable([
    ...([["an array", []], ["null", null], ["a string", "a"], ["an instance", new Instance()]] as const).map((
      [what, properties],
    ) => ({
      name: `refuses properties that are ${what}`,
      schema: { type: "object", properties },
      violations: ["schema.properties must be an object of schemas"],
    })),
    {
      name: "finds nothing declared by properties that are no map",
      schema: { type: "object", properties: ["a"], required: ["0"] },
      violations: [
        "schema.properties must be an object of schemas",
        'schema.required names "0" which is not in properties',
      ],
    },
    ...([["a string", "a"], ["a number in it", ["a", 1]], ["a hole", new Array(1)], ["null", null], [
      "an object",
      { 0: "a" },
    ]] as const).map(([what, required]) => ({
      name: `refuses a list of required properties that is or has ${what}`,
      schema: { type: "object", properties: { a: {} }, required },
      violations: ["schema.required must be an array of strings"],
    })),
    {
      name: "refuses required properties that are not declared, each",
      schema: { type: "object", properties: { a: {} }, required: ["b", "a", "c", "b"] },
      violations: [
        'schema.required names "b" which is not in properties',
        'schema.required names "c" which is not in properties',
        'schema.required names "b" which is not in properties',
      ],
    },
    {
      name: "refuses required properties where none are declared",
      schema: { type: "object", required: ["a"] },
      violations: ['schema.required names "a" which is not in properties'],
    },
    {
      name: "does not take an inherited member for a declaration",
      schema: { type: "object", properties: {}, required: ["toString", "__proto__"] },
      violations: [
        'schema.required names "toString" which is not in properties',
        'schema.required names "__proto__" which is not in properties',
      ],
    },
    ...[null, 0, "false", {}].map((additionalProperties) => ({
      name: `refuses additionalProperties ${JSON.stringify(additionalProperties)}`,
      schema: { type: "object", additionalProperties },
      violations: ["schema.additionalProperties must be a boolean"],
    })),
    {
      name: "refuses items that are a list of schemas",
      schema: rootWith({ type: "array", items: [{ type: "string" }] }),
      violations: [`${A}.items must be a schema object`],
    },
    {
      name: "names what is in properties, depth first, before required and additionalProperties",
      schema: {
        additionalProperties: 1,
        required: ["z"],
        properties: {
          b: { type: "object", properties: { deep: { type: "x" } }, required: ["y"] },
          a: { type: "array", items: { type: "string", enum: [] } },
        },
        type: "object",
        minProperties: 1,
      },
      violations: [
        unknownKeyword("schema.minProperties"),
        `schema.properties.b.properties.deep.type must be one of ${TYPES}`,
        'schema.properties.b.required names "y" which is not in properties',
        `${A}.items.enum must be a non-empty array of string values`,
        'schema.required names "z" which is not in properties',
        "schema.additionalProperties must be a boolean",
      ],
    },
  ]);
});

describe("schemaViolations() of scalars", () => {
  const members: readonly (readonly [string, readonly unknown[]])[] = [
    ["string", [1, null, ["a"]]],
    ["number", ["1", NaN, Infinity, -Infinity, -0, 1n]],
    ["integer", [0.5, "1", NaN, Infinity, -0, true]],
    ["boolean", ["true", 0, null]],
    ["null", [undefined, 0, "null", {}]],
  ];
  const shown = (value: unknown) => Object.is(value, -0) ? "-0" : String(value) || "an empty list";
  violationTable([
    ...members.flatMap(([type, strangers]) =>
      strangers.flatMap((stranger) => [
        {
          name: `refuses an enum of type ${type} with ${typeof stranger} ${shown(stranger)}`,
          schema: rootWith({ type, enum: [stranger] }),
          violations: [`${A}.enum must be a non-empty array of ${type} values`],
        },
        {
          name: `refuses a const of type ${type} that is ${typeof stranger} ${shown(stranger)}`,
          schema: rootWith({ type, const: stranger }),
          violations: [`${A}.const must be a ${type} value`],
        },
      ])
    ),
    ...([["an empty list", []], ["a string", "a"], ["an object", { 0: "a" }], [
      "a list with a hole",
      new Array(1),
    ]] as const)
      .map(([what, list]) => ({
        name: `refuses an enum that is ${what}`,
        schema: rootWith({ type: "string", enum: list }),
        violations: [`${A}.enum must be a non-empty array of string values`],
      })),
    {
      name: "names the enum before the const",
      schema: rootWith({ const: 1, enum: [2], type: "string" }),
      violations: [
        `${A}.enum must be a non-empty array of string values`,
        `${A}.const must be a string value`,
      ],
    },
    {
      name: "compares a const with a sound enum alone",
      schema: rootWith({ type: "string", enum: ["a", 1], const: "b" }),
      violations: [`${A}.enum must be a non-empty array of string values`],
    },
  ]);
});

describe("schemaViolations() of the root", () => {
  const message = 'schema.type must be "object" (structured output is object-rooted)';
  violationTable([
    ...["array", "string", "number", "integer", "boolean", "null"].map((type) => ({
      name: `refuses type ${type}`,
      schema: { type },
      violations: [message],
    })),
    { name: "refuses any value", schema: {}, violations: [message] },
    {
      name: "refuses oneOf",
      schema: { oneOf: [{ type: "object" }, { type: "null" }] },
      violations: [message],
    },
    {
      name: "is silent about the type while something else is wrong",
      schema: { type: "string", items: {} },
      violations: ['schema.items is not supported on type "string"'],
    },
  ]);
});
