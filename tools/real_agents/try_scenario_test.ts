import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import type { AgentScript } from "../../fakes/acp_agent/script.ts";
import { installedScript } from "./installed_script.ts";
import type { Scenario } from "./scenarios.ts";
import { type Observation, type Patience, tryScenario } from "./try_scenario.ts";

const PATIENCE: Patience = { startMs: 20_000, promptMs: 20_000, eofGraceMs: 2_000 };

async function observe(
  script: AgentScript,
  scenario: Partial<Scenario> = {},
  patience: Partial<Patience> = {},
): Promise<Observation> {
  const whole: Scenario = {
    prompt: () => "x",
    permission: "reject",
    norm: { stopReason: "completed" },
    ...scenario,
  };
  return await tryScenario(installedScript(script), whole, { ...PATIENCE, ...patience });
}

const UNDER_WAY: AgentScript["onPrompt"] = [
  { do: "text", text: "one " },
  { do: "text", text: "two" },
  { do: "wait", for: "cancel" },
];

describe("tryScenario() (Linux only: reads /proc)", { skip: process.platform !== "linux" }, () => {
  it("sees text, permission requests and that there was no effect", async () => {
    const { outcome, afterInterruptMs, leftovers } = await observe({
      onPrompt: [{ do: "text", text: "a" }, { do: "ask" }, { do: "text", text: "b" }, { do: "stop" }],
    });
    assert.deepEqual(outcome, {
      stopReason: "completed",
      text: "ab",
      asked: true,
      effect: false,
      endedBy: "agent",
    });
    assert.equal(afterInterruptMs, undefined);
    assert.deepEqual(leftovers, []);
  });

  it("cancels in the middle of the answer", async () => {
    const { outcome, afterInterruptMs } = await observe({ onPrompt: UNDER_WAY }, { interrupt: "abort" });
    assert.deepEqual(outcome, {
      stopReason: "aborted",
      text: "one two",
      asked: false,
      effect: false,
      endedBy: "agent",
    });
    assert.equal(typeof afterInterruptMs, "number");
  });

  it("kills the agent in the middle of the answer", async () => {
    const { outcome } = await observe({ onPrompt: UNDER_WAY }, { interrupt: "kill" });
    assert.deepEqual(outcome, {
      stopReason: "error",
      diagnostic: "Subagent failure (provider: ACP; stage: process; category: process-exit; signal: SIGKILL)",
      text: "one two",
      asked: false,
      effect: false,
      endedBy: "agent",
    });
  });

  it("says so when it ran out of patience", async () => {
    const { outcome } = await observe({ onPrompt: [{ do: "wait", for: "cancel" }] }, {}, { promptMs: 50 });
    assert.deepEqual([outcome.stopReason, outcome.endedBy], ["aborted", "runner"]);
  });

  it("finds a process that the library cannot know of", async () => {
    // A daemon with an empty environment leads back to the agent by nothing but its working directory.
    const spawn = {
      do: "spawn",
      how: "daemon",
      clearEnv: true,
      pidFile: "${HOME}/pid",
      seconds: 30,
    } as const;
    const { leftovers } = await observe({ onPrompt: [spawn, { do: "stop" }] });
    const [leftover = ""] = leftovers;
    assert.equal(leftovers.length, 1, leftovers.join("\n"));
    process.kill(Number.parseInt(leftover), "SIGKILL");
  });

  it("rejects when the agent does not start", async () => {
    await assert.rejects(observe({ onInitialize: [{ do: "exit", code: 3 }] }), {
      message: "Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 3)",
    });
  });
});
