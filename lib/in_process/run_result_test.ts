import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred, isSettled, reactions } from "../agent/agent_fixtures_test.ts";
import type { ModelChunk } from "../agent/model/model_types.ts";
import { callTools, say } from "../agent/scripted_model_fixtures_test.ts";
import { openRig, untilAborted } from "./runtime_fixtures_test.ts";

const words = (text: string) => ({ type: "text", text });

describe("The result of a child", () => {
  it("is its last message and the reason of its last turn", async () => {
    const rig = await openRig((_, count) => count === 1 ? callTools(["work", {}]) : say("after ", "work"));
    rig.runtime.tools.register({
      name: "work",
      description: "",
      parameters: { type: "object" },
      execute: () => "worked",
    });
    const run = rig.start();
    assert.deepEqual(await run.result, { output: [words("after work")], stopReason: "completed" });
    await run.dispose();
    await rig.close();
  });

  it("is nothing of the seed: a child without a message of its own does not give its parent's", async () => {
    const rig = await openRig((_, count) => {
      if (count === 1) return say("the parent's answer");
      throw new Error("the model is down");
    });
    rig.parent.agent.send([words("first")]);
    await rig.parent.agent.whenIdle();
    const run = rig.start({}, { seed: rig.parent.agent.session.events });
    assert.deepEqual(await run.result, { output: [], stopReason: "error" });
    await run.dispose();
    await rig.close();
  });

  it("is a copy: what its receiver does to it is not done to the session", async () => {
    const rig = await openRig();
    const run = rig.start();
    const { output } = await run.result;
    (output[0] as { text: string }).text = "changed";
    const message = run.localAgent?.session.events.find(({ type }) => type === "assistant/message");
    assert.match(JSON.stringify(message?.data), /"done"/);
    await run.dispose();
    await rig.close();
  });

  const FINISHES: readonly (readonly [ModelChunk & { readonly type: "finish" }, string])[] = [
    [{ type: "finish", reason: "stop" }, "completed"],
    [{ type: "finish", reason: "length" }, "max-tokens"],
    [{ type: "finish", reason: "content-filter" }, "error"],
    [{ type: "finish", reason: "error" }, "error"],
  ];
  for (const [finish, stopReason] of FINISHES) {
    it(`of a model that stopped for ${finish.reason} is ${stopReason}`, async () => {
      const rig = await openRig(() => [{ type: "text-delta", text: "words" }, finish]);
      const run = rig.start();
      assert.equal((await run.result).stopReason, stopReason);
      await run.dispose();
      await rig.close();
    });
  }

  it("of a model that fails is an error, not a rejection", async () => {
    const rig = await openRig(() => Promise.reject(new Error("the model is down")));
    const run = rig.start();
    assert.deepEqual(await run.result, { output: [], stopReason: "error" });
    await run.dispose();
    await rig.close();
  });

  it("of a run that is cancelled in the middle of its turn is aborted", async () => {
    const rig = await openRig(untilAborted);
    const run = rig.start();
    await run.started;
    while (rig.model.requests.length === 0) await reactions();
    run.cancel("enough");
    assert.equal((await run.result).stopReason, "aborted");
    await run.dispose();
    await rig.close();
  });

  it("of a run that is cancelled before its turn ended anywhere is aborted, not an error", async () => {
    const rig = await openRig();
    const run = rig.start();
    while (run.localAgent === undefined) await Promise.resolve();
    run.cancel();
    assert.deepEqual(await run.result, { output: [], stopReason: "aborted" });
    await run.dispose();
    await rig.close();
  });

  it("is not changed by a cancellation that comes too late", async () => {
    const rig = await openRig();
    const run = rig.start();
    const result = await run.result;
    run.cancel();
    assert.equal(await run.result, result);
    assert.equal(result.stopReason, "completed");
    await run.dispose();
    await rig.close();
  });
});

describe("The prompt of a child", () => {
  it("is asked once: one turn, whatever comes of it", async () => {
    const rig = await openRig();
    const run = rig.start({ outputSchema: { type: "object" } });
    assert.deepEqual(await run.result, { output: [words("done")], stopReason: "error" });
    assert.equal(rig.model.requests.length, 1);
    const turns = run.localAgent?.session.events.filter(({ type }) => type === "turn/start");
    assert.equal(turns?.length, 1);
    await run.dispose();
    await rig.close();
  });

  it("is sent after readiness: whoever waits for that finds the child before the model is asked", async () => {
    const rig = await openRig();
    const run = rig.start();
    const asked = run.started.then(() => rig.model.requests.length);
    assert.equal(await asked, 0);
    await run.result;
    assert.equal(rig.model.requests.length, 1);
    await run.dispose();
    await rig.close();
  });

  it("is queued before idleness is looked at: the result waits for a model that takes its time", async () => {
    const answer = deferred();
    const rig = await openRig(async () => {
      await answer.promise;
      return say("at last");
    });
    const run = rig.start();
    await run.started;
    assert.equal(await isSettled(run.result), false);
    assert.equal(run.localAgent?.status, "running");
    answer.resolve();
    assert.deepEqual((await run.result).output, [words("at last")]);
    assert.equal(run.localAgent?.status, "idle");
    await run.dispose();
    await rig.close();
  });

  it("may be of any blocks", async () => {
    const rig = await openRig();
    const prompt = [words("look"), { type: "image", data: "AA==", mimeType: "image/png" }];
    const run = rig.start({ prompt });
    await run.result;
    assert.deepEqual(rig.model.requests[0]?.messages, [{ role: "user", content: prompt }]);
    await run.dispose();
    await rig.close();
  });
});
