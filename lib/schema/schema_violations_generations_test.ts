import { describe } from "node:test";
import { inOtherRealm } from "./hostile_values_test.ts";
import { A, rootWith, TYPES, violationTable } from "./violation_table_test.ts";

const hidden = (value: object, key: PropertyKey): object => Object.defineProperty(value, key, { value: 1 });

const notNode = [`${A} must be a schema object`];

describe("schemaViolations() where the generations of the contract differ", () => {
  const text = { type: "string" };
  violationTable([
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
