import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resultTable, type TrialResult } from "./result_table.ts";

function result(agent: string, rest: Partial<TrialResult> = {}): TrialResult {
  return {
    agent,
    scenario: "plain",
    outcome: "completed",
    totalMs: 12,
    deviates: false,
    differences: [],
    ...rest,
  };
}

describe("resultTable()", () => {
  it("has a row for each scenario, a column for each agent, and a mark for each surprise", () => {
    const table = resultTable([
      result("a"),
      result("a", { scenario: "refusal", deviates: true, totalMs: 3456 }),
      result("bee", { outcome: "threw", differences: ["x"], deviates: true }),
    ]);
    assert.equal(
      table,
      [
        "         a                 bee",
        "plain      completed 12    ! threw 12",
        "refusal  ~ completed 3456  -",
      ].join("\n"),
    );
  });

  it("starts a new block after four agents", () => {
    const table = resultTable(["a", "b", "c", "d", "e"].map((agent) => result(agent)));
    const heads = table.split("\n").filter((line) => !line.includes("completed"));
    assert.deepEqual(heads.map((line) => line.trim().split(/\s+/)), [["a", "b", "c", "d"], [""], ["e"]]);
  });
});
