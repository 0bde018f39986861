/**
 * The keywords that list scalars.
 *
 * @module
 */
import { atomOf, plainItems } from "./plain_parts.ts";
import { isOfScalarType, type ScalarType } from "./scalar_type.ts";
import type { NodeSlots } from "./schema_vocabulary.ts";

/** Refuses an `enum` or `const` that no value of the type is able to meet, as far as either shows that by itself. */
export function checkScalarSchema(
  type: ScalarType,
  slots: NodeSlots,
  path: string,
  violations: string[],
): void {
  const enumSlot = slots.get("enum");
  const members = enumSlot && plainItems(enumSlot)?.map(atomOf);
  const isEnumSound = members !== undefined && members.length > 0 &&
    members.every((member) => isOfScalarType(member, type));
  if (enumSlot !== undefined && !isEnumSound) {
    violations.push(`${path}.enum must be a non-empty array of ${type} values`);
  }
  const constSlot = slots.get("const");
  if (constSlot === undefined) return;
  const constant = atomOf(constSlot);
  if (!isOfScalarType(constant, type)) {
    violations.push(`${path}.const must be a ${type} value`);
  } else if (isEnumSound && !members.includes(constant)) {
    violations.push(`${path}.const must be one of ${path}.enum when both are declared`);
  }
}
