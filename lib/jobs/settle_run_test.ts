import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startFailure, SubagentAbortedError, SubagentError, SubagentFailure } from "../seam/errors.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import type { SubagentResult } from "../seam/types.ts";
import {
  assertNoSecret,
  completed,
  hostileResults,
  hostileThrowables,
  runOf,
} from "./delegation_fixtures_test.ts";
import type { JobOutcome } from "./jobs_types.ts";
import { settleRun, settleStart } from "./settle_run.ts";

const TEARDOWN = new SubagentFailure({ provider: "ACP", stage: "teardown", category: "unknown" });
const TEARDOWN_TEXT = "SubagentFailure: Subagent failure (provider: ACP; stage: teardown; category: unknown)";

describe("settleRun()", () => {
  const partial = [{ type: "text", text: "partial" }];
  const rows: [fact: string, result: SubagentResult, outcome: JobOutcome][] = [
    ["completes with the answer", completed("all done"), { status: "completed", output: "all done" }],
    [
      "joins text blocks with no separator and drops others",
      {
        stopReason: "completed",
        output: [{ type: "text", text: "a" }, { type: "reasoning", text: "hm" }, { type: "text", text: "b" }],
      },
      { status: "completed", output: "ab" },
    ],
    ["completes with an empty answer", { stopReason: "completed", output: [] }, {
      status: "completed",
      output: "",
    }],
    ["takes an abort without a diagnostic for killed", { stopReason: "aborted", output: partial }, {
      status: "killed",
    }],
    [
      "takes an abort with a diagnostic for failed",
      {
        stopReason: "aborted",
        output: [],
        diagnostic: "Subagent failure (provider: DSH SDK; stage: session-run; category: child-disposed)",
      },
      {
        status: "failed",
        detail: "aborted; diagnostic: Subagent failure (provider: DSH SDK; stage: session-run; " +
          "category: child-disposed)",
      },
    ],
    ["names max-tokens", { stopReason: "max-tokens", output: partial }, {
      status: "failed",
      detail: "max-tokens",
    }],
    ["names refusal", { stopReason: "refusal", output: partial }, { status: "failed", detail: "refusal" }],
    ["names error", { stopReason: "error", output: partial }, { status: "failed", detail: "error" }],
    ["names a reason it does not know", { stopReason: "paused", output: [] }, {
      status: "failed",
      detail: "paused",
    }],
    ["calls a reason that is no word unknown", { stopReason: "a b", output: [] }, {
      status: "failed",
      detail: "unknown",
    }],
    [
      "puts a diagnostic of two lines behind the reason",
      {
        stopReason: "error",
        output: partial,
        diagnostic: "Subagent failure (provider: ACP; stage: prompt; category: remote-limit; " +
          "stop reason: max_turn_requests)\nACP unattended decision (policy: reject; request: execute; " +
          "decision: denied)",
      },
      {
        status: "failed",
        detail:
          "error; diagnostic: Subagent failure (provider: ACP; stage: prompt; category: remote-limit; " +
          "stop reason: max_turn_requests)\nACP unattended decision (policy: reject; request: execute; " +
          "decision: denied)",
      },
    ],
  ];
  for (const [fact, result, outcome] of rows) {
    it(fact, async () => assert.deepEqual(await settleRun(runOf({ result })), outcome));
  }

  const disposals: [fact: string, result: SubagentResult, detail: string][] = [
    ["loses the answer of a completed run", completed("all done"), `dispose failed: ${TEARDOWN_TEXT}`],
    ["makes a killed run failed", { stopReason: "aborted", output: [] }, `dispose failed: ${TEARDOWN_TEXT}`],
    [
      "stands behind what else there is",
      { stopReason: "refusal", output: [], diagnostic: "D" },
      `refusal; diagnostic: D; dispose failed: ${TEARDOWN_TEXT}`,
    ],
  ];
  for (const [fact, result, detail] of disposals) {
    it(`with a disposal that rejects ${fact}`, async () => {
      const run = runOf({ result, dispose: () => Promise.reject(TEARDOWN) });
      assert.deepEqual(await settleRun(run), { status: "failed", detail });
    });
  }

  it("takes a disposal that throws at once for one that rejects", async () => {
    const dispose = () => {
      throw TEARDOWN;
    };
    assert.deepEqual(await settleRun(runOf({ result: completed("x"), dispose })), {
      status: "failed",
      detail: `dispose failed: ${TEARDOWN_TEXT}`,
    });
  });

  it("gives an error of ours that the result rejected with", async () => {
    const error = new SubagentFailure({ provider: "ACP", stage: "prompt", category: "transport" });
    assert.deepEqual(await settleRun(runOf({ result: Promise.reject(error) })), {
      status: "failed",
      detail: "SubagentFailure: Subagent failure (provider: ACP; stage: prompt; category: transport)",
    });
  });

  it("fulfils only once the run is disposed of", async () => {
    const order: string[] = [];
    const dispose = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("disposed");
    };
    await settleRun(runOf({ result: completed("x"), dispose })).then(() => order.push("settled"));
    assert.deepEqual(order, ["disposed", "settled"]);
  });

  for (const [name, thrown] of hostileThrowables()) {
    const isOurs = name === "a failure of ours with another message";
    it(`hides ${name} that a result and a disposal reject with`, async () => {
      const run = runOf({ result: Promise.reject(thrown), dispose: () => Promise.reject(thrown) });
      const outcome = await settleRun(run, { provider: "stub" });
      assertNoSecret(outcome);
      const [result, disposal] = isOurs ? ["start", "start"] : ["result", "dispose"];
      assert.deepEqual(outcome, {
        status: "failed",
        detail: `SubagentFailure: Subagent failure (provider: stub; stage: ${result}; category: unknown); ` +
          `dispose failed: SubagentFailure: Subagent failure (provider: stub; stage: ${disposal}; ` +
          "category: unknown)",
      });
    });
  }

  for (const [name, result] of hostileResults()) {
    it(`hides what is wrong with a result that has ${name}, and reports it`, async () => {
      const failures: HostFailure[] = [];
      const outcome = await settleRun(runOf({ result }), {
        provider: "stub",
        onHostFailure: (failure) => failures.push(failure),
      });
      assert.deepEqual(outcome, {
        status: "failed",
        detail: "SubagentFailure: Subagent failure (provider: stub; stage: result; category: unknown)",
      });
      assert.deepEqual(failures.map(({ provider, operation, runId }) => [provider, operation, runId]), [
        ["stub", "run", "run-1"],
      ]);
    });
  }

  it("calls a provider unknown whose name nobody gave", async () => {
    assert.deepEqual(await settleRun(runOf({ result: Promise.reject(new Error("x")) })), {
      status: "failed",
      detail: "SubagentFailure: Subagent failure (provider: unknown; stage: result; category: unknown)",
    });
  });
});

describe("settleStart()", () => {
  const live = new AbortController().signal;
  const aborted = AbortSignal.abort();
  const cancelled = new SubagentAbortedError("ACP");
  const failure = new SubagentFailure({ provider: "ACP", stage: "process", category: "process-start" });
  const startText =
    "SubagentFailure: Subagent failure (provider: ACP; stage: process; category: process-start)";
  const rows: [fact: string, error: unknown, signal: AbortSignal, outcome: JobOutcome][] = [
    ["takes a cancelled start for killed", cancelled, aborted, { status: "killed" }],
    ["takes any start that fails after the abort for killed", failure, aborted, { status: "killed" }],
    ["takes a stranger's error after the abort for killed", "boom", aborted, { status: "killed" }],
    ["names the class and the line of a failure", failure, live, { status: "failed", detail: startText }],
    [
      "takes a cancelled start that left something behind for failed",
      startFailure(cancelled, TEARDOWN),
      aborted,
      {
        status: "failed",
        detail: "AggregateError: Subagent failure (provider: ACP; stage: teardown; category: unknown)",
      },
    ],
    [
      "joins the lines of a failure whose clean-up failed",
      startFailure(failure, TEARDOWN),
      live,
      {
        status: "failed",
        detail:
          "AggregateError: Subagent failure (provider: ACP; stage: process; category: process-start); " +
          "Subagent failure (provider: ACP; stage: teardown; category: unknown)",
      },
    ],
    [
      "takes a stranger's aggregate after the abort for failed, in fixed words",
      new AggregateError([new Error("boom")], "boom"),
      aborted,
      {
        status: "failed",
        detail: "SubagentFailure: Subagent failure (provider: stub; stage: start; category: unknown)",
      },
    ],
    [
      "keeps the words of a refusal",
      new SubagentError("NO_PROVIDER", 'no subagent provider registered for "x"'),
      live,
      { status: "failed", detail: 'SubagentError: no subagent provider registered for "x"' },
    ],
    [
      "names an abort that nobody asked for",
      cancelled,
      live,
      {
        status: "failed",
        detail: "SubagentAbortedError: subagent request was aborted before the ACP child started",
      },
    ],
  ];
  for (const [fact, error, signal, outcome] of rows) {
    it(fact, async () => {
      assert.deepEqual(await settleStart(Promise.reject(error), signal, { provider: "stub" }), outcome);
    });
  }

  it("settles the run of a start that went well", async () => {
    const start = Promise.resolve(runOf({ result: completed("yes") }));
    assert.deepEqual(await settleStart(start, live), { status: "completed", output: "yes" });
  });

  for (const [name, thrown] of hostileThrowables()) {
    it(`hides ${name} that a start rejects with`, async () => {
      const outcome = await settleStart(Promise.reject(thrown), live, { provider: "stub" });
      assertNoSecret(outcome);
      assert.deepEqual(outcome, {
        status: "failed",
        detail: "SubagentFailure: Subagent failure (provider: stub; stage: start; category: unknown)",
      });
    });
  }
});
