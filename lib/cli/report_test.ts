import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProcessStartError } from "../process/errors.ts";
import { SubagentAbortedError, SubagentFailure } from "../seam/errors.ts";
import {
  explainStart,
  outcomeOfError,
  presentOutcome,
  reportOf,
  type RunOutcome,
  type RunReport,
} from "./report.ts";

const output = [{ type: "text", text: "so " }, { type: "reasoning", text: "hm" }, {
  type: "text",
  text: "far",
}];
const PROCESS_START = "Subagent failure (provider: ACP; stage: process; category: process-start)";

describe("reportOf()", () => {
  const rows: [fact: string, outcome: RunOutcome, problems: string[], report: RunReport][] = [
    [
      "gives an answer",
      { kind: "result", result: { stopReason: "completed", output } },
      [],
      { stopReason: "completed", output: "so far", elapsedMs: 7 },
    ],
    [
      "gives no diagnostic of a completed run",
      { kind: "result", result: { stopReason: "completed", output: [], diagnostic: "no" } },
      [],
      { stopReason: "completed", output: "", elapsedMs: 7 },
    ],
    [
      "gives partial output and the diagnostic of a failed run",
      { kind: "result", result: { stopReason: "error", output, diagnostic: "why" } },
      [],
      { stopReason: "error", output: "so far", diagnostic: "why", elapsedMs: 7 },
    ],
    [
      "gives a stop reason that is no short word as unknown",
      { kind: "result", result: { stopReason: "A canary!", output: [] } },
      [],
      { stopReason: "unknown", output: "", elapsedMs: 7 },
    ],
    [
      "joins what went wrong outside the result",
      { kind: "result", result: { stopReason: "aborted", output } },
      ["one", "two"],
      { stopReason: "aborted", output: "so far", error: "one; two", elapsedMs: 7 },
    ],
    [
      "gives the line of a start that failed",
      { kind: "no-result", stopReason: "error", problem: "line" },
      ["one"],
      { stopReason: "error", output: "", error: "one; line", elapsedMs: 7 },
    ],
  ];
  for (const [fact, outcome, problems, report] of rows) {
    it(fact, () => assert.deepEqual(reportOf(outcome, problems, 7), report));
  }
});

describe("outcomeOfError()", () => {
  const rows: [fact: string, error: unknown, outcome: RunOutcome][] = [
    [
      "shows the line of a failure",
      new SubagentFailure({ provider: "ACP", stage: "process", category: "process-start" }),
      {
        kind: "no-result",
        stopReason: "error",
        problem: PROCESS_START,
      },
    ],
    ["calls a cancelled start aborted", new SubagentAbortedError("ACP"), {
      kind: "no-result",
      stopReason: "aborted",
      problem: "subagent request was aborted before the ACP child started",
    }],
    ["shows nothing of a stranger's error", new Error("canary"), {
      kind: "no-result",
      stopReason: "error",
      problem: "Subagent failure (provider: acp; stage: start; category: unknown)",
    }],
  ];
  for (const [fact, error, outcome] of rows) {
    it(fact, () => {
      assert.deepEqual(outcomeOfError(error, "acp", "start"), outcome);
      assert.deepEqual(presentOutcome(outcome), {
        kind: "failure",
        text: outcome.kind === "no-result" ? outcome.problem : assert.fail(),
      });
    });
  }
});

describe("explainStart()", () => {
  const missing = new ProcessStartError("command-missing", {
    cause: Object.assign(new Error("spawn /canary ENOENT"), { code: "ENOENT" }),
  });
  const TEXT =
    "Cannot start the child process: the command, or the interpreter its first line names, was not found (ENOENT)";
  const failure = new SubagentFailure({ provider: "ACP", stage: "process", category: "process-start" }, {
    cause: missing,
  });
  const rows: [fact: string, error: unknown, text: string | undefined][] = [
    ["finds the fault of a start below the failure", failure, TEXT],
    ["finds it in an aggregate", new AggregateError([failure, new Error("canary")]), TEXT],
    ["says nothing of another error", new Error("canary", { cause: new Error("canary") }), undefined],
    ["says nothing of what is no error", { cause: missing }, undefined],
  ];
  for (const [fact, error, text] of rows) {
    it(fact, () => assert.equal(explainStart(error), text));
  }

  it("ends on an error that is its own cause", () => {
    const error = new Error("canary");
    error.cause = error;
    assert.equal(explainStart(error), undefined);
  });
});
