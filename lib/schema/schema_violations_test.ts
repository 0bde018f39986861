import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOSTILE_VALUES, inOtherRealm, nested } from "./hostile_values_test.ts";
import { schemaViolations } from "./schema_violations.ts";

/** A schema with one property, so that what is wrong with a node is seen away from the root. */
const rootWith = (a: unknown): unknown => ({ type: "object", properties: { a } });

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

const hidden = (value: object, key: PropertyKey): object => Object.defineProperty(value, key, { value: 1 });

interface Case {
  readonly name: string;
  readonly schema: unknown;
  readonly violations: readonly string[];
}

function table(cases: readonly Case[]): void {
  for (const { name, schema, violations } of cases) {
    it(name, () => assert.deepEqual(schemaViolations(schema), violations));
  }
}

const A = "schema.properties.a";
const TYPES = "object/array/string/number/integer/boolean/null";
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
  table([
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
  table([
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
  table([
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
  table([
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
  table([
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
  table([
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

describe("schemaViolations() of values that fight back", () => {
  for (const [what, value] of HOSTILE_VALUES) {
    const beside = { type: "string" };
    table([
      {
        name: `finds ${what} to be no schema`,
        schema: value,
        violations: ["schema must be a schema object"],
      },
      {
        name: `finds ${what} to be no schema of a property, and goes on`,
        schema: { type: "object", properties: { a: value, b: beside }, required: ["c"] },
        violations: [...notNode, 'schema.required names "c" which is not in properties'],
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

describe("schemaViolations() where the generations of the contract differ", () => {
  const text = { type: "string" };
  table([
    {
      name: "takes a node without a type, which the older one refused",
      schema: rootWith({}),
      violations: [],
    },
    {
      name: "takes oneOf with annotations, which the older one did not know",
      schema: rootWith({
        oneOf: [text, { type: "null" }, {}],
        title: "t",
        description: "d",
        default: 1,
        examples: [],
      }),
      violations: [],
    },
    {
      name: "refuses type beside oneOf, and looks at nothing else in that node",
      schema: rootWith({ type: "string", oneOf: [1], enum: [] }),
      violations: [`${A} cannot declare both type and oneOf`],
    },
    ...([["no list", text], ["an empty list", []], ["a list of one", [text]], [
      "a list with a hole",
      new Array(2),
    ]] as const)
      .map(([what, oneOf]) => ({
        name: `refuses oneOf with ${what}`,
        schema: rootWith({ oneOf }),
        violations: [`${A}.oneOf must be an array of at least two schemas`],
      })),
    {
      name: "refuses constraints beside oneOf, then its branches",
      schema: rootWith({
        oneOf: [{ type: "x" }, { oneOf: [text, 1] }],
        const: 1,
        enum: 1,
        items: 1,
        additionalProperties: 1,
        required: 1,
        properties: 1,
      }),
      violations: [
        `${A}.properties is not supported beside oneOf`,
        `${A}.required is not supported beside oneOf`,
        `${A}.additionalProperties is not supported beside oneOf`,
        `${A}.items is not supported beside oneOf`,
        `${A}.enum is not supported beside oneOf`,
        `${A}.const is not supported beside oneOf`,
        `${A}.oneOf[0].type must be one of ${TYPES}`,
        `${A}.oneOf[1].oneOf[1] must be a schema object`,
      ],
    },
    {
      name: "refuses constraints without a type, where the older one named the type",
      schema: rootWith({ const: 1, enum: 1, items: 1, additionalProperties: 1, required: 1, properties: 1 }),
      violations: [
        `${A}.properties requires type or oneOf`,
        `${A}.required requires type or oneOf`,
        `${A}.additionalProperties requires type or oneOf`,
        `${A}.items requires type or oneOf`,
        `${A}.enum requires type or oneOf`,
        `${A}.const requires type or oneOf`,
      ],
    },
    {
      name: "lists oneOf among the keywords, which the older one did not",
      schema: { type: "object", anyOf: 1 },
      violations: [
        "schema.anyOf is not a supported keyword " +
        "(subset: type/oneOf/properties/required/additionalProperties/items/enum/const + annotations)",
      ],
    },
    {
      name: "says lossless JSON data of an annotation, where the older one said JSON data",
      schema: { type: "object", default: 1n },
      violations: ["schema.default annotation must be lossless JSON data"],
    },
    {
      name: "wants enum members of the node's type, where the older one took any scalars",
      schema: rootWith({ type: "string", enum: ["a", 1] }),
      violations: [`${A}.enum must be a non-empty array of string values`],
    },
    {
      name: "wants a const of the node's type, where the older one took any scalar",
      schema: rootWith({ type: "integer", const: "a" }),
      violations: [`${A}.const must be a integer value`],
    },
    {
      name: "wants integers in the enum of an integer, and no negative zero in any",
      schema: {
        type: "object",
        properties: { a: { type: "integer", enum: [0.5] }, b: { type: "number", enum: [-0] } },
      },
      violations: [
        `${A}.enum must be a non-empty array of integer values`,
        "schema.properties.b.enum must be a non-empty array of number values",
      ],
    },
    {
      name: "wants the const in the enum, which the older one did not",
      schema: rootWith({ type: "string", enum: ["a"], const: "b" }),
      violations: [`${A}.const must be one of ${A}.enum when both are declared`],
    },
    {
      name: "refuses a node with a symbol key or a hidden key, which the older one ignored",
      schema: {
        type: "object",
        properties: { a: { ...text, [Symbol("s")]: 1 }, b: hidden({ ...text }, "b") },
      },
      violations: [...notNode, "schema.properties.b must be a schema object"],
    },
    {
      name: "refuses a node whose prototype only looks like Object.prototype, which the older one took",
      schema: rootWith(Object.assign(Object.create(Object.create(null)), text)),
      violations: notNode,
    },
    {
      name: "refuses lists with other properties, which the older one took",
      schema: {
        type: "object",
        properties: { a: { type: "string", enum: Object.assign(["a"], { extra: 1 }) } },
        required: Object.assign(["a"], { extra: 1 }),
      },
      violations: [
        `${A}.enum must be a non-empty array of string values`,
        "schema.required must be an array of strings",
      ],
    },
    {
      name: "takes a schema of another realm, arrays included",
      schema: inOtherRealm(
        '({ type: "object", properties: { a: { type: "string", enum: ["a"] } }, required: ["a"] })',
      ),
      violations: [],
    },
    {
      name: "takes a keyword that holds undefined for present, which the older one ignored",
      schema: {
        type: "object",
        properties: {
          a: { type: "array", items: undefined },
          b: { type: "string", enum: undefined, const: undefined },
          c: { oneOf: undefined },
          d: { type: "object", properties: undefined },
          e: { type: undefined },
          f: { title: undefined },
        },
        required: undefined,
        additionalProperties: undefined,
      },
      violations: [
        `${A}.items must be a schema object`,
        "schema.properties.b.enum must be a non-empty array of string values",
        "schema.properties.b.const must be a string value",
        "schema.properties.c.oneOf must be an array of at least two schemas",
        "schema.properties.d.properties must be an object of schemas",
        `schema.properties.e.type must be one of ${TYPES}`,
        "schema.properties.f.title must be a string",
        "schema.required must be an array of strings",
        "schema.additionalProperties must be a boolean",
      ],
    },
  ]);
});
