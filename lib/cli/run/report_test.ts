import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProcessStartError } from "../../process/errors.ts";
import { SubagentAbortedError, SubagentFailure } from "../../seam/errors.ts";
import {
  explainMissingResult,
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
      "gives a structured result beside the text",
      { kind: "result", result: { stopReason: "completed", output, structured: { n: [1, null] } } },
      [],
      { stopReason: "completed", output: "so far", structured: { n: [1, null] }, elapsedMs: 7 },
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

describe("presentOutcome()", () => {
  const structured = { n: "\x9b\n" };
  const rows: [fact: string, outcome: RunOutcome, presented: ReturnType<typeof presentOutcome>][] = [
    [
      "gives the text of a run without a schema",
      { kind: "result", result: { stopReason: "completed", output } },
      { kind: "answer", text: "so far" },
    ],
    [
      "gives a structured result as one line of JSON, without the text",
      { kind: "result", result: { stopReason: "completed", output, structured } },
      { kind: "answer", text: '{"n":"\\u009b\\n"}' },
    ],
    [
      "gives a structured result that is null",
      { kind: "result", result: { stopReason: "completed", output, structured: null } },
      { kind: "answer", text: "null" },
    ],
    [
      "gives no structured result of a run that did not complete",
      { kind: "result", result: { stopReason: "max-tokens", output: [], structured } },
      { kind: "failure", text: "subagent run hit its token limit before finishing" },
    ],
  ];
  for (const [fact, outcome, presented] of rows) {
    it(fact, () => assert.deepEqual(presentOutcome(outcome), presented));
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

describe("explainMissingResult()", () => {
  const failed: RunOutcome = { kind: "result", result: { stopReason: "error", output: [] } };
  const SCHEMA = { outputSchemaFile: "schema.json" };
  const TEXT = "The agent reported no result that matches the schema of --output-schema";
  const rows: [fact: string, outcome: RunOutcome, options: object, text: string | undefined][] = [
    ["tells that nothing was reported", failed, SCHEMA, TEXT],
    ["says nothing of a run without a schema", failed, {}, undefined],
    [
      "says nothing of a value that was reported",
      { kind: "result", result: { stopReason: "error", output: [], structured: null } },
      SCHEMA,
      undefined,
    ],
    [
      "says nothing of a run that failed otherwise",
      { kind: "result", result: { stopReason: "max-tokens", output: [] } },
      SCHEMA,
      undefined,
    ],
    [
      "says nothing of a start that failed",
      { kind: "no-result", stopReason: "error", problem: "line" },
      SCHEMA,
      undefined,
    ],
  ];
  for (const [fact, outcome, options, text] of rows) {
    it(fact, () => assert.equal(explainMissingResult(outcome, options), text));
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
