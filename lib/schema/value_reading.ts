/**
 * Reading a value that nobody vouches for, so that what is judged afterwards is plain data of our own.
 *
 * @module
 */
import { type ContainerShape, containerShape } from "./container_shape.ts";
import { isJsonScalar } from "./json_value.ts";
import { runWalk, type Walk } from "./walk.ts";

/** What was found at one place of a value. */
export type ValueReading = AtomReading | ContainerReading | UnreadableReading;

/** A value without parts: a scalar, or a thing that JSON does not know, such as `undefined` or a function. */
export interface AtomReading {
  /** Discriminant. */
  readonly kind: "atom";
  /** The value itself. */
  readonly value: unknown;
  /** Whether JSON carries it without loss. */
  readonly isLossless: boolean;
}

/** An object or an array, plain or not. */
export interface ContainerReading {
  /** Discriminant. */
  readonly kind: "object" | "array";
  /** What was found in its slots, by key or index. A container that contains itself is found again. */
  readonly slots: ReadonlyMap<string, ValueReading>;
  /** Whether JSON has a form for it, its slots aside; see {@link ContainerShape}. */
  readonly isPlain: boolean;
  /** Whether JSON carries it and all it contains without loss. */
  readonly isLossless: boolean;
}

/** An object that threw when it was looked at: a getter, or a proxy's trap. */
export interface UnreadableReading {
  /** Discriminant. */
  readonly kind: "unreadable";
  /** JSON does not carry it. */
  readonly isLossless: false;
}

const UNREADABLE: UnreadableReading = { kind: "unreadable", isLossless: false };

/**
 * Reads a whole value, every slot once. Never throws: the object whose getter or trap throws is unreadable, the rest
 * is not affected. Depth is bounded by memory alone.
 */
export function readValue(root: unknown): ValueReading {
  const readings: Map<object, ValueReading> = new Map();

  function* readingOf(value: unknown): Walk<ValueReading> {
    if (typeof value !== "object" || value === null) {
      return { kind: "atom", value, isLossless: isJsonScalar(value) };
    }
    const known = readings.get(value);
    if (known !== undefined) return known;
    const contents = readContents(value);
    if (contents === undefined) {
      readings.set(value, UNREADABLE);
      return UNREADABLE;
    }
    const { kind, isPlain } = contents.shape;
    const slots: Map<string, ValueReading> = new Map();
    // Until it is complete it counts as lossy: whoever meets it by then is a part of it, and it contains itself.
    const reading = { kind, slots, isPlain, isLossless: false };
    readings.set(value, reading);
    let isLossless = isPlain;
    for (const [key, slotValue] of contents.slots) {
      const slot = yield readingOf(slotValue);
      slots.set(key, slot);
      isLossless &&= slot.isLossless;
    }
    reading.isLossless = isLossless;
    return reading;
  }

  return runWalk(readingOf(root));
}

interface Contents {
  readonly shape: ContainerShape;
  readonly slots: readonly (readonly [string, unknown])[];
}

function readContents(value: object): Contents | undefined {
  try {
    const shape = containerShape(value);
    const record = value as Readonly<Record<string, unknown>>;
    return { shape, slots: shape.keys.map((key) => [key, record[key]] as const) };
  } catch {
    return undefined;
  }
}
