import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { errorCode, LeftoverProcessesError, ProcessStartError } from "./errors.ts";

describe("ProcessStartError", () => {
  for (
    const [fault, message] of [
      [
        "working-directory",
        "Cannot start the child process: its working directory is not an accessible directory (ENOENT)",
      ],
      [
        "command-missing",
        "Cannot start the child process: the command, or the interpreter its first line names, was not found (ENOENT)",
      ],
      ["command-refused", "Cannot start the child process: the command may not be executed (ENOENT)"],
      [
        "needs-shell",
        "Cannot start the child process: the command is a script that needs a shell and is no npm shim of a program; configure the program that it starts, for example node with the path of a script (ENOENT)",
      ],
      ["other", "Cannot start the child process (ENOENT)"],
    ] as const
  ) {
    it(`says what ${fault} is and names the system's code alone`, () => {
      const cause = Object.assign(new Error("spawn /home/me/secret --flag ENOENT"), { code: "ENOENT" });
      const error = new ProcessStartError(fault, { cause });
      assert.equal(error.message, message);
      assert.deepEqual(
        [error.name, error.code, error.fault, error.systemCode, error.cause],
        ["ProcessStartError", "PROCESS_START", fault, "ENOENT", cause],
      );
    });
  }
  it("needs no cause", () => {
    assert.equal(new ProcessStartError("other").message, "Cannot start the child process");
  });
  it("is() knows one of another copy of the library, and nothing else", () => {
    const brand = { [Symbol.for("@subagent/seam.ProcessStartError")]: true };
    assert.deepEqual(
      [new ProcessStartError("other"), brand, new LeftoverProcessesError([]), new Error("x"), null, "x"]
        .map((value) => ProcessStartError.is(value)),
      [true, true, false, false, false, false],
    );
  });
});

describe("LeftoverProcessesError", () => {
  for (
    const [pids, message] of [
      [[7], "The child's process tree did not end: 1 process left after SIGKILL"],
      [[7, 8], "The child's process tree did not end: 2 processes left after SIGKILL"],
    ] as const
  ) {
    it(`counts ${pids.length}`, () => {
      const error = new LeftoverProcessesError(pids);
      assert.equal(error.message, message);
      assert.deepEqual([error.name, error.code, error.pids], [
        "LeftoverProcessesError",
        "LEFTOVER_PROCESSES",
        [...pids],
      ]);
    });
  }
  it("is() knows one of another copy of the library, and nothing else", () => {
    const brand = { [Symbol.for("@subagent/seam.LeftoverProcessesError")]: true };
    assert.deepEqual(
      [new LeftoverProcessesError([]), brand, new ProcessStartError("other"), undefined]
        .map((value) => LeftoverProcessesError.is(value)),
      [true, true, false, false],
    );
  });
});

describe("errorCode()", () => {
  for (
    const [value, expected] of [
      [{ code: "ESRCH" }, "ESRCH"],
      [{ code: "ERR_INVALID_ARG_VALUE" }, "ERR_INVALID_ARG_VALUE"],
      [{ code: "see /home/me" }, undefined],
      [{ code: 3 }, undefined],
      [{}, undefined],
      [null, undefined],
      ["ESRCH", undefined],
    ] as const
  ) {
    it(`of ${JSON.stringify(value)} is ${expected}`, () => assert.equal(errorCode(value), expected));
  }
});
