import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RunDeadline } from "./run_deadline.ts";

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)));
}

/** Waits for a timer like the one of a deadline of 1 ms that was made before: timers of one length go off in order. */
function timersUntilNow(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

describe("RunDeadline", () => {
  it("aborts its signal when time is over", async () => {
    const deadline = new RunDeadline(1);
    assert.deepEqual([deadline.isOver, deadline.signal.aborted], [false, false]);
    assert.deepEqual(await aborted(deadline.signal), new Error("The program took more than 1 ms"));
    assert.equal(deadline.isOver, true);
    deadline.close();
  });

  it("aborts its signal with the outer one, for its reason", () => {
    const outer = new AbortController();
    const deadline = new RunDeadline(60_000, outer.signal);
    outer.abort("reason");
    assert.deepEqual([deadline.signal.reason, deadline.isOver], ["reason", false]);
    deadline.close();
  });

  it("is aborted from the start when the outer signal is", () => {
    const deadline = new RunDeadline(Infinity, AbortSignal.abort("reason"));
    assert.deepEqual([deadline.signal.reason, deadline.isOver], ["reason", false]);
  });

  it("is not over for want of time when it was aborted before", async () => {
    const outer = new AbortController();
    const deadline = new RunDeadline(1, outer.signal);
    outer.abort();
    await timersUntilNow();
    assert.equal(deadline.isOver, false);
  });

  it("does nothing any more when it is closed", async () => {
    const outer = new AbortController();
    const deadline = new RunDeadline(1, outer.signal);
    deadline.close();
    outer.abort();
    await timersUntilNow();
    assert.deepEqual([deadline.signal.aborted, deadline.isOver], [false, false]);
  });
});
