import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { observeExit } from "./observe_exit.ts";
import { settlesWithin } from "./settles_within.ts";

const never = new Promise<never>(() => {});

describe("settlesWithin()", () => {
  it("is true for a promise that is fulfilled", async () =>
    assert.equal(await settlesWithin(Promise.resolve(), 5000), true));
  it("is false for one that is not in time", async () => assert.equal(await settlesWithin(never, 5), false));
  it("rejects with one that rejects", async () => {
    await assert.rejects(settlesWithin(Promise.reject(new Error("broken")), 5000), { message: "broken" });
  });
});

describe("observeExit()", () => {
  const exit = { exitCode: 3, signal: null };
  it("answers with an exit that happened", async () => {
    assert.deepEqual(await observeExit({ exit: Promise.resolve(exit) }, 5000), exit);
  });
  it("answers with an exit that happens in time", async () => {
    assert.deepEqual(
      await observeExit({ exit: new Promise((resolve) => setTimeout(() => resolve(exit), 20)) }, 5000),
      exit,
    );
  });
  it("answers undefined at the bound", async () =>
    assert.equal(await observeExit({ exit: never }, 5), undefined));
});
