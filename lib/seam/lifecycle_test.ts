import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { announceRun } from "./lifecycle.ts";
import type { SubagentResult, SubagentRun } from "./types.ts";

const output = [{ type: "text", text: "answer" }];
const start = { runId: "event-1", provider: "mine", id: "run-1", parentId: "parent-1", local: false };
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Announces a run with the given result and gives everything that was heard, in order. */
async function announced(result: unknown, localAgent?: { readonly id: string }) {
  const heard: (readonly [string, unknown])[] = [];
  announceRun({
    run: { id: "run-1", localAgent, result, dispose: () => Promise.resolve() } as unknown as SubagentRun,
    runId: "event-1",
    provider: "mine",
    parentId: "parent-1",
    emit: (type, payload) => heard.push([type, payload]),
    onResultError: (error) => heard.push(["error", error]),
  });
  const atOnce = heard.length;
  await turn();
  return { heard, atOnce };
}

describe("announceRun()", () => {
  it("emits the start at once and the end of a settled result after it", async () => {
    const { heard, atOnce } = await announced(Promise.resolve({ output, stopReason: "completed" }));
    assert.equal(atOnce, 1);
    assert.deepEqual(heard, [
      ["subagent/start", start],
      ["subagent/end", { ...start, stopReason: "completed", lastAssistantMessage: output }],
    ]);
  });

  it("freezes both payloads", async () => {
    const { heard } = await announced(Promise.resolve({ output, stopReason: "completed" }));
    assert.deepEqual(heard.map(([, payload]) => Object.isFrozen(payload)), [true, true]);
  });

  it("emits no end while the result is unsettled", async () => {
    const { heard } = await announced(new Promise(() => {}));
    assert.deepEqual(heard.map(([type]) => type), ["subagent/start"]);
  });

  it("emits the end after the start when a thenable calls back at once, and once when it calls back twice", async () => {
    const result = { output: [], stopReason: "refusal" };
    const thenable = {
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        resolve(result);
        resolve(result);
        reject(new Error("too late"));
      },
    };
    const { heard, atOnce } = await announced(thenable);
    assert.equal(atOnce, 1);
    assert.deepEqual(heard, [["subagent/start", start], ["subagent/end", {
      ...start,
      stopReason: "refusal",
    }]]);
  });

  it("says whether the child runs in this process", async () => {
    const { heard } = await announced(new Promise(() => {}), { id: "child-1" });
    assert.deepEqual(heard, [["subagent/start", { ...start, local: true }]]);
  });

  it("leaves an empty output out", async () => {
    const { heard } = await announced(Promise.resolve({ output: [], stopReason: "aborted" }));
    assert.deepEqual(heard[1], ["subagent/end", { ...start, stopReason: "aborted" }]);
  });

  it("keeps a stop reason that it does not know", async () => {
    const { heard } = await announced(Promise.resolve({ output: [], stopReason: "of-tomorrow" }));
    assert.deepEqual(heard[1], ["subagent/end", { ...start, stopReason: "of-tomorrow" }]);
  });

  it("emits an end with error when the result is rejected, and hands the error on", async () => {
    const error = new Error("broken");
    const { heard } = await announced(Promise.reject(error));
    assert.deepEqual(heard, [
      ["subagent/start", start],
      ["error", error],
      ["subagent/end", { ...start, stopReason: "error" }],
    ]);
  });

  const malformed: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["null", null],
    ["without a stop reason", { output }],
    ["of a stop reason that is no string", { output, stopReason: 7 }],
    ["that cannot be read", {
      get stopReason() {
        throw new Error("broken");
      },
    }],
  ];
  for (const [name, result] of malformed) {
    it(`emits an end with error for a result ${name}`, async () => {
      const { heard } = await announced(Promise.resolve(result as SubagentResult));
      assert.deepEqual(heard.map(([type]) => type), ["subagent/start", "error", "subagent/end"]);
      assert.deepEqual(heard[2]?.[1], { ...start, stopReason: "error" });
    });
  }

  it("takes an output that is no list for none", async () => {
    const { heard } = await announced(Promise.resolve({ output: "answer", stopReason: "completed" }));
    assert.deepEqual(heard[1], ["subagent/end", { ...start, stopReason: "completed" }]);
  });

  it("observes the result before the first listener is able to", async () => {
    const steps: string[] = [];
    const result = Promise.resolve<SubagentResult>({ output: [], stopReason: "completed" });
    announceRun({
      run: { id: "run-1", result } as unknown as SubagentRun,
      runId: "event-1",
      provider: "mine",
      parentId: "parent-1",
      emit: (type) => {
        steps.push(type);
        if (type === "subagent/start") void result.then(() => steps.push("reaction of a start listener"));
      },
      onResultError: () => {},
    });
    await turn();
    assert.deepEqual(steps, ["subagent/start", "subagent/end", "reaction of a start listener"]);
  });
});
