import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelRequest } from "../agent/model/model_types.ts";
import { callTools, say } from "../agent/scripted_model_fixtures_test.ts";
import { type Answer, openRig } from "./runtime_fixtures_test.ts";
import { Subagents } from "../seam/subagents.ts";
import { spawnProvider } from "./provider.ts";
import { STRUCTURED_OUTPUT_INSTRUCTION } from "./structured_runtime.ts";

const SCHEMA = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};
const report = (n: unknown): Answer => callTools(["structured_output", { n }]);

function toolTexts(request: ModelRequest | undefined): unknown[] {
  return request?.messages.filter(({ role }) => role === "tool").map(({ content }) =>
    content[0]?.["text" as never]
  ) ??
    [];
}

describe("A run with a schema", () => {
  it("gives the reported value as its structured result, and the turn ends there", async () => {
    const rig = await openRig(() => report(7));
    const run = rig.start({ outputSchema: SCHEMA });
    const { structured, stopReason, output } = await run.result;
    assert.deepEqual([structured, stopReason], [{ n: 7 }, "completed"]);
    assert.deepEqual(output.map(({ type }) => type), ["tool-call"]);
    assert.equal(rig.model.requests.length, 1);
    await run.dispose();
    await rig.close();
  });

  it("lets the model try again in the same turn after arguments that do not fit", async () => {
    const rig = await openRig((_, count) => count === 1 ? report("seven") : report(7));
    const run = rig.start({ outputSchema: SCHEMA });
    assert.deepEqual((await run.result).structured, { n: 7 });
    assert.deepEqual(toolTexts(rig.model.requests[1]), [
      'Error: invalid arguments: "value.n" must be an integer',
    ]);
    const events = run.localAgent?.session.events ?? [];
    assert.equal(events.filter(({ type }) => type === "turn/start").length, 1);
    await run.dispose();
    await rig.close();
  });

  it("fails when the model is content without reporting, and asks no second time", async () => {
    const rig = await openRig((_, count) => count === 1 ? report("seven") : say("I give up"));
    const run = rig.start({ outputSchema: SCHEMA });
    const result = await run.result;
    assert.deepEqual(result, { output: [{ type: "text", text: "I give up" }], stopReason: "error" });
    assert.equal(Object.hasOwn(result, "structured"), false);
    assert.equal(rig.model.requests.length, 2);
    await run.dispose();
    await rig.close();
  });

  it("keeps an honest stop reason beside its value: cancelled behind the report, it was aborted", async () => {
    const rig = await openRig(() => report(1));
    const run = rig.start({ outputSchema: SCHEMA });
    await run.started;
    run.localAgent?.scope.tools.onResult(() => run.cancel());
    const { structured, stopReason } = await run.result;
    assert.deepEqual([structured, stopReason], [{ n: 1 }, "aborted"]);
    await run.dispose();
    await rig.close();
  });

  it("does not take a report out of an answer that was cut off", async () => {
    const rig = await openRig(() => [
      { type: "tool-call", id: "1", name: "structured_output", arguments: '{"n":1}' },
      { type: "finish", reason: "length" },
    ]);
    const run = rig.start({ outputSchema: SCHEMA });
    const { structured, stopReason } = await run.result;
    assert.deepEqual([structured, stopReason], [undefined, "max-tokens"]);
    await run.dispose();
    await rig.close();
  });

  it("does not run the calls behind the report in the same answer, not even when their ids are the same", async () => {
    let ran = 0;
    const rig = await openRig(() =>
      callTools(["structured_output", { n: 1 }, "x"], ["work", {}, "x"], ["structured_output", { n: 2 }, "x"])
    );
    rig.runtime.tools.register({
      name: "work",
      description: "",
      parameters: { type: "object" },
      execute: () => `${++ran}`,
    });
    const run = rig.start({ outputSchema: SCHEMA });
    assert.deepEqual((await run.result).structured, { n: 1 });
    assert.equal(ran, 0);
    const results = run.localAgent?.session.events.filter(({ type }) => type === "tool/result") ?? [];
    assert.equal(results.length, 3);
    for (const [index, name] of [[1, "work"], [2, "structured_output"]] as const) {
      assert.ok(
        JSON.stringify(results[index]?.data).includes(
          `structured output already recorded: the run is complete, so \`${name}\` is not executed`,
        ),
        JSON.stringify(results[index]?.data),
      );
    }
    await run.dispose();
    await rig.close();
  });

  it("is told in the system prompt, behind everything else, and in the tools, and the session shows both", async () => {
    const rig = await openRig(() => report(1));
    rig.runtime.prompt.section({ name: "tool:other", order: 150, text: "Guidance." });
    const run = rig.start({ outputSchema: SCHEMA });
    await run.result;
    const [request] = rig.model.requests;
    assert.ok(request?.system.endsWith(`Guidance.\n\n${STRUCTURED_OUTPUT_INSTRUCTION}`), request?.system);
    assert.deepEqual(request?.tools.map(({ parameters }) => parameters), [SCHEMA]);
    const header = run.localAgent?.session.events.find(({ type }) => type === "request/header");
    const logged = JSON.stringify(header?.data);
    assert.ok(logged.includes(JSON.stringify(STRUCTURED_OUTPUT_INSTRUCTION)), logged);
    assert.ok(logged.includes(JSON.stringify(SCHEMA)), logged);
    await run.dispose();
    await rig.close();
  });

  it("is not told to anybody else", async () => {
    const rig = await openRig(({ tools }) => tools.length > 0 ? report(1) : say("plain"));
    const [structured, plain] = [rig.start({ outputSchema: SCHEMA }), rig.start()];
    await Promise.all([structured.result, plain.result]);
    const { stopReason, structured: none } = await plain.result;
    assert.deepEqual([stopReason, none], ["completed", undefined]);
    const others = rig.model.requests.filter(({ tools }) => tools.length === 0);
    assert.deepEqual(others.map(({ system }) => system.includes("structured_output")), [false]);
    await Promise.all([structured.dispose(), plain.dispose()]);
    await rig.close();
  });

  it("does not mix with another that runs at the same time with another schema", async () => {
    const WORD = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
    const rig = await openRig(({ tools }) =>
      JSON.stringify(tools[0]?.parameters) === JSON.stringify(SCHEMA)
        ? report(1)
        : callTools(["structured_output", { word: "w" }])
    );
    const [one, other] = [rig.start({ outputSchema: SCHEMA }), rig.start({ outputSchema: WORD })];
    assert.deepEqual([(await one.result).structured, (await other.result).structured], [{ n: 1 }, {
      word: "w",
    }]);
    await Promise.all([one.dispose(), other.dispose()]);
    await rig.close();
  });

  it("ends its turn for good: what steers it before the step is over starts neither a step nor a turn", async () => {
    const rig = await openRig(() => report(1));
    const run = rig.start({ outputSchema: SCHEMA });
    await run.started;
    const child = run.localAgent ?? assert.fail("no child");
    let steered = 0;
    child.session.onEvent(({ type }) => {
      if (!["tool/call", "tool/result", "step/end", "turn/end"].includes(type)) return;
      steered++;
      child.steer([{ type: "text", text: "go on" }]);
    });
    assert.deepEqual((await run.result).structured, { n: 1 });
    await child.whenIdle();
    assert.deepEqual([steered, rig.model.requests.length], [4, 1]);
    assert.equal(child.session.events.filter(({ type }) => type === "turn/start").length, 1);
    await run.dispose();
    await rig.close();
  });

  it("leaves a prompt alone that was queued in the ordinary way", async () => {
    const rig = await openRig((_, count) => count === 1 ? report(1) : say("second"));
    const run = rig.start({ outputSchema: SCHEMA });
    await run.started;
    const child = run.localAgent ?? assert.fail("no child");
    let isQueued = false;
    child.session.onEvent(({ type }) => {
      if (type !== "tool/result" || isQueued) return;
      isQueued = true;
      child.send([{ type: "text", text: "and another thing" }]);
    });
    assert.deepEqual((await run.result).structured, { n: 1 });
    assert.equal(rig.model.requests.length, 2);
    await run.dispose();
    await rig.close();
  });

  it("keeps its value when the provider is unregistered in the middle of its turn", async () => {
    const subagents = new Subagents();
    let unregister = () => {};
    const rig = await openRig((_, count) => {
      if (count === 1) return report("no");
      unregister();
      return report(1);
    });
    unregister = subagents.register(spawnProvider({ runtime: rig.runtime }));
    const run = await subagents.start("spawn", {
      prompt: "go",
      parent: rig.parent.agent,
      outputSchema: SCHEMA,
    });
    assert.deepEqual((await run.result).structured, { n: 1 });
    assert.deepEqual(subagents.names(), []);
    await run.dispose();
    await rig.close();
  });
});
