import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runWaterfall } from "./waterfall.ts";

const number = (value: unknown): number => {
  if (typeof value !== "number") throw new TypeError("no number");
  return value;
};

describe("runWaterfall()", () => {
  it("gives the initial value when nobody listens", async () => {
    assert.equal(await runWaterfall([], { initial: 1, subject: [], check: number }), 1);
  });

  it("hands each listener what the one before returned or fulfilled with, and the subject", async () => {
    const seen: unknown[] = [];
    const add = (value: number, by: number) => {
      seen.push([value, by]);
      return value + by;
    };
    const addLater = (value: number, by: number) => Promise.resolve(add(value, by));
    assert.equal(await runWaterfall([add, addLater, add], { initial: 1, subject: [10], check: number }), 31);
    assert.deepEqual(seen, [[1, 10], [11, 10], [21, 10]]);
  });

  it("hands on what the check made of a value", async () => {
    const round = (value: unknown) => Math.round(number(value));
    assert.equal(
      await runWaterfall([() => 1.4, (value) => value + 0.6], { initial: 0, subject: [], check: round }),
      2,
    );
  });

  for (
    const [how, listener] of [
      ["throws", () => {
        throw new TypeError("no number");
      }],
      ["rejects", () => Promise.reject(new TypeError("no number"))],
      ["returns what the check refuses", () => undefined as unknown as number],
    ] as const
  ) {
    it(`ends when a listener ${how}`, async () => {
      let called = false;
      const after = (value: number) => {
        called = true;
        return value;
      };
      await assert.rejects(
        runWaterfall<number, []>([listener, after], { initial: 0, subject: [], check: number }),
        new TypeError("no number"),
      );
      assert.equal(called, false);
    });
  }
});
