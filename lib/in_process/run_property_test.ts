import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SubagentAbortedError, SubagentFailure } from "../seam/errors.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentRun } from "../seam/types.ts";
import { forkProvider } from "./provider.ts";
import type { InProcessRun } from "./start_in_process_run.ts";
import { countedSignal } from "./stub_fixtures_test.ts";
import { callTools, say } from "../agent/scripted_model_fixtures_test.ts";
import { openRig, type Rig } from "./runtime_fixtures_test.ts";

type Step = "wait" | "cancel" | "abort" | "dispose" | "provider" | "parent" | "steer" | "send";

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>("wait") },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>("cancel", "abort", "dispose", "provider", "parent", "steer", "send"),
  },
);

const STOP_REASONS = ["completed", "aborted", "error"];

/** Does one thing to a run; a wait lets one reaction have its turn. */
async function perform(one: Step, run: InProcessRun, rig: Rig, abort: () => void): Promise<void> {
  const child = run.localAgent;
  const isAlive = child !== undefined && child.status !== "disposed";
  if (one === "wait") await Promise.resolve();
  else if (one === "cancel") run.cancel();
  else if (one === "abort") abort();
  else if (one === "dispose") void run.dispose();
  else if (one === "provider") void rig.owner.close();
  else if (one === "parent") void rig.parent.dispose();
  else if (isAlive) child[one]([{ type: "text", text: "more" }]);
}

/** A rig whose model calls a tool so many times and then reports, or says that it is done. */
async function openWorkRig(toolCalls: number, isStructured: boolean): Promise<Rig> {
  const rig = await openRig((_, count) =>
    count <= toolCalls
      ? callTools(["work", {}])
      : isStructured
      ? callTools(["structured_output", {}])
      : say("done")
  );
  rig.runtime.tools.register({
    name: "work",
    description: "",
    parameters: { type: "object" },
    execute: () => "worked",
  });
  return rig;
}

describe("A run under random interleavings of cancellation, disposal, ends and turns", () => {
  it("always settles, agrees with itself and leaves nothing", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        fc.boolean(),
        async (steps, toolCalls, isStructured, isCancelledOnNews) => {
          const rig = await openWorkRig(toolCalls, isStructured);
          const { signal, abort, listeners } = countedSignal();
          const run = rig.start({ signal, ...(isStructured ? { outputSchema: { type: "object" } } : {}) });
          if (isCancelledOnNews) rig.runtime.agents.on("agent/created", () => run.cancel());
          for (const one of steps) await perform(one, run, rig, abort);

          const [started, result] = await Promise.allSettled([run.started, run.result]);
          await run.dispose();
          await run.dispose();
          if (result.status === "fulfilled") {
            const { stopReason, structured } = result.value;
            assert.ok(STOP_REASONS.includes(stopReason), stopReason);
            if (started.status === "rejected") assert.equal(stopReason, "aborted");
            if (structured !== undefined) assert.ok(isStructured);
            if (stopReason === "completed") assert.equal(structured !== undefined, isStructured);
            seen.add(stopReason);
          } else {
            assert.equal(started.status, "rejected");
            seen.add("rejected");
          }
          assert.equal(run.localAgent === undefined, started.status === "rejected");
          assert.equal(listeners(), 0);
          assert.equal(rig.runtime.agents.get(run.id), undefined);
          const count = (type: string) => rig.lifecycle.filter((name) => name === type).length;
          await rig.parent.dispose();
          assert.equal(count("agent/disposed"), count("agent/created") + 1);
          assert.equal(count("session/disposed"), count("session/created") + 1);
          await rig.close();
        },
      ),
      { numRuns: 150 },
    );
    // Each of these comes of at least every tenth case.
    assert.deepEqual(["completed", "aborted"].filter((outcome) => !seen.has(outcome)), []);
  });
});

describe("A delegation under random interleavings of cancellation, disposal, ends and turns", () => {
  it("either has no child or always settles; its result never rejects and nothing is left", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 0, max: 2 }),
        fc.boolean(),
        fc.boolean(),
        async (steps, toolCalls, isStructured, isPublishedFirst) => {
          const rig = await openWorkRig(toolCalls, isStructured);
          const { signal, abort, listeners } = countedSignal();
          const subagents = new Subagents();
          subagents.register(forkProvider({ runtime: rig.runtime, owner: rig.owner }));
          let run: SubagentRun | undefined;
          const started = subagents.start("fork", {
            prompt: "go",
            parent: rig.parent.agent,
            signal,
            ...(isStructured ? { outputSchema: { type: "object" } } : {}),
          }).then((published) => {
            run = published;
          }, (error) => {
            assert.ok(SubagentAbortedError.is(error) || SubagentFailure.is(error), `${error}`);
            // Aborted after something else had failed, it is still that which failed.
            if (!SubagentFailure.is(error)) assert.equal(signal.aborted, true);
            seen.add(error.name);
          });
          if (isPublishedFirst) await started;
          for (const one of steps) {
            if (one === "wait") await Promise.resolve();
            else if (one === "abort" || one === "cancel") abort();
            else if (one === "dispose") void run?.dispose();
            else if (one === "provider") void rig.owner.close();
            else if (one === "parent") void rig.parent.dispose();
          }
          await started;
          if (run !== undefined) {
            const { stopReason, structured, diagnostic } = await run.result;
            assert.ok(STOP_REASONS.includes(stopReason), stopReason);
            if (stopReason === "completed") assert.equal(structured !== undefined, isStructured);
            assert.equal(diagnostic !== undefined, stopReason === "error");
            await run.dispose();
            seen.add(stopReason);
          }
          assert.equal(listeners(), 0);
          assert.deepEqual(rig.owner.effects, []);
          assert.deepEqual(rig.runtime.agents.list().filter((agent) => agent !== rig.parent.agent), []);
          await rig.close();
        },
      ),
      { numRuns: 150 },
    );
    // Each of these comes of at least every tenth case.
    const common = ["completed", "aborted", "SubagentAbortedError"];
    assert.deepEqual(common.filter((outcome) => !seen.has(outcome)), []);
  });
});
