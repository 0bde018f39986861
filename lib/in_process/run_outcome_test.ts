import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { SessionEvent } from "../agent/session/session_event.ts";
import { SessionLog } from "../agent/session/session_log.ts";
import type { JsonValue } from "../schema/json_value.ts";
import type { SubagentResult } from "../seam/types.ts";
import { olderOutcome, type RunFacts, seamOutcome } from "./run_outcome.ts";

type Entry = readonly [type: string, data: JsonValue];

function eventsOf(...entries: readonly Entry[]): readonly SessionEvent[] {
  const log = new SessionLog({ id: "s" });
  for (const [type, data] of entries) log.append(type, data);
  return log.events;
}

const text = (words: string) => ({ type: "text", text: words });
const message = (...content: readonly JsonValue[]): Entry => ["assistant/message", { message: { content } }];
const streamed = (
  words: string,
): Entry => ["assistant/chunk", { chunk: { type: "text-delta", text: words } }];
const end = (reason: JsonValue): Entry => ["turn/end", { reason }];

function facts(events: readonly SessionEvent[], more: Partial<RunFacts> = {}): RunFacts {
  return { events, isCancelled: false, ...more };
}

const cancelled = { isCancelled: true } as const;
const nothingReported = { structured: { captured: undefined } } as const;
const reported = (value: JsonValue) => ({ structured: { captured: { value } } }) as const;

const BOTH = [["olderOutcome()", olderOutcome], ["seamOutcome()", seamOutcome]] as const;

/** How the last turn ended, and what the run comes to: older and newer, each going on and cancelled. */
const STOP_REASONS: readonly (readonly [reason: JsonValue | undefined, ...stopReasons: readonly string[]])[] =
  [
    //               older       older, cancelled  newer       newer, cancelled
    ["completed", "completed", "completed", "completed", "completed"],
    ["max-tokens", "max-tokens", "max-tokens", "max-tokens", "aborted"],
    ["aborted", "aborted", "aborted", "aborted", "aborted"],
    ["error", "error", "error", "error", "aborted"],
    ["disposed", "error", "error", "error", "aborted"],
    ["blocked", "error", "error", "refusal", "aborted"],
    ["interrupted", "error", "error", "error", "aborted"],
    ["rejected", "error", "error", "error", "aborted"],
    ["refusal", "error", "error", "error", "aborted"],
    ["a word of tomorrow", "error", "error", "error", "aborted"],
    [7, "error", "error", "error", "aborted"],
    [undefined, "error", "aborted", "error", "aborted"],
  ];

for (const [reason, ...expected] of STOP_REASONS) {
  describe(`A last turn that ended with ${JSON.stringify(reason) ?? "nothing"}`, () => {
    const events = eventsOf(...reason === undefined ? [] : [end(reason)]);
    const outcomes = BOTH.flatMap(([name, outcome]) => [
      [name, outcome(facts(events))] as const,
      [`${name} of a cancelled run`, outcome(facts(events, cancelled))] as const,
    ]);
    outcomes.forEach(([name, result], index) => {
      it(`makes ${name} ${expected[index]}`, () =>
        assert.deepEqual(result, { output: [], stopReason: expected[index] }));
    });
  });
}

describe("Where the generations differ", () => {
  it("olderOutcome() gives the last message even when it is empty, seamOutcome() the last with content", () => {
    const events = eventsOf(message(text("early")), message(), end("completed"));
    assert.deepEqual(olderOutcome(facts(events)).output, []);
    assert.deepEqual(seamOutcome(facts(events)).output, [text("early")]);
  });

  it("olderOutcome() gives nothing when only text was streamed, seamOutcome() that text", () => {
    const events = eventsOf(streamed("half a "), streamed("word"), end("error"));
    assert.deepEqual(olderOutcome(facts(events)).output, []);
    assert.deepEqual(seamOutcome(facts(events)).output, [text("half a word")]);
  });

  it("olderOutcome() makes an error of a turn that policy blocked, seamOutcome() a refusal", () => {
    const events = eventsOf(end("blocked"));
    assert.equal(olderOutcome(facts(events)).stopReason, "error");
    assert.equal(seamOutcome(facts(events)).stopReason, "refusal");
  });

  it("olderOutcome() makes an error of a cancelled run whose turn was disposed of, seamOutcome() an aborted one", () => {
    const events = eventsOf(end("disposed"));
    assert.equal(olderOutcome(facts(events, cancelled)).stopReason, "error");
    assert.equal(seamOutcome(facts(events, cancelled)).stopReason, "aborted");
  });

  it("both keep a completed run completed that was cancelled afterwards", () => {
    const events = eventsOf(message(text("done")), end("completed"));
    for (const [name, outcome] of BOTH) {
      const result = outcome(facts(events, cancelled));
      assert.deepEqual(result, { output: [text("done")], stopReason: "completed" }, name);
    }
  });
});

for (const [name, outcome] of BOTH) {
  describe(name, () => {
    it("takes the last turn's reason when there were several", () => {
      const events = eventsOf(end("completed"), message(text("more")), end("max-tokens"));
      assert.deepEqual(outcome(facts(events)), { output: [text("more")], stopReason: "max-tokens" });
    });

    it("counts a message of reasoning alone as the answer", () => {
      const reasoning = { type: "reasoning", text: "hm" };
      const events = eventsOf(message(text("early")), message(reasoning), end("completed"));
      assert.deepEqual(outcome(facts(events)).output, [reasoning]);
    });

    it("gives copies that their receiver may change", () => {
      const events = eventsOf(message(text("hello")), end("completed"));
      const { output, structured } = outcome(facts(events, reported({ list: [1] })));
      (output[0] as { text: string }).text = "changed";
      (structured as { list: number[] }).list.push(2);
      (output as unknown[]).push("more");
      const again = outcome(facts(events, reported({ list: [1] })));
      assert.deepEqual([again.output, again.structured], [[text("hello")], { list: [1] }]);
    });

    it("is not misled by events that only look like messages and ends", () => {
      const events = eventsOf(
        message(text("real")),
        end("completed"),
        ["assistant/message", null],
        ["assistant/message", { message: 7 }],
        ["assistant/messages", { message: { content: [text("x")] } }],
        ["turn/ended", { reason: "aborted" }],
      );
      assert.deepEqual(outcome(facts(events)), { output: [text("real")], stopReason: "completed" });
    });

    it("fails a turn whose end says nothing", () => {
      assert.equal(outcome(facts(eventsOf(["turn/end", null]))).stopReason, "error");
    });

    it("adds the reported value and leaves the stop reason honest", () => {
      for (
        const [reason, stopReason] of [["completed", "completed"], ["max-tokens", "max-tokens"], [
          "aborted",
          "aborted",
        ]] as const
      ) {
        const events = eventsOf(message(text("t")), end(reason));
        assert.deepEqual(outcome(facts(events, reported({ n: 1 }))), {
          output: [text("t")],
          structured: { n: 1 },
          stopReason,
        });
      }
    });

    it("fails a run that completed without the result it was asked for", () => {
      const events = eventsOf(message(text("plain words")), end("completed"));
      assert.deepEqual(outcome(facts(events, nothingReported)), {
        output: [text("plain words")],
        stopReason: "error",
      });
    });

    it("aborts a run that was cancelled and completed without the result it was asked for", () => {
      const events = eventsOf(end("completed"));
      assert.equal(outcome(facts(events, { ...nothingReported, ...cancelled })).stopReason, "aborted");
    });

    it("keeps any other reason of a run that did not report", () => {
      const events = eventsOf(end("max-tokens"));
      assert.deepEqual(outcome(facts(events, nothingReported)), { output: [], stopReason: "max-tokens" });
    });

    it("says completed only when the last turn did, and adds a value only when one was reported", () => {
      const entry = fc.oneof(
        fc.constantFrom("completed", "error", "aborted", "blocked", "disposed", "max-tokens").map(end),
        fc.string().map((words) => message(text(words))),
        fc.string().map(streamed),
        fc.constant(message()),
      );
      fc.assert(
        fc.property(
          fc.array(entry),
          fc.boolean(),
          fc.constantFrom("none", "asked", "given"),
          (entries, cut, mode) => {
            const events = eventsOf(...entries);
            const structured = mode === "none" ? {} : mode === "asked" ? nothingReported : reported([mode]);
            const result: SubagentResult = outcome(facts(events, { isCancelled: cut, ...structured }));
            const ends = entries.filter(([type]) => type === "turn/end");
            const completed = (ends.at(-1)?.[1] as { reason?: unknown } | undefined)?.reason === "completed";
            assert.equal(result.stopReason === "completed", completed && mode !== "asked");
            assert.equal(Object.hasOwn(result, "structured"), mode === "given");
            assert.equal(Object.hasOwn(result, "diagnostic"), false);
          },
        ),
      );
    });
  });
}
