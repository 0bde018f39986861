/**
 * Schemas at random, each with values that fit it and values that do not, shared by the tests of this folder.
 *
 * @module
 */
import fc from "fast-check";
import type { JsonValue } from "./json_value.ts";
import type { ObjectSchema, SchemaNode } from "./output_schema.ts";

/** A schema with its values. */
export interface SchemaCase<Node extends SchemaNode = SchemaNode> {
  readonly node: Node;
  readonly fitting: fc.Arbitrary<unknown>;
  readonly other: fc.Arbitrary<unknown>;
}

type Kind = "object" | "array" | "string" | "number" | "boolean" | "null";

const KINDS: readonly Kind[] = ["object", "array", "string", "number", "boolean", "null"];

const name = fc.constantFrom("a", "b", "c", "type", "toString", "__proto__", "");

const real = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

/** Without the -0 that JSON loses. */
const json: fc.Arbitrary<JsonValue> = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));

/** What JSON does not carry. */
const lossy: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  undefined,
  NaN,
  -0,
  1n,
  () => 1,
  new Date(0),
  [undefined],
  { a: -0 },
);

const ofKind: Readonly<Record<Kind, fc.Arbitrary<unknown>>> = {
  object: fc.dictionary(name, json),
  array: fc.array(json, { maxLength: 3 }),
  string: fc.string(),
  number: real,
  boolean: fc.boolean(),
  null: fc.constant(null),
};

/** JSON values of other kinds than those named. */
function notOf(...kinds: readonly Kind[]): fc.Arbitrary<unknown> {
  const others = KINDS.filter((kind) => !kinds.includes(kind)).map((kind) => ofKind[kind]);
  return fc.oneof(lossy, ...others);
}

const annotated = fc.record({ title: fc.string(), description: fc.string(), default: json, examples: json }, {
  requiredKeys: [],
  noNullPrototype: true,
});

/** Names to values as an object, also where a name is `__proto__`. */
function objectOf<T>(entries: Iterable<readonly [string, T]>): { readonly [key: string]: T } {
  return Object.fromEntries(entries);
}

function listed(type: "string" | "number" | "integer", member: fc.Arbitrary<string | number>) {
  const kind = type === "integer" ? "number" : type;
  const members = fc.uniqueArray(member, { minLength: 1, maxLength: 4 });
  return fc.tuple(members, fc.boolean(), annotated).map(([allowed, isConst, texts]): SchemaCase => {
    const node: SchemaNode = { ...texts, type, enum: allowed, ...(isConst ? { const: allowed[0]! } : {}) };
    const wanted: readonly unknown[] = isConst ? allowed.slice(0, 1) : allowed;
    const stranger = ofKind[kind].filter((value) => !wanted.includes(value));
    return { node, fitting: fc.constantFrom(...wanted), other: fc.oneof(stranger, notOf(kind)) };
  });
}

const scalars: readonly fc.Arbitrary<SchemaCase>[] = [
  ...(["string", "number", "boolean", "null"] as const).map((type) =>
    annotated.map((texts): SchemaCase => ({
      node: { ...texts, type },
      fitting: ofKind[type],
      other: notOf(type),
    }))
  ),
  annotated.map((texts): SchemaCase => ({
    node: { ...texts, type: "integer" },
    fitting: fc.integer(),
    other: fc.oneof(notOf("number"), real.filter((value) => value % 1 !== 0)),
  })),
  listed("string", fc.string()),
  listed("number", real),
  listed("integer", fc.integer()),
];

const anyValue = annotated.map((node): SchemaCase => ({ node, fitting: json, other: lossy }));

function objectCase(inner: fc.Arbitrary<SchemaCase>): fc.Arbitrary<SchemaCase<ObjectSchema>> {
  const property = fc.tuple(name, inner, fc.boolean());
  const properties = fc.uniqueArray(property, { selector: ([key]) => key, maxLength: 4 });
  const openness = fc.constantFrom(undefined, true, false);
  return fc.tuple(properties, openness, annotated).map(([declared, isOpen, texts]) => {
    const required = declared.filter(([, , isRequired]) => isRequired).map(([key]) => key);
    const node: ObjectSchema = {
      ...texts,
      type: "object",
      properties: objectOf(declared.map(([key, { node }]) => [key, node])),
      required,
      ...(isOpen === undefined ? {} : { additionalProperties: isOpen }),
    };
    const more = isOpen === false ? fc.constant({}) : fc.dictionary(fc.constantFrom("more", "most"), json);
    const members = fc.tuple(...declared.map(([key, { fitting }, isRequired]) => {
      const member = fitting.map((value) => [[key, value] as const]);
      return isRequired ? member : fc.oneof(member, fc.constant([]));
    }));
    const fitting = fc.tuple(members, more).map(([entries, rest]) =>
      objectOf<unknown>([...entries.flat(), ...Object.entries(rest)])
    );
    const broken = [
      notOf("object"),
      ...required.map((key) => fitting.map((value) => without(value, key))),
      // An optional property that holds undefined is fine.
      ...declared.map(([key, { other }]) =>
        fc.tuple(fitting, other.filter((value) => value !== undefined)).map(([value, bad]) =>
          objectOf([...Object.entries(value), [key, bad]])
        )
      ),
      isOpen === false
        ? fc.tuple(fitting, json).map(([value, extra]) =>
          objectOf([...Object.entries(value), ["more", extra]])
        )
        : fc.tuple(fitting, lossy).map(([value, extra]) =>
          objectOf([...Object.entries(value), ["more", extra]])
        ),
    ];
    return { node, fitting, other: fc.oneof(...broken) };
  });
}

function without(
  value: { readonly [key: string]: unknown },
  key: string,
): { readonly [key: string]: unknown } {
  return objectOf(Object.entries(value).filter(([other]) => other !== key));
}

function arrayCase(inner: fc.Arbitrary<SchemaCase>): fc.Arbitrary<SchemaCase> {
  return fc.tuple(inner, annotated).map(([items, texts]) => {
    const list = fc.array(items.fitting, { maxLength: 3 });
    const broken = fc.tuple(list, items.other, list).map((
      [before, bad, after],
    ) => [...before, bad, ...after]);
    return {
      node: { ...texts, type: "array", items: items.node },
      fitting: list,
      other: fc.oneof(notOf("array"), broken),
    };
  });
}

/** Branches of different kinds, so that a value that fits one is known to fit no other. */
function oneOfCase(inner: fc.Arbitrary<SchemaCase>): fc.Arbitrary<SchemaCase> {
  const branches = fc.uniqueArray(inner.filter(({ node }) => node.type !== undefined), {
    selector: ({ node }) => kindOf(node),
    minLength: 2,
    maxLength: 3,
  });
  return fc.tuple(branches, annotated).map(([cases, texts]) => ({
    node: { ...texts, oneOf: cases.map(({ node }) => node) },
    fitting: fc.oneof(...cases.map(({ fitting }) => fitting)),
    other: notOf(...cases.map(({ node }) => kindOf(node))),
  }));
}

function kindOf({ type }: SchemaNode): Kind {
  return type === "integer" || type === undefined ? "number" : type;
}

function nodeCase(depth: number): fc.Arbitrary<SchemaCase> {
  if (depth === 0) return fc.oneof(...scalars, anyValue);
  const inner = nodeCase(depth - 1);
  return fc.oneof(...scalars, anyValue, objectCase(inner), arrayCase(inner), oneOfCase(inner));
}

/** Output schemas with values. */
export const schemaCases: fc.Arbitrary<SchemaCase<ObjectSchema>> = objectCase(nodeCase(2));
