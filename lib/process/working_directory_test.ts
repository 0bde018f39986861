import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { cleanUp, temporaryFile, temporaryFolder } from "./process_fixtures_test.ts";
import { resolveConfiguredCwd, resolveStartCwd } from "./working_directory.ts";

const isRoot = process.getuid?.() === 0;

afterEach(cleanUp);

describe("resolveConfiguredCwd()", () => {
  it("leaves an absent directory to the parent session", () => {
    assert.equal(resolveConfiguredCwd("subagent-acp", undefined), undefined);
  });
  it("refuses an empty directory", () => {
    assert.throws(() => resolveConfiguredCwd("subagent-acp", ""), {
      name: "Error",
      message: "subagent-acp: config cwd must not be empty — omit the key to inherit the parent session cwd",
    });
  });
  it("keeps an absolute directory as it is, also one behind a link (PrimeIntellect-ai/prime-agent#623)", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    assert.equal(resolveConfiguredCwd("subagent-acp", join(folder, "link")), join(folder, "link"));
  });
  for (const relative of ["work", "./work", "work/", "../launch/work"]) {
    it(`resolves ${relative} against the launch directory (openkaiden/kaiden#2635)`, () => {
      const launchDirectory = join(temporaryFolder(), "launch");
      mkdirSync(join(launchDirectory, "work"), { recursive: true });
      assert.equal(
        resolveConfiguredCwd("subagent-acp", relative, { launchDirectory }),
        join(launchDirectory, "work"),
      );
    });
  }
  it("resolves . against the current directory by default", () => {
    assert.equal(resolveConfiguredCwd("subagent-acp", "."), process.cwd());
  });
  it("refuses a missing directory by its absolute path", () => {
    const launchDirectory = temporaryFolder();
    assert.throws(() => resolveConfiguredCwd("subagent-dsh-sdk", "gone", { launchDirectory }), {
      name: "Error",
      message: `subagent-dsh-sdk: config cwd is not an accessible directory: ${
        join(launchDirectory, "gone")
      }`,
    });
  });
  it("refuses a file", () => {
    const file = temporaryFile("file", "");
    assert.throws(() => resolveConfiguredCwd("subagent-acp", file), {
      message: `subagent-acp: config cwd is not an accessible directory: ${file}`,
    });
  });
  it("does not expand ~ (block/berd#326)", () => {
    const launchDirectory = temporaryFolder();
    assert.throws(() => resolveConfiguredCwd("subagent-acp", "~", { launchDirectory }), {
      message: `subagent-acp: config cwd is not an accessible directory: ${join(launchDirectory, "~")}`,
    });
  });
  it(
    `refuses a directory that may not be entered${
      isRoot ? " (skipped: root may enter every directory)" : ""
    }`,
    { skip: isRoot },
    () => {
      const folder = temporaryFolder();
      chmodSync(folder, 0o600);
      assert.throws(() => resolveConfiguredCwd("subagent-acp", folder), {
        message: `subagent-acp: config cwd is not an accessible directory: ${folder}`,
      });
      chmodSync(folder, 0o700);
    },
  );
  it("asks whether the directory may be entered, and keeps the answer as the cause", () => {
    const cause = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    const asked: string[] = [];
    const enter = (path: string): void => {
      asked.push(path);
      throw cause;
    };
    assert.throws(() => resolveConfiguredCwd("subagent-acp", "/srv", { enter }), {
      message: "subagent-acp: config cwd is not an accessible directory: /srv",
      cause,
    });
    assert.deepEqual(asked, ["/srv"]);
  });
});

describe("resolveStartCwd()", () => {
  it("prefers the configured directory, without another look at it", () => {
    assert.equal(resolveStartCwd("subagent-acp", "/configured", "relative"), "/configured");
  });
  it("takes the parent session's directory", () => {
    const folder = temporaryFolder();
    assert.equal(resolveStartCwd("subagent-acp", undefined, folder), folder);
  });
  for (
    const [name, parentCwd, text] of [
      [
        "needs one of the two",
        undefined,
        "no working directory for the child — configure `cwd` or delegate from a parent session that has one",
      ],
      [
        "refuses a relative parent directory",
        "work",
        "parent session cwd must be an absolute path: work",
      ],
      ["refuses . as the parent directory", ".", "parent session cwd must be an absolute path: ."],
      ["refuses an empty parent directory", "", "parent session cwd must be an absolute path: "],
      [
        "refuses a missing parent directory",
        "/does/not/exist",
        "parent session cwd is not an accessible directory: /does/not/exist",
      ],
      [
        "refuses a file as the parent directory",
        process.execPath,
        `parent session cwd is not an accessible directory: ${process.execPath}`,
      ],
    ] as const
  ) {
    it(name, () => {
      assert.throws(() => resolveStartCwd("subagent-acp", undefined, parentCwd), {
        name: "Error",
        message: `subagent-acp: ${text}`,
      });
    });
  }
  it("looks at the parent directory at each start", () => {
    let gone = false;
    const enter = (): void => {
      if (gone) throw new Error("gone");
    };
    assert.equal(resolveStartCwd("subagent-acp", undefined, "/srv", { enter }), "/srv");
    gone = true;
    assert.throws(
      () => resolveStartCwd("subagent-acp", undefined, "/srv", { enter }),
      /not an accessible directory: \/srv$/,
    );
  });
});
