import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AbortedWork, assertNotAborted, untilAborted } from "./until_aborted.ts";

function watchedSignal() {
  const controller = new AbortController();
  const listeners = new Set<unknown>();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal) as AbortSignal["addEventListener"];
  const remove = signal.removeEventListener.bind(signal) as AbortSignal["removeEventListener"];
  Object.assign(signal, {
    addEventListener: (type: "abort", listener: () => void) => (listeners.add(listener), add(type, listener)),
    removeEventListener: (
      type: "abort",
      listener: () => void,
    ) => (listeners.delete(listener), remove(type, listener)),
  });
  return { controller, signal, listeners };
}

describe("assertNotAborted()", () => {
  it("throws for a signal that is aborted, and for no other", () => {
    assertNotAborted(new AbortController().signal);
    assert.throws(() => assertNotAborted(AbortSignal.abort()), AbortedWork);
  });
});

describe("untilAborted()", () => {
  it("gives what the promise comes to, and leaves no listener", async () => {
    const { signal, listeners } = watchedSignal();
    assert.equal(await untilAborted(Promise.resolve(1), signal), 1);
    const error = new Error("no");
    await assert.rejects(untilAborted(Promise.reject(error), signal), error);
    assert.equal(listeners.size, 0);
  });

  it("rejects as soon as the signal is aborted, and drops what comes after", async () => {
    const { controller, signal } = watchedSignal();
    let fail: (error: Error) => void = () => {};
    const work = untilAborted(new Promise((_, reject) => (fail = reject)), signal);
    controller.abort();
    await assert.rejects(work, AbortedWork);
    fail(new Error("too late, and not unhandled"));
  });

  it("rejects for a signal that was aborted before", async () => {
    await assert.rejects(untilAborted(Promise.resolve(1), AbortSignal.abort()), AbortedWork);
    await assert.rejects(
      untilAborted(Promise.reject(new Error("dropped")), AbortSignal.abort()),
      AbortedWork,
    );
  });

  it("rejects with what a thenable's then throws", async () => {
    const error = new Error("then");
    const thenable = {
      then() {
        throw error;
      },
    };
    await assert.rejects(untilAborted(thenable as never, new AbortController().signal), error);
  });
});
