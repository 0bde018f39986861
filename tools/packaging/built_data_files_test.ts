import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { PROJECT_ROOT } from "../source/project_files.ts";
import { builtDataFiles } from "./built_data_files.ts";

describe("builtDataFiles()", () => {
  it("takes data and declarations from the built folders", () => {
    const paths = [
      "README.md",
      "bench/a.json",
      "fakes/b.jsonc",
      "lib/c.ts",
      "lib/c_test.ts",
      "lib/d.d.ts",
      "lib/e/f.json",
      "library/g.json",
    ];
    assert.deepEqual(builtDataFiles(paths), ["fakes/b.jsonc", "lib/d.d.ts", "lib/e/f.json"]);
  });

  it("knows the folders that are built", () => {
    const { include } = JSON.parse(readFileSync(`${PROJECT_ROOT}tsconfig.build.json`, "utf8"));
    for (const folder of include.filter((entry: string) => !entry.endsWith(".ts"))) {
      assert.deepEqual(builtDataFiles([`${folder}/a.json`]), [`${folder}/a.json`]);
    }
  });
});
