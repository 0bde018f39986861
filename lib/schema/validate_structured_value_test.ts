import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOSTILE_VALUES, inOtherRealm, nested } from "./hostile_values_test.ts";
import type { ObjectSchema, SchemaNode } from "./output_schema.ts";
import { validateStructuredValue } from "./validate_structured_value.ts";

type Case = readonly [name: string, schema: SchemaNode, value: unknown, violations: readonly string[]];

function table(cases: readonly Case[]): void {
  for (const [name, schema, value, violations] of cases) {
    it(name, () => assert.deepEqual(validateStructuredValue(schema, value), violations));
  }
}

const text = { type: "string" } as const;
const anyObject = { type: "object" } as const;
const anyArray = { type: "array" } as const;
const holding = (property: SchemaNode): ObjectSchema => ({ type: "object", properties: { k: property } });

const circular: Record<string, unknown> = {};
circular.k = circular;

class Instance {
  k = "text";
}

describe("validateStructuredValue() of objects", () => {
  const notObject = ['"value" must be an object'];
  const person: ObjectSchema = {
    type: "object",
    properties: { name: text, age: { type: "integer" }, tags: { type: "array", items: text } },
    required: ["age", "name"],
    additionalProperties: false,
  };
  table([
    ["takes an empty object", anyObject, {}, []],
    ["takes what fits", person, { name: "Ada", age: 36, tags: ["a"] }, []],
    [
      "takes an object without a prototype",
      holding(text),
      Object.assign(Object.create(null), { k: "a" }),
      [],
    ],
    ["takes an object of another realm", holding(text), inOtherRealm('({ k: "a", more: [1] })'), []],
    ["refuses null", anyObject, null, notObject],
    ["refuses an array", anyObject, [], notObject],
    ["refuses a string", anyObject, "{}", notObject],
    ["refuses a function", anyObject, () => 1, notObject],
    ["refuses undefined", anyObject, undefined, notObject],
    ["names missing properties in the order of required", person, {}, [
      'missing required property "value.age"',
      'missing required property "value.name"',
    ]],
    ["takes a required property that holds undefined for missing", person, { age: undefined, name: "Ada" }, [
      'missing required property "value.age"',
    ]],
    ["takes a required property that holds null for present", person, { age: null, name: "Ada" }, [
      '"value.age" must be an integer',
    ]],
    ["skips an optional property that holds undefined", person, { age: 1, name: "Ada", tags: undefined }, []],
    [
      "does not take an inherited property for a required one",
      {
        type: "object",
        properties: { toString: {} },
        required: ["toString"],
      },
      {},
      ['missing required property "value.toString"'],
    ],
    [
      "does not take an inherited property for one beyond those declared",
      {
        type: "object",
        additionalProperties: false,
      },
      Object.create(null),
      [],
    ],
    ["allows other properties by default", { type: "object", properties: {} }, { more: 1 }, []],
    [
      "allows other properties when told so",
      { type: "object", additionalProperties: true },
      { more: [] },
      [],
    ],
    [
      "refuses other properties in the order of the value",
      {
        type: "object",
        properties: { a: {} },
        additionalProperties: false,
      },
      { z: 1, a: 2, b: undefined },
      [
        '"value.z" is not a declared property (additionalProperties: false)',
        '"value.b" is not a declared property (additionalProperties: false)',
      ],
    ],
    [
      "refuses any property where none is declared",
      { type: "object", additionalProperties: false },
      { a: 1 },
      [
        '"value.a" is not a declared property (additionalProperties: false)',
      ],
    ],
    [
      "does not take an inherited name for a declaration",
      {
        type: "object",
        properties: {},
        additionalProperties: false,
      },
      JSON.parse('{"constructor":1,"__proto__":2}'),
      [
        '"value.constructor" is not a declared property (additionalProperties: false)',
        '"value.__proto__" is not a declared property (additionalProperties: false)',
      ],
    ],
    [
      "checks a property called __proto__ like others",
      {
        type: "object",
        properties: JSON.parse('{"__proto__":{"type":"string"}}'),
        required: ["__proto__"],
      },
      JSON.parse('{"__proto__":1}'),
      ['"value.__proto__" must be a string'],
    ],
    [
      "names required, then declared, then other properties",
      person,
      { more: 1, tags: [1, "a", 2], name: 1 },
      [
        'missing required property "value.age"',
        '"value.name" must be a string',
        '"value.tags[0]" must be a string',
        '"value.tags[2]" must be a string',
        '"value.more" is not a declared property (additionalProperties: false)',
      ],
    ],
    [
      "names what is wrong in depth, with its path",
      holding(holding({ type: "array", items: holding(text) })),
      {
        k: { k: [{ k: "a" }, { k: 1 }, null] },
      },
      ['"value.k.k[1].k" must be a string', '"value.k.k[2]" must be an object'],
    ],
  ]);
});

describe("validateStructuredValue() of arrays", () => {
  const notArray = ['"value" must be an array'];
  table([
    ["takes an empty array", { type: "array", items: text }, [], []],
    ["takes any items without a schema", anyArray, [1, "a", null, { a: [] }], []],
    ["takes items whose optional properties hold undefined", { type: "array", items: holding(text) }, [{
      k: undefined,
    }], []],
    ["takes an array of another realm", { type: "array", items: text }, inOtherRealm('["a"]'), []],
    ["refuses an object", anyArray, { length: 0 }, notArray],
    ["refuses a string", anyArray, "ab", notArray],
    ["refuses bytes", anyArray, new Uint8Array(1), notArray],
    ["refuses null", anyArray, null, notArray],
    ["names every wrong item", { type: "array", items: text }, ["a", 1, "b", undefined], [
      '"value[1]" must be a string',
      '"value[3]" must be a string',
    ]],
    ["names items of items", { type: "array", items: { type: "array", items: text } }, [["a"], [1], 2], [
      '"value[1][0]" must be a string',
      '"value[2]" must be an array',
    ]],
  ]);
});

describe("validateStructuredValue() of scalars", () => {
  const types = ["string", "number", "integer", "boolean", "null"] as const;
  const messages = {
    string: '"value" must be a string',
    number: '"value" must be a number',
    integer: '"value" must be an integer',
    boolean: '"value" must be a boolean',
    null: '"value" must be null',
  };
  const fits: readonly (readonly [unknown, readonly string[]])[] = [
    ["text", ["string"]],
    ["", ["string"]],
    [7, ["number", "integer"]],
    [0, ["number", "integer"]],
    [1e300, ["number", "integer"]],
    [0.5, ["number"]],
    [true, ["boolean"]],
    [false, ["boolean"]],
    [null, ["null"]],
    [[], []],
    [{}, []],
  ];
  for (const type of types) {
    for (const [value, fitting] of fits) {
      const isFitting = fitting.includes(type);
      const name = `${isFitting ? "takes" : "refuses"} ${JSON.stringify(value)} for type ${type}`;
      table([[name, { type }, value, isFitting ? [] : [messages[type]]]]);
    }
    for (const value of [undefined, 1n, Symbol("s"), () => 1, new String("a"), new Date(0)]) {
      table([[`refuses ${typeof value} ${String(value)} for type ${type}`, { type }, value, [
        messages[type],
      ]]]);
    }
  }
  table([
    ["refuses NaN as an integer", { type: "integer" }, NaN, ['"value" must be an integer']],
    ["refuses infinity as an integer", { type: "integer" }, Infinity, ['"value" must be an integer']],
    ["refuses negative zero as an integer", { type: "integer" }, -0, ['"value" must be an integer']],
    ["takes a member of an enum", { type: "string", enum: ["a", "b"] }, "b", []],
    ["refuses what is no member", { type: "string", enum: ["a", "b"] }, "c", [
      '"value" must be one of ["a","b"]',
    ]],
    ["writes an enum as JSON", { type: "number", enum: [1, 0.5] }, 2, ['"value" must be one of [1,0.5]']],
    ["names the type alone where it is wrong", { type: "string", enum: ["1"] }, 1, [
      '"value" must be a string',
    ]],
    ["takes a const", { type: "integer", const: 7 }, 7, []],
    ["refuses all but a const", { type: "string", const: "a" }, "b", ['"value" must be "a"']],
    ["writes a const as JSON", { type: "string", const: 'say "a"' }, "b", ['"value" must be "say \\"a\\""']],
    ["takes a const of null", { type: "null", const: null }, null, []],
    ["refuses false for a const of true", { type: "boolean", const: true }, false, ['"value" must be true']],
    ["refuses zero for a const of one", { type: "integer", const: 1 }, 0, ['"value" must be 1']],
    ["names the const where the enum is met", { type: "string", enum: ["a", "b"], const: "a" }, "b", [
      '"value" must be "a"',
    ]],
    ["names the enum alone where neither is met", { type: "string", enum: ["a", "b"], const: "a" }, "c", [
      '"value" must be one of ["a","b"]',
    ]],
  ]);
});

describe("validateStructuredValue() of values that fight back", () => {
  const nodes: readonly (readonly [string, SchemaNode])[] = [
    ["an object", anyObject],
    ["an array", anyArray],
    ["a string", text],
    ["any value", {}],
    ["one of two", { oneOf: [anyObject, anyArray] }],
  ];
  for (const [what, value] of HOSTILE_VALUES) {
    for (const [wanted, node] of nodes) {
      table([
        [`throws nothing of ${what} where ${wanted} is expected`, node, value, [
          '"value" must be a lossless JSON value',
        ]],
      ]);
    }
    table([
      [
        `names ${what} in a property and in an item, and goes on`,
        {
          type: "object",
          properties: { a: anyObject, b: { type: "array", items: anyObject }, c: text },
        },
        { a: value, b: [{}, value], c: 1 },
        [
          '"value.a" must be a lossless JSON value',
          '"value.b[1]" must be a lossless JSON value',
          '"value.c" must be a string',
        ],
      ],
      [`finds ${what} in what has no schema`, anyObject, { more: [value] }, [
        '"value" must be a lossless JSON object',
      ]],
    ]);
  }

  it("reads each slot once, though several branches look at it", () => {
    let reads = 0;
    const value = {
      get k() {
        return reads++ === 0 ? "text" : 1;
      },
    };
    const node: SchemaNode = {
      oneOf: [holding({ type: "integer" }), holding(text), holding({ type: "null" })],
    };
    assert.deepEqual(validateStructuredValue(node, value), []);
    assert.equal(reads, 1);
  });

  it("calls no toJSON", () => {
    const value = { toJSON: () => assert.fail("was called") };
    assert.deepEqual(validateStructuredValue(anyObject, value), ['"value" must be a lossless JSON object']);
  });
});

describe("validateStructuredValue() of deep values", () => {
  it("takes and refuses what lies below 100,000 levels of schema", () => {
    const node = nested<SchemaNode>(100_000, text, (items) => ({ type: "array", items }));
    const value = (core: unknown) => nested(100_000, core, (inner) => [inner]);
    assert.deepEqual(validateStructuredValue(node, value("a")), []);
    assert.deepEqual(validateStructuredValue(node, value(1)), [
      `"value${"[0]".repeat(100_000)}" must be a string`,
    ]);
  });

  it("takes and refuses what lies below 5,000 levels of oneOf", () => {
    const node = nested<SchemaNode>(5000, text, (inner) => ({ oneOf: [inner, { type: "null" }] }));
    assert.deepEqual(validateStructuredValue(node, "a"), []);
    assert.deepEqual(validateStructuredValue(node, 1), [
      '"value" must match exactly one oneOf branch (matched 0)',
    ]);
  });

  it("takes 100,000 levels that have no schema", () => {
    const value = (core: unknown) => nested(100_000, core, (inner) => ({ inner }));
    assert.deepEqual(validateStructuredValue(anyObject, value(1)), []);
    assert.deepEqual(validateStructuredValue(anyObject, value(-0)), [
      '"value" must be a lossless JSON object',
    ]);
  });

  it("refuses an array of four billion holes", () =>
    assert.deepEqual(validateStructuredValue({ type: "array", items: text }, new Array(2 ** 32 - 1)), [
      '"value" must be a dense lossless JSON array',
    ]));
});

describe("validateStructuredValue() of schemas that were never asserted", () => {
  it("throws for an impossible type", () => {
    const node = holding({ type: "text" } as unknown as SchemaNode);
    assert.throws(() => validateStructuredValue(node, { k: 1 }), {
      name: "TypeError",
      message:
        'Cannot validate "value.k": its schema has an unknown type, which assertOutputSchema() refuses',
    });
  });
});

describe("validateStructuredValue() where the generations of the contract differ", () => {
  const number = { type: "number" } as const;
  const finite = ['"value" must be a finite JSON number'];
  const lossyObject = ['"value" must be a lossless JSON object'];
  const lossyArray = ['"value" must be a dense lossless JSON array'];
  const lossyValue = ['"value" must be a lossless JSON value'];
  const oneOf = (matched: number) => [`"value" must match exactly one oneOf branch (matched ${matched})`];
  // deno-lint-ignore no-sparse-arrays -- holes are the subject
  const sparse = ["a", , "b"];
  table([
    ["says number of another type, where the older one said finite number", number, "1", [
      '"value" must be a number',
    ]],
    ["says finite JSON number of NaN, where the older one said finite number", number, NaN, finite],
    ["says finite JSON number of infinity, where the older one said finite number", number, Infinity, finite],
    ["says finite JSON number of negative infinity, too", number, -Infinity, finite],
    ["refuses negative zero, which the older one took for a number", number, -0, finite],

    [
      "takes what matches one branch of oneOf, which the older one did not know",
      { oneOf: [text, number] },
      1,
      [],
    ],
    ["refuses what matches no branch", { oneOf: [text, number] }, null, oneOf(0)],
    ["refuses what matches two branches", { oneOf: [number, { type: "integer" }] }, 1, oneOf(2)],
    ["refuses what matches three branches", { oneOf: [{}, number, { type: "integer" }] }, 1, oneOf(3)],
    [
      "names a oneOf by its path, and nothing of its branches",
      holding({ oneOf: [holding(text), anyArray] }),
      {
        k: { k: 1 },
      },
      ['"value.k" must match exactly one oneOf branch (matched 0)'],
    ],
    ["takes any JSON for a node without a type, which the older one did not know", {}, { a: [1, null] }, []],
    ["refuses what is no JSON for a node without a type", {}, { a: [1, undefined] }, lossyValue],
    ["refuses undefined for a node without a type", {}, undefined, lossyValue],

    [
      "refuses an instance of a class, which the older one took for an object",
      holding(text),
      new Instance(),
      lossyObject,
    ],
    ["refuses a date, which the older one took for an object", anyObject, new Date(0), lossyObject],
    ["refuses a map, which the older one took for an object", anyObject, new Map(), lossyObject],
    ["refuses an object with a symbol key", anyObject, { [Symbol("s")]: 1 }, lossyObject],
    [
      "refuses an object with a hidden key",
      anyObject,
      Object.defineProperty({}, "a", { value: 1 }),
      lossyObject,
    ],
    ["refuses lossy data in other properties", anyObject, { a: { b: () => 1 } }, lossyObject],
    ["refuses undefined in other properties", anyObject, { a: undefined }, lossyObject],
    ["refuses other properties that contain the object", anyObject, circular, lossyObject],
    ["refuses declared properties that contain the object", holding(anyObject), circular, [
      '"value.k" must be a lossless JSON object',
    ]],
    [
      "is silent about lossy data while something else is wrong in that object",
      {
        type: "object",
        properties: { a: text },
        required: ["a"],
      },
      { b: () => 1 },
      ['missing required property "value.a"'],
    ],
    ["names lossy data in the innermost object alone", holding(holding(text)), { k: { k: "a", more: -0 } }, [
      '"value.k" must be a lossless JSON object',
    ]],
    [
      "refuses an array with a hole, whose items the older one checked",
      { type: "array", items: text },
      sparse,
      lossyArray,
    ],
    ["refuses an array with a hole without a schema of items", anyArray, sparse, lossyArray],
    ["refuses an array with another property", anyArray, Object.assign([1], { extra: 1 }), lossyArray],
    ["refuses an array of a subclass", anyArray, new (class Items extends Array {})(), lossyArray],
    ["refuses lossy items without a schema", anyArray, [1, [undefined]], lossyArray],
    [
      "is silent about lossy data while an item is wrong",
      {
        type: "array",
        items: text,
      },
      Object.assign([1], { extra: 1 }),
      ['"value[0]" must be a string'],
    ],
  ]);

  it("throws nothing of a getter, whose error the older one let through", () => {
    const value = {
      get k() {
        throw new Error("text of a stranger");
      },
    };
    assert.deepEqual(validateStructuredValue(holding(text), value), lossyValue);
  });
});
