import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UnknownToolError } from "./errors.ts";

describe("UnknownToolError", () => {
  it("has a fixed name, code and message", () => {
    const error = new UnknownToolError("X");
    assert.equal(error.name, "UnknownToolError");
    assert.equal(error.code, "UNKNOWN_TOOL");
    assert.equal(error.message, 'unknown tool "X"');
  });

  it("is told apart from other errors", () => {
    assert.ok(UnknownToolError.is(new UnknownToolError("X")));
    assert.equal(
      UnknownToolError.is(Object.assign(new Error('unknown tool "X"'), { code: "UNKNOWN_TOOL" })),
      false,
    );
    assert.equal(UnknownToolError.is(undefined), false);
  });
});
