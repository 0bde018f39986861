import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { IDENTITY_SECTION, PERSONA_SECTION } from "./section_names.ts";

describe("The sections that others refer to", () => {
  it("have fixed names and orders", () => {
    assert.deepEqual(PERSONA_SECTION, { name: "deployment:persona", order: 0 });
    assert.deepEqual(IDENTITY_SECTION, { name: "harness:identity", order: -100 });
  });
});
