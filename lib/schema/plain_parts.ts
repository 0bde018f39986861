/**
 * Taking a reading for what a keyword of a schema asks for.
 *
 * @module
 */
import type { ValueReading } from "./value_reading.ts";

/** The value of what has no parts; `undefined` stands for everything else, since no keyword takes it. */
export function atomOf(reading: ValueReading): unknown {
  return reading.kind === "atom" ? reading.value : undefined;
}

/** The slots of a plain object. */
export function plainSlots(reading: ValueReading): ReadonlyMap<string, ValueReading> | undefined {
  return reading.kind === "object" && reading.isPlain ? reading.slots : undefined;
}

/** The items of a plain array. */
export function plainItems(reading: ValueReading): readonly ValueReading[] | undefined {
  return reading.kind === "array" && reading.isPlain ? [...reading.slots.values()] : undefined;
}
