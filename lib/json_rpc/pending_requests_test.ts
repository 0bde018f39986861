import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestTimeoutError } from "./errors.ts";
import { abortReason, PendingRequests } from "./pending_requests.ts";

/** A signal that knows how many listeners it has. */
function countingSignal(): { signal: AbortSignal; abort(reason?: unknown): void; listeners(): number } {
  const controller = new AbortController();
  const { signal } = controller;
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    count++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    count--;
    remove(...args);
  };
  return { signal, abort: (reason) => controller.abort(reason), listeners: () => count };
}

describe("PendingRequests", () => {
  it("settles a request once, by its id, and forgets it", async () => {
    const pending = new PendingRequests();
    const { answer } = pending.add(1, "m", {});
    assert.equal(pending.has(1), true);
    assert.equal(pending.resolve(1, "first"), true);
    assert.equal(pending.resolve(1, "second"), false);
    assert.equal(pending.reject(1, new Error("third")), false);
    assert.equal(pending.size, 0);
    assert.equal(await answer, "first");
  });

  it('keeps 1 and "1" apart', async () => {
    const pending = new PendingRequests();
    const number = pending.add(1, "m", {}).answer;
    const string = pending.add("1", "m", {}).answer;
    pending.resolve("1", "for the string");
    pending.resolve(1, "for the number");
    assert.deepEqual(await Promise.all([number, string]), ["for the number", "for the string"]);
  });

  it("fail() leaves a later request with the same id alone", async () => {
    const pending = new PendingRequests();
    const first = pending.add("id", "m", {});
    pending.resolve("id", 1);
    const second = pending.add("id", "m", {});
    first.fail(new Error("late"));
    assert.equal(pending.size, 1);
    pending.resolve("id", 2);
    assert.deepEqual(await Promise.all([first.answer, second.answer]), [1, 2]);
  });

  it("rejectAll() rejects every request with the one error", async () => {
    const pending = new PendingRequests();
    const answers = [pending.add(1, "m", {}).answer, pending.add(2, "m", {}).answer];
    const error = new Error("over");
    pending.rejectAll(error);
    for (const answer of answers) await assert.rejects(answer, error);
    assert.equal(pending.size, 0);
  });

  it("an abort rejects with the reason", async () => {
    const pending = new PendingRequests();
    const { signal, abort } = countingSignal();
    const { answer } = pending.add(1, "m", { signal });
    const reason = new Error("enough");
    abort(reason);
    await assert.rejects(answer, reason);
    assert.equal(pending.size, 0);
  });

  for (
    const [how, settle] of [
      ["a result", (pending: PendingRequests) => pending.resolve(1, null)],
      ["an error", (pending: PendingRequests) => pending.reject(1, new Error("no"))],
      ["the end of the connection", (pending: PendingRequests) => pending.rejectAll(new Error("over"))],
    ] as const
  ) {
    it(`${how} takes the abort listener away`, async () => {
      const pending = new PendingRequests();
      const { signal, listeners } = countingSignal();
      const { answer } = pending.add(1, "m", { signal });
      assert.equal(listeners(), 1);
      settle(pending);
      assert.equal(listeners(), 0);
      await answer.catch(() => {});
    });
  }

  it("an abort and a timeout take the abort listener away", async () => {
    const pending = new PendingRequests();
    const { signal, abort, listeners } = countingSignal();
    await assert.rejects(pending.add(1, "m", { signal, timeoutMs: 1 }).answer, RequestTimeoutError);
    assert.equal(listeners(), 0);
    const { answer } = pending.add(2, "m", { signal });
    abort();
    assert.equal(listeners(), 0);
    await assert.rejects(answer, { name: "AbortError" });
  });

  it("a long-lived signal gathers no listeners", async () => {
    const pending = new PendingRequests();
    const { signal, listeners } = countingSignal();
    for (let id = 0; id < 1000; id++) {
      const { answer } = pending.add(id, "m", { signal });
      pending.resolve(id, id);
      await answer;
    }
    assert.equal(listeners(), 0);
  });

  it("a timeout rejects with method and time", async () => {
    const pending = new PendingRequests();
    await assert.rejects(
      pending.add(1, "session/prompt", { timeoutMs: 2 }).answer,
      (error) => RequestTimeoutError.is(error) && error.method === "session/prompt" && error.timeoutMs === 2,
    );
    assert.equal(pending.size, 0);
  });

  it("a timeout longer than a timer is able to wait does not fire at once", async () => {
    const pending = new PendingRequests();
    const { answer } = pending.add(1, "m", { timeoutMs: 2 ** 40 });
    // The shorter timer started later, so the longer one would have fired before it.
    await assert.rejects(pending.add(2, "m", { timeoutMs: 5 }).answer, RequestTimeoutError);
    assert.equal(pending.resolve(1, "still there"), true);
    assert.equal(await answer, "still there");
  });

  it("a settled request leaves no timer running", async () => {
    const cleared = new Set<unknown>();
    const started = new Set<unknown>();
    const { setTimeout: start, clearTimeout: clear } = globalThis;
    globalThis.setTimeout = ((...args: Parameters<typeof start>) => {
      const timer = start(...args);
      started.add(timer);
      return timer;
    }) as typeof start;
    globalThis.clearTimeout = (timer) => {
      cleared.add(timer);
      clear(timer);
    };
    try {
      const pending = new PendingRequests();
      const { answer } = pending.add(1, "m", { timeoutMs: 60_000 });
      pending.resolve(1, null);
      await answer;
      assert.equal(started.size, 1);
      assert.deepEqual([...started].filter((timer) => !cleared.has(timer)), []);
    } finally {
      globalThis.setTimeout = start;
      globalThis.clearTimeout = clear;
    }
  });
});

describe("abortReason()", () => {
  for (const reason of [new Error("e"), new TypeError("t"), new DOMException("d", "TimeoutError")]) {
    it(`is the reason itself if that is a ${reason.name}`, () => {
      assert.equal(abortReason(AbortSignal.abort(reason)), reason);
    });
  }

  it("is an AbortError without a reason", () => {
    const error = abortReason(AbortSignal.abort());
    assert.ok(error instanceof Error);
    assert.equal(error.name, "AbortError");
  });

  for (const reason of ["stop", 7, null, { code: 1 }]) {
    it(`is an AbortError around ${JSON.stringify(reason)}`, () => {
      const error = abortReason(AbortSignal.abort(reason));
      assert.ok(error instanceof Error);
      assert.equal(error.name, "AbortError");
      assert.equal(error.message, "The JSON-RPC request was aborted");
      assert.equal(error.cause, reason);
    });
  }
});
