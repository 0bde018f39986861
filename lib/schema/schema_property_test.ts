import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { HOSTILE_VALUES } from "./hostile_values_test.ts";
import { schemaCases } from "./schema_arbitraries_test.ts";
import { schemaViolations } from "./schema_violations.ts";
import { snapshotJsonValue } from "./snapshot_json_value.ts";
import { validateStructuredValue } from "./validate_structured_value.ts";

const keyword = fc.constantFrom(
  ...["type", "oneOf", "properties", "required", "additionalProperties", "items", "enum", "const", "title"],
  ...["description", "default", "examples", "$ref"],
);

/** Things that look a little like schemas: keywords that hold types, lists, strangers and each other. */
const nearlySchema = fc.letrec<{ readonly node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>("object", "array", "string", "integer", "a", 1, true, null, undefined, NaN, -0),
    fc.constantFrom<unknown>(...HOSTILE_VALUES.map(([, value]) => value)),
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSparseArray: true,
      withTypedArray: true,
    }),
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(keyword, fc.string()), tie("node")),
    fc.dictionary(keyword, tie("node")).map((fields) => ({ ...fields, type: "object" })),
    fc.dictionary(keyword, tie("node")).map((fields) => new Proxy(fields, {})),
  ),
})).node;

const message =
  /^(?:missing required property "value\.[^]*"|"value[^]*" (?:must (?:be|match) |is not a declared property )[^]*)$/;

describe("Schemas at random", () => {
  it("are supported when they keep to the subset", () => {
    fc.assert(fc.property(schemaCases, ({ node }) => assert.deepEqual(schemaViolations(node), [])));
  });

  it("are supported after a snapshot, which is equal", () => {
    fc.assert(fc.property(schemaCases, ({ node }) => {
      const copy = snapshotJsonValue(node);
      assert.deepEqual(copy, node);
      assert.deepEqual(schemaViolations(copy), []);
    }));
  });

  it("are unsupported once any node has a foreign keyword", () => {
    fc.assert(fc.property(schemaCases, fc.nat(), ({ node }, choice) => {
      const copy = structuredClone(node);
      const nodes = nodesIn(copy);
      Object.assign(nodes[choice % nodes.length]!, { pattern: "a" });
      const [first, ...more] = schemaViolations(copy);
      assert.match(first ?? "", /^schema[^]*\.pattern is not a supported keyword \(/);
      assert.deepEqual(more, []);
    }));
  });

  it("take the values that fit them", () => {
    const pairs = schemaCases.chain(({ node, fitting }) => fc.tuple(fc.constant(node), fitting));
    fc.assert(
      fc.property(pairs, ([node, value]) => {
        assert.deepEqual(validateStructuredValue(node, value), []);
        assert.notEqual(snapshotJsonValue(value), undefined);
      }),
      { numRuns: 300 },
    );
  });

  it("refuse values that differ in one place", () => {
    const pairs = schemaCases.chain(({ node, other }) => fc.tuple(fc.constant(node), other));
    fc.assert(
      fc.property(pairs, ([node, value]) => {
        const violations = validateStructuredValue(node, value);
        assert.notDeepEqual(violations, []);
        for (const violation of violations) assert.match(violation, message);
      }),
      { numRuns: 300 },
    );
  });

  it("take a value only if they take what JSON makes of it", () => {
    const values = schemaCases.chain(({ node, fitting, other }) =>
      fc.tuple(fc.constant(node), fc.oneof(fitting, other, fc.anything()))
    );
    fc.assert(fc.property(values, ([node, value]) => {
      if (validateStructuredValue(node, value).length > 0) return;
      assert.deepEqual(validateStructuredValue(node, JSON.parse(JSON.stringify(value))), []);
    }));
  });

  it("throw nothing of any value", () => {
    fc.assert(fc.property(schemaCases, nearlySchema, ({ node }, value) => {
      for (const violation of validateStructuredValue(node, value)) assert.match(violation, message);
    }));
  });
});

describe("schemaViolations() of anything", () => {
  it("throws nothing, and each violation names a path", () => {
    fc.assert(
      fc.property(nearlySchema, (value) => {
        for (const violation of schemaViolations(value)) assert.match(violation, /^schema[^]* [^]+$/);
      }),
      { numRuns: 500 },
    );
  });

  it("finds something unless it is a schema that values can be held against", () => {
    fc.assert(
      fc.property(nearlySchema, fc.anything(), (schema, value) => {
        if (schemaViolations(schema).length > 0) return;
        const violations = validateStructuredValue(schema as never, value);
        assert.ok(Array.isArray(violations));
      }),
      { numRuns: 500 },
    );
  });
});

/** Finds all nodes of a supported schema. */
function nodesIn(root: object): object[] {
  const nodes: object[] = [];
  const ahead: object[] = [root];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    nodes.push(node);
    const { properties = {}, items, oneOf = [] } = node as {
      readonly properties?: Readonly<Record<string, object>>;
      readonly items?: object;
      readonly oneOf?: readonly object[];
    };
    ahead.push(...Object.values(properties), ...oneOf, ...(items === undefined ? [] : [items]));
  }
  return nodes;
}
