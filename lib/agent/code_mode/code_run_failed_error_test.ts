import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CodeRunFailedError } from "./code_run_failed_error.ts";

describe("CodeRunFailedError", () => {
  it("says why, and what the program said", () => {
    const error = new CodeRunFailedError("calls", "more than 3 tool calls", "a\nb");
    assert.equal(error.message, "code run failed (calls): more than 3 tool calls\na\nb");
    assert.deepEqual([error.name, error.code, error.kind], [
      "CodeRunFailedError",
      "CODE_RUN_FAILED",
      "calls",
    ]);
    assert.equal(new CodeRunFailedError("timeout", "x").message, "code run failed (timeout): x");
  });

  it("is told apart from other errors", () => {
    assert.ok(CodeRunFailedError.is(new CodeRunFailedError("crash", "x")));
    assert.equal(CodeRunFailedError.is(new Error("code run failed")), false);
  });
});
