import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred } from "../../fakes/test_support/deferred.ts";
import { timersOf, watchedAbort } from "../../fakes/test_support/leaks.ts";
import { settleOpening, StartTimeoutError } from "./opening.ts";

const error = new RangeError("raw");
const never = (): Promise<void> => new Promise(() => {});

describe("settleOpening()", () => {
  it("is open once the child is", async () => {
    const child = deferred();
    const opening = settleOpening(() => child.promise, {});
    child.resolve();
    assert.deepEqual(await opening, { kind: "open" });
  });

  for (
    const [how, open] of [
      ["rejects", () => Promise.reject(error)],
      ["throws", () => {
        throw error;
      }],
    ] as const
  ) {
    it(`fails with the original error of a child that ${how}`, async () => {
      assert.deepEqual(await settleOpening(open, {}), { kind: "failed", error });
    });
  }

  it("is cancelled by the signal, whatever the child does afterwards", async () => {
    for (const finish of ["resolve", "reject"] as const) {
      const controller = new AbortController();
      const child = deferred();
      const opening = settleOpening(() => child.promise, { signal: controller.signal });
      controller.abort();
      child[finish](error as never);
      assert.deepEqual(await opening, { kind: "cancelled" }, finish);
    }
  });

  it("is cancelled by an abort from inside the call that opens", async () => {
    const controller = new AbortController();
    const open = () => {
      controller.abort();
      return Promise.resolve();
    };
    assert.deepEqual(await settleOpening(open, { signal: controller.signal }), { kind: "cancelled" });
  });

  it("does not open anything for a signal that is aborted already", async () => {
    const open = () => assert.fail("opened");
    assert.deepEqual(await settleOpening(open, { signal: AbortSignal.abort() }), { kind: "cancelled" });
  });

  it("is about the failure when that came before the cancellation", async () => {
    const controller = new AbortController();
    const opening = settleOpening(() => Promise.reject(error), { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve)); // a turn of the event loop, for the rejection to arrive
    controller.abort();
    assert.deepEqual(await opening, { kind: "failed", error });
  });

  it("fails with a StartTimeoutError when the time runs out", async () => {
    const opening = await settleOpening(never, { timeoutMs: 5 });
    assert.ok(opening.kind === "failed" && StartTimeoutError.is(opening.error));
    assert.equal(opening.error.timeoutMs, 5);
  });

  for (
    const [name, open, abort] of [
      ["opened", () => Promise.resolve(), false],
      ["failed", () => Promise.reject(error), false],
      ["was cancelled", never, true],
    ] as const
  ) {
    it(`leaves no timer and no listener when it ${name}`, async () => {
      const { controller, signal, listeners } = watchedAbort();
      const timers = await timersOf(54_321, async () => {
        const opening = settleOpening(open, { timeoutMs: 54_321, signal });
        assert.equal(listeners.size, 1, "it listens meanwhile");
        if (abort) controller.abort();
        await opening;
      });
      assert.deepEqual(timers, { set: 1, left: 0 });
      assert.equal(listeners.size, 0);
    });
  }

  it("opens nothing and leaves no timer when the signal takes no listener", async () => {
    const signal = Object.assign(new AbortController().signal, {
      addEventListener() {
        throw error;
      },
    });
    const open = () => assert.fail("opened");
    const timers = await timersOf(54_321, async () => {
      assert.deepEqual(await settleOpening(open, { timeoutMs: 54_321, signal }), { kind: "failed", error });
    });
    assert.deepEqual(timers, { set: 1, left: 0 });
  });

  it("leaves no listener when the time ran out", async () => {
    const { signal, listeners } = watchedAbort();
    await settleOpening(never, { timeoutMs: 5, signal });
    assert.equal(listeners.size, 0);
  });
});

describe("StartTimeoutError", () => {
  it("says how long the child was given", () => {
    const timeout = new StartTimeoutError(250);
    assert.equal(
      `${timeout}`,
      "StartTimeoutError: The child was not ready for its prompt within 250 ms: see startTimeoutMs",
    );
    assert.equal(timeout.code, "START_TIMEOUT");
  });

  it("is() knows its own, also from another copy of this package", async () => {
    const copy = await import(`./opening.ts?copy=${Math.random()}`) as typeof import("./opening.ts");
    assert.equal(StartTimeoutError.is(new copy.StartTimeoutError(1)), true);
    assert.equal(StartTimeoutError.is(new Error(new StartTimeoutError(1).message)), false);
  });
});
