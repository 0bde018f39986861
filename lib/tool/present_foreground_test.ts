import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  assertNoSecret,
  completed,
  hostileResults,
  hostileThrowables,
  runOf,
} from "../jobs/delegation_fixtures_test.ts";
import { SubagentFailure } from "../seam/errors.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import type { SubagentResult, SubagentRun } from "../seam/types.ts";
import { presentForeground, type PresentForegroundOptions } from "./present_foreground.ts";

const TEARDOWN = new SubagentFailure({ provider: "ACP", stage: "teardown", category: "unknown" });

async function errorOf(run: SubagentRun, options: PresentForegroundOptions = {}): Promise<Error> {
  return await presentForeground(run, options).then(
    () => assert.fail("it was an answer"),
    (error: unknown) => {
      assert.ok(error instanceof Error);
      return error;
    },
  );
}

describe("presentForeground()", () => {
  it("gives the run's id and the output of a completed run that is disposed of", async () => {
    let disposals = 0;
    const run = runOf({
      result: completed("all done"),
      dispose: () => {
        disposals++;
        return Promise.resolve();
      },
    });
    assert.deepEqual(await presentForeground(run), {
      kind: "foreground",
      runId: "run-1",
      output: [{ type: "text", text: "all done" }],
    });
    assert.equal(disposals, 1);
  });

  const failures: [result: SubagentResult, text: string][] = [
    [{ stopReason: "aborted", output: [] }, "subagent run was cancelled"],
    [{ stopReason: "error", output: [] }, "subagent run failed"],
    [{ stopReason: "max-tokens", output: [] }, "subagent run hit its token limit before finishing"],
    [{ stopReason: "refusal", output: [] }, "subagent declined the task"],
    [{ stopReason: "paused", output: [] }, "subagent run ended abnormally (paused)"],
    [
      {
        stopReason: "error",
        output: [{ type: "text", text: "partial ACP assistant text" }],
        diagnostic: "Subagent failure (provider: ACP; stage: prompt; category: remote-limit; " +
          "stop reason: max_turn_requests)\n" +
          "ACP unattended decision (policy: reject; request: execute; decision: denied)",
      },
      "subagent run failed\n" +
      "Diagnostic: Subagent failure (provider: ACP; stage: prompt; category: remote-limit; stop reason: max_turn_requests)\n" +
      "ACP unattended decision (policy: reject; request: execute; decision: denied)\n" +
      "Partial output before the run ended:\n" +
      "partial ACP assistant text",
    ],
  ];
  for (const [result, text] of failures) {
    it(`throws "${text.split("\n")[0]}" after the disposal`, async () => {
      let isDisposed = false;
      const run = runOf({
        result,
        dispose: async () => {
          await Promise.resolve();
          isDisposed = true;
        },
      });
      const error = await errorOf(run);
      assert.deepEqual([error.name, error.message, isDisposed], ["Error", text, true]);
    });
  }

  const disposals: [fact: string, dispose: () => Promise<void>][] = [
    ["rejects", () => Promise.reject(TEARDOWN)],
    ["throws", () => {
      throw TEARDOWN;
    }],
  ];
  for (const [fact, dispose] of disposals) {
    it(`throws the error of a disposal that ${fact} instead of the answer`, async () => {
      const error = await errorOf(runOf({ result: completed("all done"), dispose }));
      assert.ok(SubagentFailure.is(error));
      assert.equal(error.message, "Subagent failure (provider: ACP; stage: teardown; category: unknown)");
    });

    it(`joins the failure of the run and that of a disposal that ${fact}`, async () => {
      const error = await errorOf(runOf({ result: { stopReason: "refusal", output: [] }, dispose }));
      assert.ok(error instanceof AggregateError);
      assert.equal(
        error.message,
        "subagent run failed: Error: subagent declined the task; dispose failed: " +
          "SubagentFailure: Subagent failure (provider: ACP; stage: teardown; category: unknown)",
      );
      assert.deepEqual(error.errors.map((each: Error) => each.name), ["Error", "SubagentFailure"]);
    });
  }

  it("joins the rejection of a result and that of the disposal", async () => {
    const transport = new SubagentFailure({ provider: "ACP", stage: "prompt", category: "transport" });
    const error = await errorOf(
      runOf({ result: Promise.reject(transport), dispose: () => Promise.reject(TEARDOWN) }),
    );
    assert.equal(
      error.message,
      "subagent run failed: SubagentFailure: Subagent failure (provider: ACP; stage: prompt; " +
        "category: transport); dispose failed: SubagentFailure: Subagent failure (provider: ACP; " +
        "stage: teardown; category: unknown)",
    );
  });

  for (const [name, thrown] of hostileThrowables()) {
    const ours = name === "a failure of ours with another message";
    const line = (stage: string) =>
      `Subagent failure (provider: stub; stage: ${ours ? "start" : stage}; category: unknown)`;

    it(`hides ${name} that a result rejects with`, async () => {
      const error = await errorOf(runOf({ result: Promise.reject(thrown) }), { provider: "stub" });
      assertNoSecret(error);
      assert.equal(error.message, line("result"));
    });

    it(`hides ${name} that a disposal rejects with`, async () => {
      const run = runOf({ result: completed("x"), dispose: () => Promise.reject(thrown) });
      const error = await errorOf(run, { provider: "stub" });
      assertNoSecret(error);
      assert.equal(error.message, line("dispose"));
    });

    it(`hides ${name} that both reject with`, async () => {
      const run = runOf({ result: Promise.reject(thrown), dispose: () => Promise.reject(thrown) });
      const error = await errorOf(run, { provider: "stub" });
      assertNoSecret(error);
      assert.equal(
        error.message,
        `subagent run failed: SubagentFailure: ${line("result")}; ` +
          `dispose failed: SubagentFailure: ${line("dispose")}`,
      );
    });
  }

  for (const [name, result] of hostileResults()) {
    it(`hides what is wrong with a result that has ${name}, reports it, and disposes of the run`, async () => {
      const reported: HostFailure[] = [];
      let disposals = 0;
      const run = runOf({
        result,
        dispose: () => {
          disposals++;
          return Promise.resolve();
        },
      });
      const error = await errorOf(run, {
        provider: "stub",
        onHostFailure: (failure) => {
          reported.push(failure);
          throw new Error("a log that is full");
        },
      });
      assertNoSecret(error);
      assert.equal(error.message, "Subagent failure (provider: stub; stage: result; category: unknown)");
      assert.deepEqual(reported.map(({ operation, runId }) => [operation, runId]), [["run", "run-1"]]);
      assert.equal(disposals, 1);
    });
  }
});
