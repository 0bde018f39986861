import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseSteps, type NamedStep, type StepChoice } from "./choose_steps.ts";

const STEPS: NamedStep[] = [
  { name: "lint" },
  { name: "build" },
  { name: "pack", needs: ["build"] },
  { name: "use", needs: ["pack"] },
];

describe("chooseSteps()", () => {
  const table: { name: string; choice: Partial<StepChoice>; chosen: string[] }[] = [
    { name: "takes all steps", choice: {}, chosen: ["lint", "build", "pack", "use"] },
    { name: "takes one step", choice: { only: ["lint"] }, chosen: ["lint"] },
    {
      name: "takes what a step needs, in order",
      choice: { only: ["use", "lint"] },
      chosen: ["lint", "build", "pack", "use"],
    },
    { name: "leaves a step out", choice: { skip: ["lint"] }, chosen: ["build", "pack", "use"] },
    { name: "leaves out what needs a step that is left out", choice: { skip: ["build"] }, chosen: ["lint"] },
    {
      name: "leaves out of what was taken",
      choice: { only: ["lint", "use"], skip: ["pack"] },
      chosen: ["lint", "build"],
    },
  ];
  for (const { name, choice, chosen } of table) {
    it(name, () => {
      assert.deepEqual(
        chooseSteps(STEPS, { only: [], skip: [], ...choice }).map((step) => step.name),
        chosen,
      );
    });
  }

  it("throws for a name that is no step's, and names those that are", () => {
    assert.throws(() => chooseSteps(STEPS, { only: ["lint", "lnt"], skip: [] }), {
      message: 'No step is called "lnt"; there are lint, build, pack, use',
    });
    assert.throws(() => chooseSteps(STEPS, { only: [], skip: ["x"] }), /No step is called "x"/);
  });

  it("throws when nothing is left: a gate that checks nothing does not pass", () => {
    assert.throws(() => chooseSteps(STEPS, { only: ["lint"], skip: ["lint"] }), /No step is left to run/);
  });
});
