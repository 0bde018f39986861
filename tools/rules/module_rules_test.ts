import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { moduleFacts } from "../source/module_facts.ts";
import { exportViolations, lengthViolations, nameViolations } from "./module_rules.ts";

describe("exportViolations()", () => {
  const table: { name: string; path: string; source: string; violations: string[] }[] = [
    {
      name: "allows named exports",
      path: "a.ts",
      source: "export const a = 1; export { b }; const b = 2;",
      violations: [],
    },
    {
      name: "refuses export *",
      path: "a.ts",
      source: `const a = 1;\nexport * from "./b.ts";`,
      violations: ["a.ts:2 exports *: write the names out"],
    },
    {
      name: "refuses export * as",
      path: "a.ts",
      source: `const a = 1;\nexport * as b from "./b.ts";`,
      violations: ["a.ts:2 exports *: write the names out"],
    },
    {
      name: "refuses a default export",
      path: "a.ts",
      source: "\nexport default 1;",
      violations: ["a.ts:2 has a default export: give it a name"],
    },
    {
      name: "refuses a default export in a list",
      path: "a.ts",
      source: "const a = 1;\nexport { a as default };",
      violations: ["a.ts:2 has a default export: give it a name"],
    },
    {
      name: "allows a mod.ts that only exports",
      path: "mod.ts",
      source: `/** @module */\nexport { a } from "./a.ts";\nexport type { B } from "./b.ts";`,
      violations: [],
    },
    {
      name: "refuses code in a mod.ts",
      path: "x/mod.ts",
      source: `export { a } from "./a.ts";\nexport const b = 1;`,
      violations: ["x/mod.ts:2 has code: a mod.ts only exports from other modules"],
    },
    {
      name: "refuses an import in a mod.ts",
      path: "mod.ts",
      source: `import "./a.ts";`,
      violations: ["mod.ts:1 has code: a mod.ts only exports from other modules"],
    },
    {
      name: "refuses another file that only re-exports",
      path: "index.ts",
      source: `export { a } from "./a.ts";`,
      violations: ["index.ts only re-exports: only mod.ts files do"],
    },
    {
      name: "allows a re-export beside code",
      path: "a.ts",
      source: `export { a } from "./b.ts";\nexport const c = 1;`,
      violations: [],
    },
    {
      name: "takes a file like mod.ts for another",
      path: "x/a_mod.ts",
      source: "export const b = 1;",
      violations: [],
    },
  ];
  for (const { name, path, source, violations } of table) {
    it(name, () => assert.deepEqual(exportViolations({ path, facts: moduleFacts(source) }), violations));
  }
});

describe("nameViolations()", () => {
  for (
    const path of [
      "mod.ts",
      "lib/json_rpc/line_splitter.ts",
      "lib/std_jsonc.d.ts",
      "lib/v2/utf8_text_test.ts",
    ]
  ) {
    it(`allows ${path}`, () => assert.deepEqual(nameViolations(path), []));
  }
  const table: [path: string, part: string][] = [
    ["lib/lineSplitter.ts", "lineSplitter"],
    ["lib/line-splitter.ts", "line-splitter"],
    ["lib/JsonRpc/a.ts", "JsonRpc"],
    ["lib/a.test.ts", "a.test"],
    ["lib/_private.ts", "_private"],
    ["lib/a__b.ts", "a__b"],
    ["lib/2a.ts", "2a"],
  ];
  for (const [path, part] of table) {
    it(`refuses ${path}`, () =>
      assert.deepEqual(nameViolations(path), [`${path}: "${part}" is not snake_case`]));
  }
});

describe("lengthViolations()", () => {
  const lines = new Map([["short.ts", 300], ["long.ts", 301], ["listed.ts", 900], ["a_test.ts", 600], [
    "b_test.ts",
    601,
  ]]);

  it("refuses a long source and a long test without a reason", () => {
    assert.deepEqual(lengthViolations(lines, { "listed.ts": "a table" }), [
      "long.ts has 301 lines: split it, or list it with a reason",
      "b_test.ts has 601 lines: split it, or list it with a reason",
    ]);
  });

  it("refuses a reason for a file that is short or gone", () => {
    const reasons = Object.fromEntries(
      ["listed.ts", "long.ts", "b_test.ts", "short.ts", "gone.ts"].map((path) => [path, "a table"]),
    );
    assert.deepEqual(lengthViolations(lines, reasons), [
      "short.ts is listed as long and is not: take it off the list",
      "gone.ts is listed as long and is not: take it off the list",
    ]);
  });
});
