import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { moduleFacts } from "../source/module_facts.ts";
import {
  areaOf,
  type ImportTable,
  importViolations,
  loadedFromOutside,
  type TreeModule,
} from "./import_table.ts";

const TABLE: ImportTable = {
  "core": { areas: [], builtins: false },
  "shell": { areas: ["core"], packages: ["zod"], typePackages: ["sdk"] },
  "shell/parser.ts": { areas: [], packages: ["parser"] },
  "other": { areas: ["core"] },
};

/** A tree with these modules. */
function tree(sources: Record<string, string>): TreeModule[] {
  return Object.entries(sources).map(([path, source]) => ({ path, facts: moduleFacts(source) }));
}

describe("areaOf()", () => {
  const table: [path: string, area: string | undefined][] = [
    ["core/a.ts", "core"],
    ["core/deep/a.ts", "core"],
    ["shell/parser.ts", "shell/parser.ts"],
    ["shell/parser_test.ts", "shell/parser.ts"],
    ["shell/other_test.ts", "shell"],
    ["corer/a.ts", undefined],
    ["a.ts", undefined],
  ];
  for (const [path, area] of table) {
    it(`puts ${path} in ${area}`, () => assert.equal(areaOf(path, TABLE), area));
  }
});

describe("importViolations()", () => {
  const table: { name: string; path: string; source: string; violations: string[] }[] = [
    {
      name: "allows an import within the area",
      path: "core/a.ts",
      source: `import "./deep/b.ts";`,
      violations: [],
    },
    {
      name: "allows an area of the table",
      path: "shell/a.ts",
      source: `import "../core/a.ts";`,
      violations: [],
    },
    {
      name: "refuses another area",
      path: "core/a.ts",
      source: `\nimport "../shell/a.ts";`,
      violations: [`core/a.ts:2 imports "../shell/a.ts": core may not import shell`],
    },
    {
      name: "refuses another area as types too",
      path: "core/a.ts",
      source: `import type { A } from "../shell/a.ts";`,
      violations: [`core/a.ts:1 imports "../shell/a.ts": core may not import shell`],
    },
    {
      name: "refuses another area in a dynamic import",
      path: "other/a.ts",
      source: `void import("../shell/a.ts");`,
      violations: [`other/a.ts:1 imports "../shell/a.ts": other may not import shell`],
    },
    {
      name: "refuses another area in a re-export",
      path: "other/a.ts",
      source: `export { a } from "../shell/a.ts";`,
      violations: [`other/a.ts:1 imports "../shell/a.ts": other may not import shell`],
    },
    {
      name: "refuses a file of a narrower area",
      path: "shell/a.ts",
      source: `import "./parser.ts";`,
      violations: [`shell/a.ts:1 imports "./parser.ts": shell may not import shell/parser.ts`],
    },
    {
      name: "refuses what belongs to no area",
      path: "core/a.ts",
      source: `import "../elsewhere/a.ts";`,
      violations: [`core/a.ts:1 imports "../elsewhere/a.ts": core may not import what belongs to no area`],
    },
    {
      name: "refuses a built-in in a pure area",
      path: "core/a.ts",
      source: `import "node:fs";`,
      violations: [`core/a.ts:1 imports "node:fs": core is pure`],
    },
    { name: "allows a built-in elsewhere", path: "shell/a.ts", source: `import "node:fs";`, violations: [] },
    {
      name: "refuses a package that is not named",
      path: "core/a.ts",
      source: `import "zod";`,
      violations: [`core/a.ts:1 imports "zod": core may not import this package`],
    },
    {
      name: "refuses a part of a package that is not named",
      path: "shell/a.ts",
      source: `import "zod/v4";`,
      violations: [`shell/a.ts:1 imports "zod/v4": shell may not import this package`],
    },
    { name: "allows a package that is named", path: "shell/a.ts", source: `import "zod";`, violations: [] },
    {
      name: "allows a type package as types",
      path: "shell/a.ts",
      source: `import type { A } from "sdk";`,
      violations: [],
    },
    {
      name: "refuses a type package as a value",
      path: "shell/a.ts",
      source: `import { type A } from "sdk";`,
      violations: [`shell/a.ts:1 imports "sdk": shell may import this package as types only`],
    },
    {
      name: "refuses a type package in a dynamic import",
      path: "shell/a.ts",
      source: `void import("sdk");`,
      violations: [`shell/a.ts:1 imports "sdk": shell may import this package as types only`],
    },
    {
      name: "refuses a module without an area",
      path: "stray.ts",
      source: "",
      violations: ["stray.ts belongs to no area of the import table"],
    },
    {
      name: "allows a test what tests may",
      path: "core/a_test.ts",
      source: `import "node:test"; import "../shell/a.ts"; import "checker";`,
      violations: [],
    },
    {
      name: "refuses a test what neither its area nor tests may",
      path: "core/a_test.ts",
      source: `import "../other/a.ts";`,
      violations: [`core/a_test.ts:1 imports "../other/a.ts": core may not import other`],
    },
  ];
  for (const { name, path, source, violations } of table) {
    it(name, () => {
      const forTests = { areas: ["shell"], packages: ["checker"] };
      assert.deepEqual(importViolations(tree({ [path]: source }), TABLE, forTests), violations);
    });
  }
});

describe("loadedFromOutside()", () => {
  const modules = tree({
    "mod.ts": `export { a } from "./lib/a.ts"; export type { T } from "./lib/types.ts";`,
    "lib/a.ts":
      `import { z } from "zod"; import "./b.ts"; import type { S } from "sdk"; void import("node:child_process");`,
    "lib/b.ts": `import "./a.ts"; import "node:path";`,
    "lib/types.ts": `import "node:fs";`,
  });

  it("follows values through the tree, not types and not dynamic imports", () => {
    assert.deepEqual(loadedFromOutside("mod.ts", modules), ["node:path", "zod"]);
  });
});
