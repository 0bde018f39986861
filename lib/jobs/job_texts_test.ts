import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { killText, listText, noticeText, readingText, startedText, statusText } from "./job_texts.ts";
import type { JobSnapshot, JobState } from "./jobs_types.ts";

function jobOf(state: JobState, label = "look around"): JobSnapshot {
  return { id: "subagent-1", kind: "subagent", label, owner: "parent", startedAt: 1, ...state };
}

const RUNNING = jobOf({ status: "running" });
const STOPPING = jobOf({ status: "stopping" });
const COMPLETED = jobOf({ status: "completed", settledAt: 2 });
const KILLED = jobOf({ status: "killed", settledAt: 2 });
const FAILED = jobOf({ status: "failed", settledAt: 2, detail: "refusal; diagnostic: D" });

describe("statusText()", () => {
  const rows: [job: JobSnapshot, text: string][] = [
    [RUNNING, "[status: running]"],
    [STOPPING, "[status: stopping]"],
    [COMPLETED, "[status: completed]"],
    [KILLED, "[status: killed]"],
    [FAILED, "[status: failed, refusal; diagnostic: D]"],
  ];
  for (const [job, text] of rows) {
    it(`says ${text}`, () => assert.equal(statusText(job), text));
  }
});

describe("readingText()", () => {
  const rows: [fact: string, output: string, job: JobSnapshot, text: string][] = [
    ["says that there is no output yet", "", RUNNING, "(no new output)\n[status: running]"],
    ["says that an answer is empty", "", COMPLETED, "(no new output)\n[status: completed]"],
    ["puts the status on a line of its own", "answer", COMPLETED, "answer\n[status: completed]"],
    ["does not double a line break", "answer\n", COMPLETED, "answer\n[status: completed]"],
    [
      "matches the pinned text of an ACP run that hit its turn limit",
      "",
      jobOf({
        status: "failed",
        settledAt: 2,
        detail:
          "error; diagnostic: Subagent failure (provider: ACP; stage: prompt; category: remote-limit; " +
          "stop reason: max_turn_requests)\n" +
          "ACP unattended decision (policy: reject; request: execute; decision: denied)",
      }),
      "(no new output)\n" +
      "[status: failed, error; diagnostic: Subagent failure (provider: ACP; stage: prompt; category: remote-limit; stop reason: max_turn_requests)\n" +
      "ACP unattended decision (policy: reject; request: execute; decision: denied)]",
    ],
    [
      "matches the pinned text of a DSH SDK run whose child failed",
      "",
      jobOf({
        status: "failed",
        settledAt: 2,
        detail:
          "error; diagnostic: Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)",
      }),
      "(no new output)\n" +
      "[status: failed, error; diagnostic: Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)]",
    ],
  ];
  for (const [fact, text, job, expected] of rows) {
    it(fact, () => assert.equal(readingText({ text, job }), expected));
  }
});

describe("listText()", () => {
  it("says that there are no jobs", () => assert.equal(listText([]), "(no background jobs)"));

  it("gives each job a line", () => {
    assert.equal(
      listText([RUNNING, { ...FAILED, id: "subagent-2" }]),
      "subagent-1 [subagent] running — look around\nsubagent-2 [subagent] failed — look around",
    );
  });

  it("keeps a label with line breaks on its line", () => {
    const job = jobOf({ status: "running" }, "a\r\nsubagent-9 [subagent] running — b\u2028c");
    assert.equal(listText([job]), "subagent-1 [subagent] running — a subagent-9 [subagent] running — b c");
  });
});

describe("killText()", () => {
  it("says that the end was asked for", () => {
    assert.equal(
      killText({ kind: "requested", job: STOPPING }),
      "requested cancellation of job subagent-1",
    );
  });

  it("says that there was nothing to end", () => {
    assert.equal(
      killText({ kind: "already-finished", job: FAILED }),
      "job subagent-1 had already finished [status: failed, refusal; diagnostic: D]",
    );
  });
});

describe("noticeText()", () => {
  it("names the job, its status and what to do", () => {
    assert.equal(
      noticeText(COMPLETED),
      "background job subagent-1 (subagent: look around) finished [status: completed]. " +
        "Read its output with job_output.",
    );
  });
});

describe("startedText()", () => {
  it("names the job", () => {
    assert.equal(startedText(RUNNING), "started background subagent job subagent-1");
  });
});
