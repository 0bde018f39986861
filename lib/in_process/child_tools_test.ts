import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelRequest } from "../agent/model/model_types.ts";
import { callTools, say } from "../agent/scripted_model_fixtures_test.ts";
import { openRig, type Rig } from "./runtime_fixtures_test.ts";

function register({ runtime }: Rig, ...names: readonly string[]): void {
  for (const name of names) {
    runtime.tools.register({
      name,
      description: name,
      parameters: { type: "object" },
      execute: () => `${name} ran`,
    });
  }
}

const namesOf = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name);

describe("The tools of a child", () => {
  it("are all global ones when there is no filter, whatever its parent sees", async () => {
    const rig = await openRig();
    register(rig, "a", "b");
    rig.parent.agent.scope.tools.restrict({ allow: [] });
    const run = rig.start();
    await run.result;
    assert.deepEqual(rig.parent.agent.scope.tools.schemas(), []);
    assert.deepEqual(namesOf(rig.model.requests[0]), ["a", "b"]);
    await run.dispose();
    await rig.close();
  });

  it("are none of its parent's own", async () => {
    const rig = await openRig();
    rig.parent.agent.scope.tools.register({
      name: "private",
      description: "",
      parameters: { type: "object" },
      execute: () => "",
    });
    const run = rig.start();
    await run.result;
    assert.deepEqual(namesOf(rig.model.requests[0]), []);
    await run.dispose();
    await rig.close();
  });

  it("run although the parent is not allowed to see them: a filter is about what is visible, no authority", async () => {
    const rig = await openRig((_, count) => count === 1 ? callTools(["a", {}]) : say("done"));
    register(rig, "a");
    rig.parent.agent.scope.tools.restrict({ deny: ["a"] });
    const run = rig.start();
    await run.result;
    const results = rig.model.requests[1]?.messages.filter(({ role }) => role === "tool");
    assert.deepEqual(results?.map(({ content }) => content), [[{ type: "text", text: "a ran" }]]);
    await run.dispose();
    await rig.close();
  });

  it("follow the global ones as they come and go while it lives", async () => {
    const rig: Rig = await openRig((_, count) => {
      if (count > 1) return say("done");
      register(rig, "denied-later", "new");
      return callTools(["a", {}]);
    });
    register(rig, "a", "b");
    const run = rig.start({ toolFilter: { deny: ["b"] } });
    await run.result;
    assert.deepEqual(namesOf(rig.model.requests[0]), ["a"]);
    assert.deepEqual(namesOf(rig.model.requests[1]), ["a", "denied-later", "new"]);
    await run.dispose();
    await rig.close();
  });

  it("do not grow past a filter that allows some", async () => {
    const rig: Rig = await openRig((_, count) => {
      if (count > 1) return say("done");
      register(rig, "new");
      return callTools(["new", {}]);
    });
    register(rig, "a", "b");
    const run = rig.start({ toolFilter: { allow: ["a"] } });
    await run.result;
    assert.deepEqual(rig.model.requests.map(namesOf), [["a"], ["a"]]);
    const results = rig.model.requests[1]?.messages.filter(({ role }) => role === "tool");
    assert.deepEqual(results?.map(({ content }) => content), [[{
      type: "text",
      text: 'Error: unknown tool "new"',
    }]]);
    await run.dispose();
    await rig.close();
  });

  it("of its own are merged behind the filter: structured output stays", async () => {
    const rig = await openRig(() => callTools(["structured_output", {}]));
    register(rig, "a");
    const run = rig.start({ toolFilter: { allow: [] }, outputSchema: { type: "object" } });
    assert.deepEqual((await run.result).structured, {});
    assert.deepEqual(namesOf(rig.model.requests[0]), ["structured_output"]);
    await run.dispose();
    await rig.close();
  });
});
