/**
 * Holding a value against a schema.
 *
 * @module
 */
import type { ArraySchema, ObjectSchema, OneOfSchema, ScalarSchema, SchemaNode } from "./output_schema.ts";
import { isOfScalarType, type ScalarType } from "./scalar_type.ts";
import { readValue, type ValueReading } from "./value_reading.ts";
import { runWalk, type Walk } from "./walk.ts";

/**
 * Lists everything in which a value differs from a schema, each with its path, in the order of the schema. An empty
 * list means that the value fits and that JSON carries it without loss, with one exception: a property that is not
 * required and holds `undefined` counts as absent.
 *
 * The value is read once and no method of it is called. Whatever it is, this does not throw: an object that cannot be
 * read is `must be a lossless JSON value`.
 *
 * @param schema One that `assertOutputSchema` accepted, or a node of such a schema.
 * @param value What nobody vouches for.
 * @throws {TypeError} When the schema has a type that no accepted schema has.
 */
export function validateStructuredValue(schema: SchemaNode, value: unknown): string[] {
  const violations: string[] = [];
  runWalk(judge(schema, { reading: readValue(value), path: "value" }, violations));
  return violations;
}

interface Place {
  readonly reading: ValueReading;
  readonly path: string;
}

function* judge(node: SchemaNode, place: Place, violations: string[]): Walk<void> {
  const { reading, path } = place;
  if (reading.kind === "unreadable") {
    violations.push(`"${path}" must be a lossless JSON value`);
    return;
  }
  switch (node.type) {
    case "object":
      return yield* judgeObject(node, place, violations);
    case "array":
      return yield* judgeArray(node, place, violations);
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return judgeScalar(node, place, violations);
    case undefined:
      if (node.oneOf !== undefined) return yield* judgeOneOf(node, place, violations);
      if (!reading.isLossless) violations.push(`"${path}" must be a lossless JSON value`);
      return;
    default:
      node satisfies never;
      throw new TypeError(
        `Cannot validate "${path}": its schema has an unknown type, which assertOutputSchema() refuses`,
      );
  }
}

function* judgeObject(node: ObjectSchema, { reading, path }: Place, violations: string[]): Walk<void> {
  if (reading.kind !== "object") {
    violations.push(`"${path}" must be an object`);
    return;
  }
  const { slots, isPlain } = reading;
  const { properties = {}, required = [], additionalProperties = true } = node;
  const before = violations.length;
  for (const name of required) {
    if (presentSlot(slots, name) === undefined) {
      violations.push(`missing required property "${path}.${name}"`);
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    const slot = presentSlot(slots, name);
    if (slot !== undefined) yield judge(property, { reading: slot, path: `${path}.${name}` }, violations);
  }
  const undeclared = [...slots].filter(([name]) => !Object.hasOwn(properties, name));
  if (!additionalProperties) {
    for (const [name] of undeclared) {
      violations.push(`"${path}.${name}" is not a declared property (additionalProperties: false)`);
    }
  }
  const isLossless = isPlain && undeclared.every(([, slot]) => slot.isLossless);
  if (!isLossless && violations.length === before) {
    violations.push(`"${path}" must be a lossless JSON object`);
  }
}

function* judgeArray(node: ArraySchema, { reading, path }: Place, violations: string[]): Walk<void> {
  if (reading.kind !== "array") {
    violations.push(`"${path}" must be an array`);
    return;
  }
  const { slots, isPlain, isLossless } = reading;
  const before = violations.length;
  if (node.items !== undefined) {
    for (const [index, slot] of slots) {
      yield judge(node.items, { reading: slot, path: `${path}[${index}]` }, violations);
    }
  }
  // Where items have a schema they were judged by it, one by one.
  const isSound = node.items === undefined ? isLossless : isPlain;
  if (!isSound && violations.length === before) {
    violations.push(`"${path}" must be a dense lossless JSON array`);
  }
}

function* judgeOneOf(node: OneOfSchema, place: Place, violations: string[]): Walk<void> {
  let matched = 0;
  for (const branch of node.oneOf) {
    const differences: string[] = [];
    yield judge(branch, place, differences);
    if (differences.length === 0) matched++;
  }
  if (matched !== 1) {
    violations.push(`"${place.path}" must match exactly one oneOf branch (matched ${matched})`);
  }
}

const EXPECTED: Readonly<Record<ScalarType, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  null: "null",
};

function judgeScalar(node: ScalarSchema, { reading, path }: Place, violations: string[]): void {
  const value = reading.kind === "atom" ? reading.value : undefined;
  if (!isOfScalarType(value, node.type)) {
    const isNoJsonNumber = node.type === "number" && typeof value === "number";
    violations.push(`"${path}" must be ${isNoJsonNumber ? "a finite JSON number" : EXPECTED[node.type]}`);
    return;
  }
  const allowed: readonly unknown[] | undefined = node.enum;
  if (allowed?.includes(value) === false) {
    violations.push(`"${path}" must be one of ${JSON.stringify(allowed)}`);
  } else if (node.const !== undefined && value !== node.const) {
    violations.push(`"${path}" must be ${JSON.stringify(node.const)}`);
  }
}

/** Finds what a property holds; `undefined` is nothing, as JSON.stringify has it. */
function presentSlot(slots: ReadonlyMap<string, ValueReading>, name: string): ValueReading | undefined {
  const slot = slots.get(name);
  return slot?.kind === "atom" && slot.value === undefined ? undefined : slot;
}
