/**
 * The keywords of the schema subset: which there are, what annotations hold, and which type takes which constraint.
 *
 * @module
 */
import { atomOf } from "./plain_parts.ts";
import type { ScalarType } from "./scalar_type.ts";
import type { ValueReading } from "./value_reading.ts";

/** What `type` may be. */
export type NodeType = "object" | "array" | ScalarType;

/** The keywords of one node and what they hold. */
export type NodeSlots = ReadonlyMap<string, ValueReading>;

/** Which keywords constrain a value of a type. */
export const CONSTRAINTS_OF: Readonly<Record<NodeType, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items"],
  string: ["enum", "const"],
  number: ["enum", "const"],
  integer: ["enum", "const"],
  boolean: ["enum", "const"],
  null: ["enum", "const"],
};

/** The constraints of all types, in the order in which misplaced ones are named. */
const CONSTRAINTS: readonly string[] = [...new Set(Object.values(CONSTRAINTS_OF).flat())];

const STRING_ANNOTATIONS: readonly string[] = ["description", "title"];

const DATA_ANNOTATIONS: readonly string[] = ["default", "examples"];

const KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "oneOf",
  ...CONSTRAINTS,
  ...STRING_ANNOTATIONS,
  ...DATA_ANNOTATIONS,
]);

const SUBSET = `subset: type/oneOf/${CONSTRAINTS.join("/")} + annotations`;

/** The type of a node, if its `type` keyword holds one. */
export function nodeType(reading: ValueReading | undefined): NodeType | undefined {
  const type = reading && atomOf(reading);
  return typeof type === "string" && Object.hasOwn(CONSTRAINTS_OF, type) ? type as NodeType : undefined;
}

/** Refuses keywords that are none, in their order in the node, and annotations that hold the wrong thing. */
export function checkVocabulary(slots: NodeSlots, path: string, violations: string[]): void {
  for (const [keyword, slot] of slots) {
    if (!KEYWORDS.has(keyword)) {
      violations.push(`${path}.${keyword} is not a supported keyword (${SUBSET})`);
    } else if (DATA_ANNOTATIONS.includes(keyword) && !slot.isLossless) {
      violations.push(`${path}.${keyword} annotation must be lossless JSON data`);
    }
  }
  for (const keyword of STRING_ANNOTATIONS) {
    const slot = slots.get(keyword);
    if (slot !== undefined && typeof atomOf(slot) !== "string") {
      violations.push(`${path}.${keyword} must be a string`);
    }
  }
}

/** Names the constraints of a node that are not among those allowed. */
export function misplacedConstraints(slots: NodeSlots, allowed: readonly string[] = []): string[] {
  return CONSTRAINTS.filter((keyword) => slots.has(keyword) && !allowed.includes(keyword));
}
