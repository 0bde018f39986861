import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DriverReport, Outcome } from "./drivers/driver.ts";
import { scenarioReport } from "./peer_report.ts";
import type { CellResult } from "./run_cell.ts";

const report = (outcome: Outcome, seconds: number, detail?: string): DriverReport => ({
  outcome,
  seconds,
  closing: "done",
  closeSeconds: 0.5,
  detail,
  processCpuSeconds: seconds / 2,
  childCpuSeconds: 0,
  peakBytes: 80e6,
});
const ran = (one: DriverReport, left = 0): CellResult => ({ report: one, fate: undefined, left });
const scenario = { name: "hello", what: "one answer", wanted: "answer, 0 left" };

describe("scenarioReport()", () => {
  it("has a row for each library with the medians of its runs, and what it said once", () => {
    const text = scenarioReport(scenario, [
      { peer: "good", runs: [ran(report("answer", 3)), ran(report("answer", 1)), ran(report("answer", 2))] },
      { peer: "bad", runs: [ran(report("error", 1, "E: no"), 1), ran(report("error", 1, "E: no"), 2)] },
    ]);
    assert.equal(
      text,
      [
        "hello: one answer (wanted: answer, 0 left)",
        "",
        "        came back  after s  closing  took s  CPU s  peak MB    left",
        "  good     answer     2.00     done    0.50   1.00       80       0",
        "  bad       error     1.00     done    0.50   0.50       80  1 or 2",
        "  bad: E: no",
      ].join("\n"),
    );
  });

  it("shows every outcome of a library that is not sure", () => {
    const text = scenarioReport(scenario, [
      { peer: "odd", runs: [ran(report("answer", 1)), ran(report("hang", 30))] },
    ]);
    assert.match(text, /odd {2}answer or hang/);
  });

  it("shows a driver without a report as a crash, with its fate", () => {
    const crash: CellResult = { report: undefined, fate: "no report", left: 1 };
    assert.match(
      scenarioReport(scenario, [{ peer: "gone", runs: [crash] }]),
      /gone {6}crash +- +- +- +- +- +1\n {2}gone: no report$/,
    );
  });
});
