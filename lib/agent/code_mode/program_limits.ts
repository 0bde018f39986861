/**
 * What a program is held to.
 *
 * @module
 */
import { LONGEST_TIMER_MS } from "../../seam/config_fields.ts";
import { kindOf } from "../../seam/kind_of.ts";
import { LEAST_MEMORY_BYTES } from "./engine/engine_module.ts";

/** Bounds of a program. */
export interface ProgramLimits {
  /** Milliseconds of computing; waiting for tools does not count. The host does nothing else meanwhile. */
  readonly computeMs: number;
  /** Milliseconds from its start to its end, tools included; `Infinity` for no limit. */
  readonly timeoutMs: number;
  /** Bytes of memory of the engine it runs in. */
  readonly memoryBytes: number;
  /** Most calls of tools. */
  readonly maxCalls: number;
  /** Most characters of the arguments of one call, as JSON. A call that has more throws. */
  readonly maxArgument: number;
  /** Most characters of output, the returned value included. */
  readonly maxOutput: number;
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
}

/** All that the engine was built for. */
const MOST_MEMORY_BYTES = 2 ** 31;
/** About what every runtime is able to put into one string. */
const LONGEST_TEXT = 2 ** 28;

/** Reads bounds, each once, and fills in those that are missing. @throws {TypeError} When one is wrong, naming it. */
export function readProgramLimits(options: Partial<ProgramLimits>): ProgramLimits {
  const { now = () => performance.now(), timeoutMs } = options;
  const { computeMs = 2000, memoryBytes = 64 * 1024 * 1024 } = options;
  const { maxCalls = 100, maxArgument = 1_000_000, maxOutput = 100_000 } = options;
  if (typeof now !== "function") throw new TypeError(`codeMode: now must be a function, got ${kindOf(now)}`);
  return {
    computeMs: whole("computeMs", computeMs, 1, LONGEST_TIMER_MS),
    timeoutMs: timeoutMs === undefined ? Infinity : whole("timeoutMs", timeoutMs, 1, LONGEST_TIMER_MS),
    memoryBytes: whole("memoryBytes", memoryBytes, LEAST_MEMORY_BYTES, MOST_MEMORY_BYTES),
    maxCalls: whole("maxCalls", maxCalls, 1, Number.MAX_SAFE_INTEGER),
    maxArgument: whole("maxArgument", maxArgument, 1, LONGEST_TEXT),
    maxOutput: whole("maxOutput", maxOutput, 1, LONGEST_TEXT),
    now,
  };
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const got = typeof value === "number" ? value : kindOf(value);
  throw new TypeError(`codeMode: ${name} must be a whole number from ${least} to ${most}, got ${got}`);
}
