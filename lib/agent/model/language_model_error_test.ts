import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LanguageModelError } from "./language_model_error.ts";

describe("LanguageModelError", () => {
  it("keeps the code and the cause, and no text of the cause", () => {
    const cause = new Error("canary");
    const error = new LanguageModelError("CALL_FAILED", "The call failed", { cause });
    assert.deepEqual(
      [error.name, error.code, error.message, error.cause, error.httpStatus],
      ["LanguageModelError", "CALL_FAILED", "The call failed", cause, undefined],
    );
    assert.ok(error instanceof Error);
  });

  it("tells the HTTP status of a cause that has one", () => {
    const error = new LanguageModelError("CALL_FAILED", "The call failed", { cause: { statusCode: 429 } });
    assert.deepEqual([error.message, error.httpStatus], ["The call failed (HTTP status: 429)", 429]);
  });

  const getter = Object.defineProperty({}, "statusCode", {
    get: () => {
      throw new Error("canary");
    },
  });
  for (
    const [fact, cause] of [
      ["a text", { statusCode: "429 canary" }],
      ["one of a success", { statusCode: 399 }],
      ["too large", { statusCode: 600 }],
      ["a fraction", { statusCode: 400.5 }],
      ["inherited", Object.create({ statusCode: 429 })],
      ["unreadable", getter],
      ["missing, of a cause that is a text", "canary"],
    ] as const
  ) {
    it(`tells no status that is ${fact}`, () => {
      const error = new LanguageModelError("CALL_FAILED", "The call failed", { cause });
      assert.deepEqual([error.message, error.httpStatus], ["The call failed", undefined]);
    });
  }

  it("is recognised by its brand, as one of another copy of the package is", () => {
    assert.ok(LanguageModelError.is(new LanguageModelError("BROKEN_OFF", "Broken off")));
    assert.ok(!LanguageModelError.is(new Error("Broken off")) && !LanguageModelError.is(null));
  });
});
