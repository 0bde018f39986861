import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as sdk from "@agentclientprotocol/sdk";
import { AGENT_METHODS, CLIENT_METHODS, isRecord, PROTOCOL_VERSION } from "./protocol.ts";

describe("protocol constants", () => {
  it("equal those of the official SDK", () => {
    assert.equal(PROTOCOL_VERSION, sdk.PROTOCOL_VERSION);
    assert.deepEqual(AGENT_METHODS, {
      initialize: sdk.AGENT_METHODS.initialize,
      sessionNew: sdk.AGENT_METHODS.session_new,
      sessionPrompt: sdk.AGENT_METHODS.session_prompt,
      sessionCancel: sdk.AGENT_METHODS.session_cancel,
    });
    assert.deepEqual(CLIENT_METHODS, {
      sessionUpdate: sdk.CLIENT_METHODS.session_update,
      sessionRequestPermission: sdk.CLIENT_METHODS.session_request_permission,
    });
  });
});

describe("isRecord()", () => {
  for (
    const [value, expected] of [[{}, true], [[], true], [null, false], ["x", false], [
      undefined,
      false,
    ]] as const
  ) {
    it(`is ${expected} for ${JSON.stringify(value) ?? "undefined"}`, () =>
      assert.equal(isRecord(value), expected));
  }
});
