import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { containedSink, type HostFailure } from "./host_failure.ts";

const failure: HostFailure = { provider: "acp", operation: "run", error: new Error("raw") };

describe("containedSink()", () => {
  it("hands failures on as they are", () => {
    const heard: HostFailure[] = [];
    containedSink((given) => heard.push(given))(failure);
    assert.equal(heard[0], failure);
    assert.equal(heard.length, 1);
  });

  it("drops failures when there is no sink", () =>
    assert.equal(containedSink(undefined)(failure), undefined));

  it("drops what the sink throws", () => {
    let calls = 0;
    const sink = containedSink(() => {
      calls++;
      throw new Error("log is full");
    });
    sink(failure);
    assert.equal(calls, 1);
  });

  it("drops what the sink's promise rejects with", async () => {
    let calls = 0;
    const sink = () => {
      calls++;
      return Promise.reject(new Error("log is full"));
    };
    containedSink(sink as () => void)(failure);
    // An unhandled rejection would fail this test in every runtime.
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(calls, 1);
  });
});
