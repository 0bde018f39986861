/**
 * What in a schema is outside the supported subset.
 *
 * @module
 */
import { isOfScalarType, type ScalarType } from "./scalar_type.ts";
import { readValue, type ValueReading } from "./value_reading.ts";
import { runWalk, type Walk } from "./walk.ts";

type NodeType = "object" | "array" | ScalarType;

type Slots = ReadonlyMap<string, ValueReading>;

/** Which keywords constrain a value of a type. */
const KEYWORDS_OF: Readonly<Record<NodeType, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items"],
  string: ["enum", "const"],
  number: ["enum", "const"],
  integer: ["enum", "const"],
  boolean: ["enum", "const"],
  null: ["enum", "const"],
};

/** The constraints of all types, in the order in which misplaced ones are named. */
const CONSTRAINTS: readonly string[] = [...new Set(Object.values(KEYWORDS_OF).flat())];

const STRING_ANNOTATIONS = ["description", "title"] as const;

const DATA_ANNOTATIONS: readonly string[] = ["default", "examples"];

const KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "oneOf",
  ...CONSTRAINTS,
  ...STRING_ANNOTATIONS,
  ...DATA_ANNOTATIONS,
]);

const SUBSET = `subset: type/oneOf/${CONSTRAINTS.join("/")} + annotations`;

const NO_SLOTS: Slots = new Map();

/**
 * Lists everything in a schema that is outside the supported subset (see `OutputSchema`), each with its path, in the
 * order of the schema: what is wrong with a node comes before what is wrong inside it, `required` and
 * `additionalProperties` after the properties. A schema that passes is empty-handed. Never throws, whatever the schema
 * is; what cannot be read is no schema.
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
  if (type !== undefined && oneOf !== undefined) violations.push(`${path} cannot declare both type and oneOf`);
  else if (type !== undefined) yield* checkTyped(type, slots, path, findings);
  else if (oneOf !== undefined) yield* checkOneOf(oneOf, slots, path, findings);
  else refuseConstraints(slots, [], (keyword) => `${path}.${keyword} requires type or oneOf`, violations);
  ancestors.delete(node);
}

function checkVocabulary(slots: Slots, path: string, violations: string[]): void {
  for (const [keyword, slot] of slots) {
    if (!KEYWORDS.has(keyword)) {
      violations.push(`${path}.${keyword} is not a supported keyword (${SUBSET})`);
    } else if (DATA_ANNOTATIONS.includes(keyword) && !slot.isLossless) {
      violations.push(`${path}.${keyword} annotation must be lossless JSON data`);
    }
  }
  for (const keyword of STRING_ANNOTATIONS) {
    const slot = slots.get(keyword);
    if (slot !== undefined && typeof atom(slot) !== "string") {
      violations.push(`${path}.${keyword} must be a string`);
    }
  }
}

function* checkTyped(typeSlot: ValueReading, slots: Slots, path: string, findings: Findings): Walk<void> {
  const { violations } = findings;
  if (typeSlot.kind === "array") {
    violations.push(`${path}.type must be a single type string (type arrays are not supported)`);
    return;
  }
  const type = nodeType(typeSlot);
  if (type === undefined) {
    violations.push(`${path}.type must be one of ${Object.keys(KEYWORDS_OF).join("/")}`);
    return;
  }
  const refusal = (keyword: string) => `${path}.${keyword} is not supported on type "${type}"`;
  refuseConstraints(slots, KEYWORDS_OF[type], refusal, violations);
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
      return checkScalar(type, slots, path, violations);
  }
}

function* checkObject(slots: Slots, path: string, findings: Findings): Walk<void> {
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
  if (additional !== undefined && typeof atom(additional) !== "boolean") {
    violations.push(`${path}.additionalProperties must be a boolean`);
  }
}

function checkRequired(required: ValueReading, properties: Slots, path: string, violations: string[]): void {
  const names = plainItems(required)?.map(atom);
  if (names === undefined || !names.every((name) => typeof name === "string")) {
    violations.push(`${path}.required must be an array of strings`);
    return;
  }
  for (const name of names) {
    if (properties.has(name)) continue;
    violations.push(`${path}.required names "${name}" which is not in properties`);
  }
}

function* checkOneOf(oneOf: ValueReading, slots: Slots, path: string, findings: Findings): Walk<void> {
  const { violations } = findings;
  refuseConstraints(slots, [], (keyword) => `${path}.${keyword} is not supported beside oneOf`, violations);
  const branches = plainItems(oneOf);
  if (branches === undefined || branches.length < 2) {
    violations.push(`${path}.oneOf must be an array of at least two schemas`);
    return;
  }
  for (const [index, branch] of branches.entries()) {
    yield checkNode(branch, `${path}.oneOf[${index}]`, findings);
  }
}

function checkScalar(type: ScalarType, slots: Slots, path: string, violations: string[]): void {
  const enumSlot = slots.get("enum");
  const members = enumSlot && plainItems(enumSlot)?.map(atom);
  const isEnumSound = members !== undefined && members.length > 0 &&
    members.every((member) => isOfScalarType(member, type));
  if (enumSlot !== undefined && !isEnumSound) {
    violations.push(`${path}.enum must be a non-empty array of ${type} values`);
  }
  const constSlot = slots.get("const");
  if (constSlot === undefined) return;
  const constant = atom(constSlot);
  if (!isOfScalarType(constant, type)) {
    violations.push(`${path}.const must be a ${type} value`);
  } else if (isEnumSound && !members.includes(constant)) {
    violations.push(`${path}.const must be one of ${path}.enum when both are declared`);
  }
}

function refuseConstraints(
  slots: Slots,
  allowed: readonly string[],
  refusal: (keyword: string) => string,
  violations: string[],
): void {
  for (const keyword of CONSTRAINTS) {
    if (slots.has(keyword) && !allowed.includes(keyword)) violations.push(refusal(keyword));
  }
}

function nodeType(reading: ValueReading | undefined): NodeType | undefined {
  const type = reading && atom(reading);
  return typeof type === "string" && Object.hasOwn(KEYWORDS_OF, type) ? type as NodeType : undefined;
}

/** The value of what has no parts; `undefined` stands for everything else, since no keyword takes it. */
function atom(reading: ValueReading): unknown {
  return reading.kind === "atom" ? reading.value : undefined;
}

function plainSlots(reading: ValueReading): Slots | undefined {
  return reading.kind === "object" && reading.isPlain ? reading.slots : undefined;
}

function plainItems(reading: ValueReading): readonly ValueReading[] | undefined {
  return reading.kind === "array" && reading.isPlain ? [...reading.slots.values()] : undefined;
}
