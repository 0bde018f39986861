import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "./job_clock.ts";

describe("systemClock", () => {
  it("tells the time", () => {
    const before = Date.now();
    const now = systemClock.now();
    assert.ok(before <= now && now <= Date.now());
  });

  for (const keepsProcess of [true, false]) {
    it(`calls back after the time${keepsProcess ? "" : ", also with a timer the process does not stay for"}`, async () => {
      const stay = setInterval(() => {}, 1000); // else nothing would keep the test alive
      try {
        await new Promise<void>((resolve) => systemClock.setTimer(resolve, 1, { keepsProcess }));
      } finally {
        clearInterval(stay);
      }
    });
  }

  it("does not call back what was taken back", async () => {
    const called: string[] = [];
    const cancel = systemClock.setTimer(() => called.push("taken back"), 1, { keepsProcess: true });
    cancel();
    await new Promise<void>((resolve) => systemClock.setTimer(resolve, 20, { keepsProcess: true }));
    cancel();
    assert.deepEqual(called, []);
  });
});
