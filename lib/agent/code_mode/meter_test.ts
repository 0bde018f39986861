import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Meter, SandboxStopped } from "./meter.ts";

function meterAt(clock: { ms: number }, computeMs = 100): Meter {
  return new Meter({ computeMs, now: () => clock.ms });
}

const isTimeout = (error: unknown) => error instanceof SandboxStopped && error.kind === "timeout";

describe("Meter", () => {
  it("lets time pass that nobody spends", () => {
    const clock = { ms: 0 };
    const meter = meterAt(clock);
    clock.ms = 1000;
    meter.tick();
    meter.spend(() => meter.tick());
    assert.equal(meter.stopped, undefined);
  });

  it("stops when the time is over, all that was spent together", () => {
    const clock = { ms: 0 };
    const meter = meterAt(clock);
    for (const ms of [60, 39]) {
      meter.spend(() => {
        clock.ms += ms;
        meter.tick();
      });
    }
    assert.throws(() =>
      meter.spend(() => {
        clock.ms += 1;
        meter.tick();
      }), isTimeout);
    assert.ok(isTimeout(meter.stopped));
  });

  it("counts the time of an action that throws", () => {
    const clock = { ms: 0 };
    const meter = meterAt(clock);
    assert.throws(() =>
      meter.spend(() => {
        clock.ms += 100;
        throw new RangeError("other");
      }), RangeError);
    assert.throws(() => meter.spend(() => meter.tick()), isTimeout);
  });

  it("stops with the next tick when it is told to, for the first reason, and stays so", () => {
    const clock = { ms: 0 };
    const meter = meterAt(clock);
    const first = meter.stop("calls", { cause: "why" });
    assert.deepEqual([first.kind, first.cause, first.message], [
      "calls",
      "why",
      "The sandbox was stopped: calls",
    ]);
    assert.equal(meter.stop("output"), first);
    clock.ms = 1000;
    for (let count = 0; count < 2; count++) assert.throws(() => meter.tick(), (error) => error === first);
  });
});
