import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ScenarioOutcome } from "../../conformance/recipe.ts";
import { differences } from "./differences.ts";
import type { Observation } from "./try_scenario.ts";

function observed(outcome: Partial<ScenarioOutcome>, rest: Partial<Observation> = {}): Observation {
  return {
    outcome: {
      stopReason: "completed",
      text: "x",
      asked: false,
      effect: false,
      endedBy: "agent",
      ...outcome,
    },
    totalMs: 1,
    afterInterruptMs: undefined,
    leftovers: [],
    ...rest,
  };
}

describe("differences()", () => {
  it("finds none when all that is expected is there", () => {
    const expected: ScenarioOutcome = { stopReason: "completed", text: "x", asked: true, effect: true };
    assert.deepEqual(differences(expected, observed({ asked: true, effect: true })), []);
  });

  it("does not heed text, asked and effect that nothing is expected of", () => {
    assert.deepEqual(
      differences({ stopReason: "completed" }, observed({ text: "y", asked: true, effect: true })),
      [],
    );
  });

  const rows: [fact: string, expected: ScenarioOutcome, observation: Observation, difference: string][] = [
    [
      "another stop reason",
      { stopReason: "refusal" },
      observed({}),
      'stopReason: expected "refusal", got "completed"',
    ],
    [
      "a diagnostic where none is expected",
      { stopReason: "completed" },
      observed({ diagnostic: "d" }),
      'diagnostic: expected undefined, got "d"',
    ],
    [
      "a missing diagnostic",
      { stopReason: "completed", diagnostic: "d" },
      observed({}),
      'diagnostic: expected "d", got undefined',
    ],
    [
      "a run that the runner had to end",
      { stopReason: "aborted" },
      observed({ stopReason: "aborted", endedBy: "runner" }),
      'endedBy: expected "agent", got "runner"',
    ],
    [
      "a run that was to outlast the runner's patience",
      { stopReason: "completed", endedBy: "runner" },
      observed({}),
      'endedBy: expected "runner", got "agent"',
    ],
    ["another text", { stopReason: "completed", text: "y" }, observed({}), 'text: expected "y", got "x"'],
    [
      "an effect that was denied",
      { stopReason: "completed", effect: false },
      observed({ effect: true }),
      "effect: expected false, got true",
    ],
    [
      "a cancelled run that waited for the agent",
      { stopReason: "aborted" },
      observed({ stopReason: "aborted" }, { afterInterruptMs: 201 }),
      "the cancelled run settled after 201 ms, more than 200",
    ],
    [
      "a process that was left behind",
      { stopReason: "completed" },
      observed({}, { leftovers: ["7 sleep 60"] }),
      "left behind: 7 sleep 60",
    ],
  ];
  for (const [fact, expected, observation, difference] of rows) {
    it(`names ${fact}`, () => assert.deepEqual(differences(expected, observation), [difference]));
  }
});
