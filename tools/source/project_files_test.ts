import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { isFixtureFile, isTestFile, PROJECT_ROOT, projectFiles } from "./project_files.ts";

describe("projectFiles()", () => {
  const root = mkdtempSync(join(tmpdir(), "project-files-"));
  after(() => rmSync(root, { recursive: true, force: true }));
  for (
    const path of [
      "mod.ts",
      "lib/a/b.ts",
      "lib/dist/kept.ts",
      ".ci/run",
      "docs/guide.md",
      "docs/api/index.html",
      "node_modules/x/index.js",
      "tools/node_modules/x.js",
      "dist/mod.js",
      "coverage/lcov.info",
      ".git/HEAD",
      "x-0.1.0.tgz",
      "junit.xml",
    ]
  ) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }

  it("lists what a commit would hold, sorted", () => {
    assert.deepEqual(projectFiles(root), [
      ".ci/run",
      "docs/guide.md",
      "lib/a/b.ts",
      "lib/dist/kept.ts",
      "mod.ts",
    ]);
  });

  it("leaves out what git ignores, and nothing else", () => {
    const ignored = readFileSync(join(PROJECT_ROOT, ".gitignore"), "utf8").split("\n").filter((line) =>
      line !== ""
    );
    assert.ok(ignored.includes("node_modules/") && ignored.includes("*.tgz"));
    const copy = mkdtempSync(join(tmpdir(), "project-files-"));
    try {
      for (const pattern of [...ignored, "kept.ts"]) {
        const path = join(copy, pattern.endsWith("/") ? `${pattern}file.ts` : pattern.replace("*", "name"));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, "");
      }
      assert.deepEqual(projectFiles(copy), ["kept.ts"]);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it("finds this project by default", () => {
    assert.ok(projectFiles().includes("tools/source/project_files_test.ts"));
    assert.ok(projectFiles(PROJECT_ROOT).includes("package.json"));
  });
});

describe("isTestFile()", () => {
  it("goes by the ending", () => {
    assert.deepEqual(
      ["a_test.ts", "lib/b_test.ts", "test.ts", "a_test.js", "a_test.ts.md"].filter(isTestFile),
      [
        "a_test.ts",
        "lib/b_test.ts",
      ],
    );
  });
});

describe("isFixtureFile()", () => {
  it("goes by the ending", () => {
    const paths = ["lib/peer_fixtures_test.ts", "lib/peer_test.ts", "lib/fixtures.ts", "fixtures_test.ts"];
    assert.deepEqual(paths.filter(isFixtureFile), ["lib/peer_fixtures_test.ts"]);
  });
});
