import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cancellation } from "./cancellation.ts";

describe("Cancellation", () => {
  it("calls back once and rejects, however often it is requested", async () => {
    let calls = 0;
    const cancellation = new Cancellation(() => calls++);
    assert.equal(cancellation.isRequested, false);
    const { request } = cancellation;
    request();
    request();
    assert.equal(cancellation.isRequested, true);
    assert.equal(calls, 1);
    await assert.rejects(cancellation.requested, { name: "LocalCancellationError" });
  });

  it("is marked before the callback runs", () => {
    const cancellation: Cancellation = new Cancellation(() => assert.equal(cancellation.isRequested, true));
    cancellation.request();
  });
});
