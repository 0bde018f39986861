import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { SdkProtocolError, type SdkProtocolFault } from "./errors.ts";

const MESSAGES: Readonly<Record<SdkProtocolFault, string>> = {
  "no-server-identity": "initialize returned no server identity",
  "no-message-id": "session/prompt returned no message id",
  "no-event-envelope": "session.event carried no event envelope",
  "malformed-assistant-content": "assistant/message event carried malformed content",
  "malformed-turn-end": "turn/end event carried a malformed reason",
};

describe("SdkProtocolError", () => {
  for (const [fault, message] of Object.entries(MESSAGES) as [SdkProtocolFault, string][]) {
    it(`has one fixed message for ${fault}`, () => {
      const error = new SdkProtocolError(fault, { text: "canary" });
      assert.equal(`${error}`, `SdkProtocolError: ${message}`);
      assert.equal(error.code, "SDK_PROTOCOL");
      assert.deepEqual(error.payload, { text: "canary" });
    });
  }

  it("shows what the runtime sent to nobody who does not ask for it", () => {
    const error = new SdkProtocolError("no-message-id", { text: "canary" });
    const outer = new Error("outer", { cause: error });
    for (const shown of [error, outer, new AggregateError([error])]) {
      for (const options of [{}, { showHidden: true, depth: 20, getters: false }]) {
        assert.doesNotMatch(inspect(shown, options), /canary/);
      }
      assert.doesNotMatch(JSON.stringify(shown), /canary/);
      assert.doesNotMatch(JSON.stringify({ ...shown }), /canary/);
    }
    assert.deepEqual(Object.keys(error), ["fault"]);
  });

  it("is() knows its own, also from another copy of this package", async () => {
    const copy = await import(`./errors.ts?copy=${Math.random()}`) as typeof import("./errors.ts");
    assert.equal(SdkProtocolError.is(new copy.SdkProtocolError("no-message-id", 1)), true);
    assert.equal(SdkProtocolError.is(new Error("session/prompt returned no message id")), false);
    assert.equal(SdkProtocolError.is(null), false);
  });
});
