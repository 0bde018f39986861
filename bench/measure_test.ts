import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BenchmarkCase } from "./benchmark.ts";
import type { CaseReport } from "./cases/meter.ts";
import { measure } from "./measure.ts";

const cases: readonly BenchmarkCase[] = ["a", "b"].map((name) => ({
  name,
  script: `script_${name}`,
  options: {},
  expected: 1,
}));
const report = (result: number, cpuSeconds: number): CaseReport => ({
  result,
  cpuSeconds,
  processCpuSeconds: 0,
  childCpuSeconds: 0,
  wallSeconds: 0,
  peakBytes: 0,
});

describe("measure()", () => {
  it("runs the cases in turn and leaves the first round out", async () => {
    const runs: string[] = [];
    const measured = await measure({ cases }, 2, ({ name }) => {
      runs.push(name);
      return Promise.resolve(report(1, runs.length));
    });
    assert.deepEqual(runs, ["a", "b", "a", "b", "a", "b"]);
    assert.deepEqual(
      [...measured].map(([name, reports]) => [name, reports.map(({ cpuSeconds }) => cpuSeconds)]),
      [["a", [3, 5]], ["b", [4, 6]]],
    );
  });

  it("rejects at a wrong result, also in the round that does not count", async () => {
    await assert.rejects(
      measure({ cases }, 5, ({ name }) => Promise.resolve(report(name === "b" ? 2 : 1, 0))),
      { name: "WrongResultError", message: 'Case "script_b" has to count 1, got 2' },
    );
  });
});
