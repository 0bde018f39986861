import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { installedScript } from "./installed_script.ts";
import { tryAgent } from "./try_agent.ts";

describe("tryAgent() (Linux only: reads /proc)", { skip: process.platform !== "linux" }, () => {
  it("holds each scenario to the norm, or to the recipe where that deviates, whatever became of the one before", async () => {
    const agent = installedScript({
      onPrompt: [{ do: "text", text: "This answer was cut sho" }, { do: "stop" }],
    });
    const because = "it reports end_turn";
    const expectations = { "length-limit": { stopReason: "completed", because } } as const;
    const results = [];
    const deviating = { ...agent, recipe: { ...agent.recipe, expectations } };
    for await (const { totalMs: _, ...rest } of tryAgent(deviating, ["refusal", "length-limit"])) {
      results.push(rest);
    }
    assert.deepEqual(results, [
      {
        agent: "scripted",
        scenario: "refusal",
        deviates: false,
        outcome: "completed",
        differences: [
          'stopReason: expected "refusal", got "completed"',
          'text: expected "I cannot help with that.", got "This answer was cut sho"',
        ],
      },
      { agent: "scripted", scenario: "length-limit", deviates: true, outcome: "completed", differences: [] },
    ]);
  });

  it("counts a scenario that throws as failed and goes on", async () => {
    const agent = installedScript({ onInitialize: [{ do: "exit", code: 3 }] });
    const results = [];
    for await (const { outcome, differences } of tryAgent(agent, ["plain", "kill"])) {
      results.push([outcome, differences]);
    }
    const failure =
      "Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 3)";
    assert.deepEqual(results, [["threw", [`SubagentFailure: ${failure}`]], ["threw", [
      `SubagentFailure: ${failure}`,
    ]]]);
  });
});
