import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sharedDisposal } from "./shared_disposal.ts";

describe("sharedDisposal()", () => {
  it("calls the action once, at the first call and at once", async () => {
    let calls = 0;
    const dispose = sharedDisposal(() => {
      calls++;
      return Promise.resolve();
    });
    assert.equal(calls, 0);
    const first = dispose();
    assert.equal(calls, 1);
    assert.equal(dispose(), first);
    await first;
    assert.equal(dispose(), first);
    assert.equal(calls, 1);
  });

  it("gives the same promise to a call from inside the action", async () => {
    let inner: Promise<void> | undefined;
    const dispose: () => Promise<void> = sharedDisposal(() => {
      inner = dispose();
    });
    const outer = dispose();
    assert.equal(inner, outer);
    await outer;
  });

  it("makes a rejection of a synchronous throw, for every caller", async () => {
    const error = new Error("broken");
    const dispose = sharedDisposal(() => {
      throw error;
    });
    await assert.rejects(dispose(), error);
    await assert.rejects(dispose(), error);
  });

  it("does not wait for itself when the action returns its own promise", async () => {
    const dispose: () => Promise<void> = sharedDisposal(() => dispose());
    await assert.rejects(dispose(), TypeError);
  });

  it("tells onError once of a rejection", async () => {
    const error = new Error("broken");
    const heard: unknown[] = [];
    const dispose = sharedDisposal(() => Promise.reject(error), (given) => heard.push(given));
    await assert.rejects(dispose(), error);
    await assert.rejects(dispose(), error);
    assert.deepEqual(heard, [error]);
  });
});
