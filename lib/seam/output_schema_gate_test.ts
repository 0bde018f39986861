import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SubagentError } from "./errors.ts";
import { checkedOutputSchema } from "./output_schema_gate.ts";

describe("checkedOutputSchema()", () => {
  it("gives an object as it is", () => {
    const schema = { type: "object" };
    assert.equal(checkedOutputSchema(schema), schema);
  });

  for (
    const [value, kind] of [[null, "null"], [[], "array"], ["secret", "string"], [true, "boolean"]] as const
  ) {
    it(`refuses ${kind}`, () =>
      assert.throws(() => checkedOutputSchema(value), (error) => {
        assert.ok(SubagentError.is(error));
        assert.equal(error.code, "INVALID_REQUEST");
        assert.equal(
          error.message,
          `subagent request outputSchema must be a JSON Schema object, got ${kind}`,
        );
        return true;
      }));
  }
});
