import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RUN_OPTIONS } from "./arguments.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { RUN_HELP, SUBAGENT_HELP } from "./help.ts";

describe("RUN_HELP", () => {
  it("lists exactly the options that are read", () => {
    const listed = [...RUN_HELP.matchAll(/^ {2}(?:-h, )?--([a-z-]+)/gm)].map(([, name]) => name);
    assert.deepEqual(new Set(listed), new Set(Object.keys(RUN_OPTIONS)));
    assert.equal(listed.length, Object.keys(RUN_OPTIONS).length);
  });

  it("lists exactly the exit codes that are used", () => {
    const listed = [...RUN_HELP.matchAll(/^ {2}(\d+) {2,}\S/gm)].map(([, code]) => Number(code));
    assert.deepEqual(listed, Object.values(EXIT_CODES).sort((a, b) => a - b));
  });
});

describe("EXIT_CODES", () => {
  it("keeps its values, which scripts branch on", () => {
    assert.deepEqual(EXIT_CODES, {
      success: 0,
      failure: 1,
      usage: 2,
      SIGHUP: 129,
      SIGINT: 130,
      brokenPipe: 141,
      SIGTERM: 143,
    });
  });
});

for (const [name, text] of Object.entries({ RUN_HELP, SUBAGENT_HELP })) {
  describe(name, () => {
    it("ends with one line break", () => assert.match(text, /\S\n$/));
    it("fits a terminal of 120 columns", () => {
      assert.deepEqual(text.split("\n").filter((line) => line.length > 120), []);
    });
  });
}
