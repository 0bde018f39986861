import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ProgramLimits, readProgramLimits } from "./program_limits.ts";

describe("readProgramLimits()", () => {
  it("fills in what is missing", () => {
    const { now, ...limits } = readProgramLimits({});
    assert.deepEqual(limits, {
      computeMs: 2000,
      timeoutMs: Infinity,
      memoryBytes: 67_108_864,
      maxCalls: 100,
      maxArgument: 1_000_000,
      maxOutput: 100_000,
    });
    assert.ok(now() <= performance.now());
  });

  it("takes what is given", () => {
    const given: ProgramLimits = {
      computeMs: 1,
      timeoutMs: 2,
      memoryBytes: 16_777_216,
      maxCalls: 3,
      maxArgument: 4,
      maxOutput: 5,
      now: () => 6,
    };
    assert.deepEqual(readProgramLimits(given), given);
  });

  const refused: readonly (readonly [options: Readonly<Record<string, unknown>>, message: string])[] = [
    [{ computeMs: 0 }, "computeMs must be a whole number from 1 to 2147483647, got 0"],
    [{ timeoutMs: Infinity }, "timeoutMs must be a whole number from 1 to 2147483647, got Infinity"],
    [
      { memoryBytes: 16_777_215 },
      "memoryBytes must be a whole number from 16777216 to 2147483648, got 16777215",
    ],
    [{ maxCalls: 1.5 }, "maxCalls must be a whole number from 1 to 9007199254740991, got 1.5"],
    [{ maxArgument: "5" }, "maxArgument must be a whole number from 1 to 268435456, got string"],
    [{ maxOutput: null }, "maxOutput must be a whole number from 1 to 268435456, got null"],
    [{ now: 5 }, "now must be a function, got number"],
  ];
  for (const [options, message] of refused) {
    it(`refuses ${Object.keys(options)} as ${JSON.stringify(Object.values(options))}`, () => {
      assert.throws(() => readProgramLimits(options), new TypeError(`codeMode: ${message}`));
    });
  }
});
