import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Benchmark, Measurements } from "./benchmark.ts";
import type { CaseReport } from "./cases/meter.ts";
import { benchmarkReport, verdicts } from "./report.ts";

const report = (cpuSeconds: number, megabytes: number): CaseReport => ({
  result: 1,
  cpuSeconds,
  processCpuSeconds: cpuSeconds + 1,
  childCpuSeconds: 3,
  wallSeconds: 2,
  peakBytes: megabytes * 1e6,
});
const benchmark: Benchmark = {
  name: "sums",
  work: "adding up",
  cases: [],
  comparisons: [
    { quantity: "CPU", of: "new", against: "old", atMost: 1.5 },
    { quantity: "CPU with start", of: "new", against: "old" },
    { quantity: "CPU with children", of: "new", against: "old", atMost: 1.2 },
    { quantity: "peak memory", of: "new", against: "old", atMost: 1.5 },
  ],
};
const measurements: Measurements = new Map([
  ["old", [report(1, 50), report(2, 50), report(1, 50)]],
  ["new", [report(1.5, 100), report(2, 80), report(9, 75)]],
]);

describe("verdicts()", () => {
  it("compares each quantity by the medians and says whether the target is met", () => {
    assert.deepEqual(
      verdicts(benchmark, measurements).map(({ quantity, ratio, met }) => ({ quantity, ratio, met })),
      [
        { quantity: "CPU", ratio: 2, met: false },
        { quantity: "CPU with start", ratio: 1.5, met: undefined },
        { quantity: "CPU with children", ratio: 1.25, met: false },
        { quantity: "peak memory", ratio: 1.6, met: false },
      ],
    );
  });

  it("takes a ratio that equals its target as met", () => {
    const [exact] = verdicts(
      { ...benchmark, comparisons: [{ quantity: "CPU", of: "new", against: "old", atMost: 2 }] },
      measurements,
    );
    assert.equal(exact?.met, true);
  });

  it("refuses a case that was not measured", () => {
    assert.throws(
      () => verdicts(benchmark, new Map([["old", [report(1, 1)]]])),
      { message: "Cannot compare 0 rounds with 1" },
    );
  });
});

describe("benchmarkReport()", () => {
  it("shows medians, ratios, their ranges, targets and misses", () => {
    assert.equal(
      benchmarkReport(benchmark, measurements),
      [
        "sums: adding up",
        "",
        "  median of 3  CPU s  with start  children  wall s  peak MB",
        "  old          1.000       2.000      3.00    2.00     50.0",
        "  new          2.000       3.000      3.00    2.00     80.0",
        "",
        "  ratio                                     rounds  target",
        "  new / old, CPU                2.00  1.00 to 9.00  <= 1.5  MISSED",
        "  new / old, CPU with start     1.50  1.00 to 5.00",
        "  new / old, CPU with children  1.25  1.00 to 3.00  <= 1.2  MISSED",
        "  new / old, peak memory        1.60  1.50 to 2.00  <= 1.5  MISSED",
      ].join("\n"),
    );
  });
});
