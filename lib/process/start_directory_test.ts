import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { afterEach, describe, it } from "node:test";
import { cleanUp, temporaryFolder } from "./process_fixtures_test.ts";
import { isAbsoluteAnywhere, startDirectoryElsewhere, startDirectoryHere } from "./start_directory.ts";

afterEach(cleanUp);

describe("startDirectoryHere()", () => {
  it("resolves a configured directory at once, and prefers it", () => {
    const directory = startDirectoryHere("subagent-acp", ".");
    assert.equal(directory("/does/not/exist"), process.cwd());
  });

  it("refuses a configured directory that is not there at once, and a parent's at each start", () => {
    const missing = join(temporaryFolder(), "gone");
    assert.throws(() => startDirectoryHere("subagent-acp", missing), {
      message: `subagent-acp: config cwd is not an accessible directory: ${missing}`,
    });
    const directory = startDirectoryHere("subagent-acp", undefined);
    assert.throws(() => directory(missing), {
      message: `subagent-acp: parent session cwd is not an accessible directory: ${missing}`,
    });
  });
});

describe("startDirectoryElsewhere()", () => {
  it("takes an absolute configured directory as it is", () => {
    for (const cwd of ["/does/not/exist", "C:\\work", "c:/work", "\\\\server\\share", "/srv/../srv"]) {
      assert.equal(startDirectoryElsewhere("subagent-acp", cwd)("relative"), cwd);
    }
  });

  for (const cwd of ["", ".", "work", "~/work", "C:work", "\\work", "file:///srv"]) {
    it(`refuses ${JSON.stringify(cwd)} as the configured directory`, () => {
      assert.throws(() => startDirectoryElsewhere("subagent-acp", cwd), {
        name: "Error",
        message: "subagent-acp: config cwd must be an absolute path when a processHost is given",
      });
    });
  }

  it("takes a parent's absolute directory without a look at it", () => {
    const directory = startDirectoryElsewhere("subagent-acp", undefined);
    for (const cwd of ["/does/not/exist", "D:\\work"]) assert.equal(directory(cwd), cwd);
  });

  it("refuses a parent's relative directory, and none", () => {
    const directory = startDirectoryElsewhere("subagent-acp", undefined);
    assert.throws(() => directory("work"), {
      message: "subagent-acp: parent session cwd must be an absolute path: work",
    });
    assert.throws(() => directory(undefined), {
      message:
        "subagent-acp: no working directory for the child — configure `cwd` or delegate from a parent session that has one",
    });
  });
});

describe("isAbsoluteAnywhere()", () => {
  for (
    const [path, absolute] of [
      ["/", true],
      ["/srv", true],
      ["C:\\", true],
      ["z:/work", true],
      ["\\\\server\\share", true],
      ["\\\\?\\C:\\work", true],
      ["", false],
      ["srv", false],
      ["./srv", false],
      ["C:", false],
      ["C:work", false],
      ["\\srv", false],
      ["\\\\", false],
      ["1:/srv", false],
      [" /srv", false],
    ] as const
  ) {
    it(`of ${JSON.stringify(path)} is ${absolute}`, () => assert.equal(isAbsoluteAnywhere(path), absolute));
  }
});
