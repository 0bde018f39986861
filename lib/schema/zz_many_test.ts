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

type Make = () => unknown;

const always = (values: readonly unknown[]): fc.Arbitrary<Make> =>
  fc.constantFrom(...values.map((value): Make => () => value));

/**
 * Makes things that look a little like schemas: keywords that hold types, lists, strangers and each other. Functions
 * that make them, because fast-check itself looks at what it generates, and some of it throws.
 */
const nearlySchema: fc.Arbitrary<Make> = fc.letrec<{ readonly node: Make }>((tie) => {
  const fields = fc.dictionary(keyword, tie("node"), { maxKeys: 4 });
  const built = fields.map((makers): Make => () =>
    Object.fromEntries(Object.entries(makers).map(([key, make]) => [key, make()]))
  );
  return {
    node: fc.oneof(
      { maxDepth: 4 },
      always(["object", "array", "string", "integer", "a", 1, true, null, undefined, NaN, -0]),
      always(HOSTILE_VALUES.map(([, value]) => value)),
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }).map(
        (value) => () => value,
      ),
      fc.array(tie("node"), { maxLength: 3 }).map((makers) => () => makers.map((make) => make())),
      built,
      built.map((make) => () => new Proxy(make() as object, {})),
      fc.tuple(fc.constantFrom("object", "array", "string"), built).map(([type, make]) => () =>
        Object.assign(make() as object, { type })
      ),
    ),
  };
}).node;

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
    }), { numRuns: 6000 });
  });

  it("are unsupported once any node has a foreign keyword", () => {
    fc.assert(fc.property(schemaCases, fc.nat(), ({ node }, choice) => {
      const copy = structuredClone(node);
      const nodes = nodesIn(copy);
      Object.assign(nodes[choice % nodes.length]!, { pattern: "a" });
      const [first, ...more] = schemaViolations(copy);
      assert.match(first ?? "", /^schema[^]*\.pattern is not a supported keyword \(/);
      assert.deepEqual(more, []);
    }), { numRuns: 6000 });
  });

  it("take the values that fit them", () => {
    const pairs = schemaCases.chain(({ node, fitting }) => fc.tuple(fc.constant(node), fitting));
    fc.assert(
      fc.property(pairs, ([node, value]) => {
        assert.deepEqual(validateStructuredValue(node, value), []);
        assert.notEqual(snapshotJsonValue(value), undefined);
      }),
      { numRuns: 6000 },
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
      { numRuns: 6000 },
    );
  });

  it("take a value only if they take what JSON makes of it", () => {
    const values = schemaCases.chain(({ node, fitting, other }) =>
      fc.tuple(fc.constant(node), fc.oneof(fitting, other, fc.anything()))
    );
    fc.assert(fc.property(values, ([node, value]) => {
      if (validateStructuredValue(node, value).length > 0) return;
      assert.deepEqual(validateStructuredValue(node, JSON.parse(JSON.stringify(value))), []);
    }), { numRuns: 6000 });
  });

  it("throw nothing of any value", () => {
    fc.assert(fc.property(schemaCases, nearlySchema, ({ node }, make) => {
      for (const violation of validateStructuredValue(node, make())) assert.match(violation, message);
    }), { numRuns: 6000 });
  });
});

describe("schemaViolations() of anything", () => {
  it("throws nothing, and each violation names a path", () => {
    fc.assert(
      fc.property(nearlySchema, (make) => {
        for (const violation of schemaViolations(make())) assert.match(violation, /^schema[^]* [^]+$/);
      }),
      { numRuns: 6000 },
    );
  });

  it("is empty only for what values can be held against", () => {
    const changed = fc.tuple(schemaCases, fc.nat(), keyword, nearlySchema);
    let supported = 0;
    fc.assert(
      fc.property(changed, fc.anything(), ([{ node }, choice, key, make], value) => {
        const schema = structuredClone(node);
        const nodes = nodesIn(schema);
        Object.assign(nodes[choice % nodes.length]!, { [key]: make() });
        if (schemaViolations(schema).length > 0) return;
        supported++;
        for (const violation of validateStructuredValue(schema, value)) assert.match(violation, message);
      }),
      { numRuns: 6000 },
    );
    assert.ok(supported > 0);
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
