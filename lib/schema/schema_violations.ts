/**
 * What in a schema is outside the supported subset.
 *
 * @module
 */
import { checkScalarSchema } from "./check_scalar_schema.ts";
import { atomOf, plainItems, plainSlots } from "./plain_parts.ts";
import {
  checkVocabulary,
  CONSTRAINTS_OF,
  misplacedConstraints,
  type NodeSlots,
  nodeType,
} from "./schema_vocabulary.ts";
import { readValue, type ValueReading } from "./value_reading.ts";
import { runWalk, type Walk } from "./walk.ts";

const NO_SLOTS: NodeSlots = new Map();

/**
 * Lists everything in a schema that is outside the supported subset (see `OutputSchema`), each with its path, in the
 * order of the schema: what is wrong with a node comes before what is wrong inside it, `required` and
 * `additionalProperties` after the properties. An empty list means that the schema is supported. Never throws,
 * whatever the schema is: what cannot be read is no schema.
 */
export function schemaViolations(schema: unknown): string[] {
  const root = readValue(schema);
  const violations: string[] = [];
  runWalk(checkNode(root, "schema", { violations, ancestors: new Set() }));
  // Elsewhere in a schema any type will do, so this is not a rule of nodes.
  if (violations.length === 0 && nodeType(plainSlots(root)?.get("type")) !== "object") {
    violations.push('schema.type must be "object" (structured output is object-rooted)');
  }
  return violations;
}

interface Findings {
  readonly violations: string[];
  /** The nodes that the present one is in. */
  readonly ancestors: Set<ValueReading>;
}

function* checkNode(node: ValueReading, path: string, findings: Findings): Walk<void> {
  const { violations, ancestors } = findings;
  const slots = plainSlots(node);
  if (slots === undefined) {
    violations.push(`${path} must be a schema object`);
    return;
  }
  if (ancestors.has(node)) {
    violations.push(`${path} is circular`);
    return;
  }
  ancestors.add(node);
  checkVocabulary(slots, path, violations);
  const type = slots.get("type");
  const oneOf = slots.get("oneOf");
  if (type !== undefined && oneOf !== undefined) {
    violations.push(`${path} cannot declare both type and oneOf`);
  } else if (type !== undefined) yield* checkTyped(type, slots, path, findings);
  else if (oneOf !== undefined) yield* checkOneOf(oneOf, slots, path, findings);
  else {
    for (const keyword of misplacedConstraints(slots)) {
      violations.push(`${path}.${keyword} requires type or oneOf`);
    }
  }
  ancestors.delete(node);
}

function* checkTyped(typeSlot: ValueReading, slots: NodeSlots, path: string, findings: Findings): Walk<void> {
  const { violations } = findings;
  if (typeSlot.kind === "array") {
    violations.push(`${path}.type must be a single type string (type arrays are not supported)`);
    return;
  }
  const type = nodeType(typeSlot);
  if (type === undefined) {
    violations.push(`${path}.type must be one of ${Object.keys(CONSTRAINTS_OF).join("/")}`);
    return;
  }
  for (const keyword of misplacedConstraints(slots, CONSTRAINTS_OF[type])) {
    violations.push(`${path}.${keyword} is not supported on type "${type}"`);
  }
  switch (type) {
    case "object":
      return yield* checkObject(slots, path, findings);
    case "array": {
      const items = slots.get("items");
      if (items !== undefined) yield checkNode(items, `${path}.items`, findings);
      return;
    }
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return checkScalarSchema(type, slots, path, violations);
  }
}

function* checkObject(slots: NodeSlots, path: string, findings: Findings): Walk<void> {
  const { violations } = findings;
  const propertiesSlot = slots.get("properties");
  const properties = propertiesSlot === undefined ? NO_SLOTS : plainSlots(propertiesSlot);
  if (properties === undefined) violations.push(`${path}.properties must be an object of schemas`);
  for (const [name, property] of properties ?? NO_SLOTS) {
    yield checkNode(property, `${path}.properties.${name}`, findings);
  }
  const required = slots.get("required");
  if (required !== undefined) checkRequired(required, properties ?? NO_SLOTS, path, violations);
  const additional = slots.get("additionalProperties");
  if (additional !== undefined && typeof atomOf(additional) !== "boolean") {
    violations.push(`${path}.additionalProperties must be a boolean`);
  }
}

function checkRequired(
  required: ValueReading,
  properties: NodeSlots,
  path: string,
  violations: string[],
): void {
  const names = plainItems(required)?.map(atomOf);
  if (names === undefined || !names.every((name) => typeof name === "string")) {
    violations.push(`${path}.required must be an array of strings`);
    return;
  }
  for (const name of names) {
    if (properties.has(name)) continue;
    violations.push(`${path}.required names "${name}" which is not in properties`);
  }
}

function* checkOneOf(oneOf: ValueReading, slots: NodeSlots, path: string, findings: Findings): Walk<void> {
  const { violations } = findings;
  for (const keyword of misplacedConstraints(slots)) {
    violations.push(`${path}.${keyword} is not supported beside oneOf`);
  }
  const branches = plainItems(oneOf);
  if (branches === undefined || branches.length < 2) {
    violations.push(`${path}.oneOf must be an array of at least two schemas`);
    return;
  }
  for (const [index, branch] of branches.entries()) {
    yield checkNode(branch, `${path}.oneOf[${index}]`, findings);
  }
}
