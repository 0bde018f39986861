import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProcessStartError } from "./errors.ts";
import { startError } from "./start_error.ts";

const enterable = (): void => {};
const missing = (): void => {
  throw new Error("no such directory");
};

function withCode(code: string | undefined): Error {
  return Object.assign(new Error("spawn failed"), code === undefined ? {} : { code });
}

describe("startError()", () => {
  for (
    const [code, enter, fault] of [
      ["ENOENT", enterable, "command-missing"],
      ["ENOENT", missing, "working-directory"],
      ["ENOTDIR", enterable, "command-missing"],
      ["ENOTDIR", missing, "working-directory"],
      ["EACCES", enterable, "command-refused"],
      ["EACCES", missing, "working-directory"],
      ["ENOEXEC", enterable, "command-refused"],
      ["E2BIG", missing, "other"],
      ["EMFILE", missing, "other"],
      [undefined, missing, "other"],
    ] as const
  ) {
    it(`blames ${fault} for ${code} when the directory is ${enter === missing ? "missing" : "there"}`, () => {
      const cause = withCode(code);
      const error = startError(cause, "/srv", enter);
      assert.deepEqual([error.fault, error.systemCode, error.cause], [fault, code, cause]);
    });
  }
  it("keeps an error that already says why", () => {
    const error = new ProcessStartError("needs-shell");
    assert.equal(startError(error, "/srv", missing), error);
  });
});
