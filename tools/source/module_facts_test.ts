import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { packageBin } from "../package_bin.ts";
import { runProcess } from "../run_process.ts";
import { moduleFacts, type ModuleImport } from "./module_facts.ts";
import { PROJECT_ROOT, projectFiles } from "./project_files.ts";

describe("moduleFacts()", () => {
  const imports: { source: string; found: [kind: ModuleImport["kind"], specifier: string][] }[] = [
    { source: `import "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `import a from "./a.ts"`, found: [["value", "./a.ts"]] },
    { source: `import * as a from './a.ts';`, found: [["value", "./a.ts"]] },
    { source: `import a, { b as c } from "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `import { type A } from "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `import { from } from "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `import type from "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `import type, { b } from "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `import type { A } from "./a.ts";`, found: [["type", "./a.ts"]] },
    { source: `import type A from "./a.ts";`, found: [["type", "./a.ts"]] },
    { source: `import type * as A from "./a.ts";`, found: [["type", "./a.ts"]] },
    { source: `import a from "./a.json" with { type: "json" };`, found: [["value", "./a.json"]] },
    { source: `const a = await import("./a.ts");`, found: [["dynamic", "./a.ts"]] },
    { source: "function f() { return import(`./a.ts`); }", found: [["dynamic", "./a.ts"]] },
    { source: `import("./a.ts").then((a) => a());`, found: [["dynamic", "./a.ts"]] },
    { source: `let a: import("./a.ts").A;`, found: [["type", "./a.ts"]] },
    { source: `let a: typeof import("./a.ts");`, found: [["type", "./a.ts"]] },
    { source: "import(`./${a}.ts`); import(b);", found: [] },
    { source: `const a = import.meta.url;`, found: [] },
    { source: `export { a } from "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `export type { A } from "./a.ts";`, found: [["type", "./a.ts"]] },
    { source: `export * from "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `export * as a from "./a.ts";`, found: [["value", "./a.ts"]] },
    { source: `export type * from "./a.ts";`, found: [["type", "./a.ts"]] },
    { source: `// import "./a.ts"\n/* import "./b.ts" */`, found: [] },
    { source: `const text = 'import "./a.ts"';`, found: [] },
    { source: "const text = `import './a.ts'`;", found: [] },
    { source: "const text = `${await import('./a.ts')}`;", found: [["dynamic", "./a.ts"]] },
    { source: `const a = { import: "./a.ts", export: "./b.ts" }; a.import("./c.ts"); a.export;`, found: [] },
    { source: `interface A { import?: string; export: string }`, found: [] },
    {
      source: `import { a } from "./a.ts"; import { b } from "./b.ts";`,
      found: [["value", "./a.ts"], ["value", "./b.ts"]],
    },
    { source: `export const from = "./a.ts";`, found: [] },
    { source: `export { a };\nconst from = "x";`, found: [] },
  ];
  for (const { source, found } of imports) {
    it(`finds ${found.length} imported modules in ${source}`, () => {
      assert.deepEqual(moduleFacts(source).imports.map(({ kind, specifier }) => [kind, specifier]), found);
    });
  }

  it("gives the line of each specifier", () => {
    assert.deepEqual(
      moduleFacts(`\nimport {\n  a,\n} from "./a.ts";\nimport "b";`).imports.map(({ line }) => line),
      [4, 5],
    );
  });

  it("lists exported names and tells types from values", () => {
    const { listedExports } = moduleFacts(
      `export { a, type B, c as d, type } from "x"; export type { E, F as G };`,
    );
    assert.deepEqual(listedExports.map(({ name, typeOnly }) => (typeOnly ? `type ${name}` : name)), [
      "a",
      "type B",
      "d",
      "type",
      "type E",
      "type G",
    ]);
  });

  const lines: { source: string; star: number[]; defaults: number[]; other: number[] }[] = [
    { source: `export { a } from "x";\nexport type { B } from "y";`, star: [], defaults: [], other: [] },
    {
      source: `export { a } from "x" with { type: "json" };\nexport { b } from "y";`,
      star: [],
      defaults: [],
      other: [],
    },
    { source: `\nexport * from "x";`, star: [2], defaults: [], other: [] },
    { source: `\nexport type * from "x";`, star: [2], defaults: [], other: [] },
    { source: `\nexport default 1;`, star: [], defaults: [2], other: [2] },
    { source: `\nexport { a as default } from "x";`, star: [], defaults: [2], other: [] },
    { source: `export { a } from "x";\nconst b = 1;`, star: [], defaults: [], other: [2] },
    { source: `export { a };`, star: [], defaults: [], other: [1] },
    { source: `import { a } from "x";`, star: [], defaults: [], other: [1] },
    { source: `export const a = 1;`, star: [], defaults: [], other: [1] },
    { source: `a.default = 1;`, star: [], defaults: [], other: [1] },
  ];
  for (const { source, star, defaults, other } of lines) {
    it(`tells re-exports from code in ${JSON.stringify(source)}`, () => {
      const facts = moduleFacts(source);
      assert.deepEqual([facts.starExports, facts.defaultExports, facts.otherCode], [star, defaults, other]);
    });
  }
});

/** The part of `deno info --json` that this test reads. */
interface DenoGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: unknown;
      readonly isDynamic?: boolean;
    }[];
  }[];
}

describe("moduleFacts() beside Deno's parser", () => {
  const folder = mkdtempSync(join(tmpdir(), "module-facts-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const files = projectFiles().filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));
  let graph: DenoGraph;

  before(async () => {
    const root = join(folder, "all.ts");
    writeFileSync(
      root,
      files.map((path) => `import ${JSON.stringify(pathToFileURL(PROJECT_ROOT + path).href)};\n`).join(""),
    );
    const { command, args } = packageBin("deno");
    const options = { cwd: PROJECT_ROOT, env: { ...process.env, NO_COLOR: "1" } };
    const result = await runProcess(
      command,
      [...args, "info", "--json", "--config", "deno.json", root],
      options,
    );
    assert.equal(result.exitCode, 0, result.output);
    graph = JSON.parse(result.stdout);
  });

  it("knows every file of the tree", () => {
    const known = new Set(graph.modules.map(({ specifier }) => specifier));
    assert.deepEqual(files.filter((path) => !known.has(pathToFileURL(PROJECT_ROOT + path).href)), []);
    assert.ok(files.length > 20);
  });

  it("finds the same imports in every file of the tree", () => {
    for (const path of files) {
      const url = pathToFileURL(PROJECT_ROOT + path).href;
      const dependencies = graph.modules.find(({ specifier }) => specifier === url)?.dependencies ?? [];
      const theirs = dependencies.map((one) =>
        `${one.specifier} ${one.isDynamic ? "dynamic" : one.code ? "value" : "type"}`
      );
      const ours = bySpecifier(moduleFacts(readFileSync(PROJECT_ROOT + path, "utf8")).imports);
      assert.deepEqual([...ours].sort(), [...new Set(theirs)].sort(), path);
    }
  });
});

/** Deno's graph has one entry a specifier: a static import hides a dynamic one, a value hides a type. */
function bySpecifier(imports: readonly ModuleImport[]): Set<string> {
  const strongest = new Map<string, ModuleImport["kind"]>();
  for (const kind of ["type", "dynamic", "value"] as const) {
    for (const one of imports) if (one.kind === kind) strongest.set(one.specifier, kind);
  }
  return new Set([...strongest].map(([specifier, kind]) => `${specifier} ${kind}`));
}
