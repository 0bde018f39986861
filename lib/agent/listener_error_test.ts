import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reactions } from "./agent_fixtures_test.ts";
import { callListener, type ListenerError } from "./listener_error.ts";

const ERROR = new Error("broken");

function fail(): never {
  throw ERROR;
}

describe("callListener()", () => {
  for (const [how, listener] of [["throws", fail], ["rejects with", () => Promise.reject(ERROR)]] as const) {
    it(`reports what a listener ${how}, and what it listened to`, async () => {
      const failures: ListenerError[] = [];
      callListener(listener, "tools/result", (failure) => failures.push(failure));
      await reactions();
      assert.deepEqual(failures, [{ event: "tools/result", error: ERROR }]);
    });

    it(`drops what a listener ${how} when there is no sink`, async () => {
      callListener(listener, "tools/result", undefined);
      await reactions();
    });

    it(`drops what the sink throws about a listener that ${how}`, async () => {
      callListener(listener, "session/event", fail);
      await reactions();
    });
  }

  it("drops what the sink rejects with", async () => {
    callListener(fail, "session/event", () => Promise.reject(ERROR));
    await reactions();
  });

  it("does not wait for a listener", () => {
    callListener(() => new Promise(() => {}), "session/event", undefined);
  });
});
