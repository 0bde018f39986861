import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shownResult, shownStopReason } from "./shown_result.ts";
import type { SubagentResult } from "./types.ts";

describe("shownResult()", () => {
  const rows: [fact: string, result: unknown, shown: unknown][] = [
    [
      "joins the text blocks and drops the others",
      {
        stopReason: "error",
        output: [{ type: "text", text: "a" }, { type: "image", data: "x" }, { type: "text", text: "b" }],
      },
      { stopReason: "error", text: "ab" },
    ],
    [
      "keeps the diagnostic of a run that did not complete",
      { stopReason: "refusal", output: [], diagnostic: "why" },
      { stopReason: "refusal", text: "", diagnostic: "why" },
    ],
    [
      "drops the diagnostic of a completed run",
      { stopReason: "completed", output: [], diagnostic: "why" },
      { stopReason: "completed", text: "" },
    ],
    [
      "drops a diagnostic that is no string, without asking it for one",
      { stopReason: "error", output: [], diagnostic: { toString: () => "secret" } },
      { stopReason: "error", text: "" },
    ],
    [
      "cuts a diagnostic at 4096 bytes",
      { stopReason: "error", output: [], diagnostic: "x".repeat(4097) },
      { stopReason: "error", text: "", diagnostic: `${"x".repeat(4073)}\n[diagnostic truncated]` },
    ],
    [
      "calls a stop reason that is no word unknown",
      { stopReason: { toString: () => "completed" }, output: [{ type: "text", text: "a" }] },
      { stopReason: "unknown", text: "a" },
    ],
  ];
  for (const [fact, result, expected] of rows) {
    it(fact, () => assert.deepEqual(shownResult(result as SubagentResult), expected));
  }

  for (
    const value of [undefined, null, { stopReason: "completed" }, { stopReason: "completed", output: 7 }]
  ) {
    it(`throws for ${JSON.stringify(value)}, which is no result`, () => {
      assert.throws(() => shownResult(value as unknown as SubagentResult), TypeError);
    });
  }
});

describe("shownStopReason()", () => {
  const rows: [fact: string, stopReason: unknown, shown: string][] = [
    ["keeps a word", "max_turn-requests2", "max_turn-requests2"],
    ["keeps 64 characters", "a".repeat(64), "a".repeat(64)],
    ["drops 65 characters", "a".repeat(65), "unknown"],
    ["drops an empty word", "", "unknown"],
    ["drops capital letters", "Error", "unknown"],
    ["drops a word that begins with a digit", "2big", "unknown"],
    ["drops a word with a line break behind it", "error\n", "unknown"],
    ["drops letters outside ASCII", "érror", "unknown"],
    ["drops a value that is no string", { toString: () => "error" }, "unknown"],
    ["drops a missing value", undefined, "unknown"],
  ];
  for (const [fact, stopReason, shown] of rows) {
    it(fact, () => assert.equal(shownStopReason(stopReason), shown));
  }
});
