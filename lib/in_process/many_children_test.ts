import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Subagents } from "../seam/subagents.ts";
import { forkProvider, spawnProvider } from "./provider.ts";
import { countedSignal } from "./stub_fixtures_test.ts";
import { callTools, say } from "../agent/scripted_model_fixtures_test.ts";
import { assertOnly, lastPrompt, openRig } from "./runtime_fixtures_test.ts";

const CHILDREN = 1_000;

describe("A thousand children at once", () => {
  it("get each their own result, plain or structured, and leave no agent, session, scope, listener or layer", async () => {
    const rig = await openRig((request) => {
      const prompt = lastPrompt(request);
      const isStructured = request.tools.some(({ name }) => name === "structured_output");
      return isStructured ? callTools(["structured_output", { task: prompt }]) : say(`answer to ${prompt}`);
    });
    const subagents = new Subagents();
    subagents.register(spawnProvider({ runtime: rig.runtime }));
    subagents.register(forkProvider({ runtime: rig.runtime }));
    const { signal, listeners } = countedSignal();
    const sessions: string[] = [];
    rig.runtime.agents.on("session/created", ({ id }) => void sessions.push(id));
    rig.runtime.agents.on("session/disposed", ({ id }) => void sessions.splice(sessions.indexOf(id), 1));

    const runs = await Promise.all(
      Array.from({ length: CHILDREN }, (_, index) =>
        subagents.start(index % 2 === 0 ? "spawn" : "fork", {
          prompt: `task ${index}`,
          parent: rig.parent.agent,
          signal,
          ...(index % 3 === 0 ? { outputSchema: { type: "object" } } : {}),
        })),
    );
    assert.equal(rig.runtime.agents.list().length, CHILDREN + 1);
    assert.equal(new Set(runs.map(({ id }) => id)).size, CHILDREN);
    const results = await Promise.all(runs.map(({ result }) => result));
    results.forEach(({ output, structured, stopReason }, index) => {
      assert.equal(stopReason, "completed");
      if (index % 3 === 0) assert.deepEqual(structured, { task: `task ${index}` });
      else assert.deepEqual(output, [{ type: "text", text: `answer to task ${index}` }]);
    });
    assert.equal(listeners(), 0);
    await Promise.all(runs.map((run) => run.dispose()));
    assertOnly(rig, [rig.parent.agent]);
    assert.deepEqual(sessions, []);
    assert.deepEqual(rig.runtime.owner.effects.filter((label) => label.includes("run")), []);
    await rig.close();
  });
});
