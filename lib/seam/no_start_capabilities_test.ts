import assert from "node:assert/strict";
import { it } from "node:test";
import { NO_START_CAPABILITIES } from "./no_start_capabilities.ts";

it("NO_START_CAPABILITIES is frozen and grants nothing", () => {
  assert.deepEqual(NO_START_CAPABILITIES, {
    agentOptions: false,
    outputSchema: false,
    depthLimit: false,
    toolFilter: false,
    persona: false,
  });
  assert.ok(Object.isFrozen(NO_START_CAPABILITIES));
});
