import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { runProcess } from "./tools/run_process.ts";
import {
  childKillViolations,
  consoleViolations,
  impureGlobalViolations,
} from "./tools/rules/global_rules.ts";
import {
  areaOf,
  type AreaRule,
  type ImportTable,
  importViolations,
  loadedFromOutside,
  resolveImport,
  type TreeModule,
} from "./tools/rules/import_table.ts";
import { exportViolations, lengthViolations, nameViolations } from "./tools/rules/module_rules.ts";
import {
  foreignPathViolations,
  switchedOffViolations,
  unfinishedViolations,
} from "./tools/rules/text_rules.ts";
import { type ModuleFacts, moduleFacts } from "./tools/source/module_facts.ts";
import { isFixtureFile, isTestFile, PROJECT_ROOT, projectFiles } from "./tools/source/project_files.ts";

const SDK = "@agentclientprotocol/sdk";

/** What every area may use: the vocabularies, the schema subset and the seam. */
const SEAM = ["lib/diagnostics", "lib/schema", "lib/seam"];
/** What providers with a child process share. */
const CHILD = [...SEAM, "lib/json_rpc", "lib/process"];

/** Who may import whom. `builtins: false` makes a folder pure. */
const TABLE: ImportTable = {
  "lib/diagnostics": { areas: [], builtins: false },
  "lib/schema": { areas: ["lib/diagnostics"], builtins: false },
  "lib/seam": { areas: ["lib/diagnostics", "lib/schema"], packages: ["zod"], builtins: false },
  "lib/json_rpc": { areas: SEAM },
  "lib/process": { areas: SEAM },
  "lib/acp": { areas: CHILD, packages: ["zod"], typePackages: [SDK] },
  "lib/dsh_sdk": { areas: CHILD, packages: ["zod"] },
  "lib/agent": { areas: SEAM, packages: ["zod", "quickjs-emscripten"], builtins: false },
  "lib/in_process": { areas: [...SEAM, "lib/agent"], packages: ["zod"], builtins: false },
  "lib/tool": { areas: [...SEAM, "lib/jobs"], packages: ["zod"], builtins: false },
  "lib/jobs": { areas: SEAM, packages: ["zod"], builtins: false },
  "lib/config": { areas: [...CHILD, "lib/agent"] },
  "lib/cli": {
    areas: [
      ...CHILD,
      "lib/acp",
      "lib/dsh_sdk",
      "lib/agent",
      "lib/in_process",
      "lib/tool",
      "lib/jobs",
      "lib/config",
      "lib/jsonc.ts",
      "mod.ts",
      "fakes",
    ],
  },
  "lib/jsonc.ts": { areas: [], packages: ["deno-std/jsonc/mod.js"] },
  "mod.ts": {
    areas: [
      ...CHILD,
      "lib/acp",
      "lib/dsh_sdk",
      "lib/schema",
      "lib/agent",
      "lib/in_process",
      "lib/tool",
      "lib/jobs",
    ],
    builtins: false,
  },
  "fakes": { areas: [], packages: [SDK, "zod"] },
  "conformance": { areas: ["mod.ts", "lib/jsonc.ts", "fakes"], packages: ["zod"] },
  "bench": { areas: ["mod.ts", "fakes", "tools"], packages: [SDK, "zod"] },
  "tools": { areas: ["mod.ts", "lib/jsonc.ts", "fakes", "conformance"] },
};

/** What a test may import besides what its area may. */
const FOR_TESTS: AreaRule = {
  areas: ["fakes", "lib/jsonc.ts", "mod.ts"],
  packages: [
    "fast-check",
    "zod",
    SDK,
    "@ai-sdk/provider",
    "@ai-sdk/openai-compatible",
    "ai-sdk-openai-compatible-v2",
    "ai-sdk-openai-compatible-v4",
    "ai",
    "ai-v7",
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/server",
    "quickjs-emscripten",
  ],
};

const PURE = Object.keys(TABLE).filter((area) => TABLE[area]?.builtins === false);
const PROVIDERS = ["lib/acp", "lib/dsh_sdk", "lib/in_process"];

/** What importing `mod.ts` loads from outside the repository. Adding to it makes every host slower to start. */
const LOADED_BY_MOD = ["zod"];

/** Why a file may be longer than others. */
const LONG_FILES: Readonly<Record<string, string>> = {
  "mod.ts": "the one entry names every public symbol",
};

/** Files that no person writes, so that the rules for words do not apply. */
const GENERATED = ["package-lock.json"];

const files = projectFiles();
const text = new Map(files.map((path) => [path, readFileSync(PROJECT_ROOT + path, "utf8")]));
const scripts = files.filter((path) => path.endsWith(".ts"));
const sources = scripts.filter((path) => !isTestFile(path));
const modules: TreeModule[] = scripts.filter((path) => !path.endsWith(".d.ts"))
  .map((path) => ({ path, facts: moduleFacts(read(path)) }));
const inAreas = modules.filter(({ path }) => path.includes("/") || path === "mod.ts");

function imports(facts: ModuleFacts, specifier: string): boolean {
  return facts.imports.some((one) => one.specifier === specifier);
}

function read(path: string): string {
  return text.get(path) ?? "";
}

describe("The import table", () => {
  it("holds for every module", () => {
    assert.deepEqual(importViolations(inAreas, TABLE, FOR_TESTS), []);
  });

  it("is read from a tree that is there", () => {
    const areas = new Set(inAreas.map(({ path }) => areaOf(path, TABLE)));
    for (
      const area of ["lib/seam", "lib/diagnostics", "lib/process", "lib/acp", "mod.ts", "fakes", "tools"]
    ) {
      assert.ok(areas.has(area), area);
    }
    assert.ok(inAreas.some(({ facts }) => facts.imports.some(({ kind }) => kind === "dynamic")));
  });

  it("keeps providers apart", () => {
    for (const provider of PROVIDERS) {
      const others = PROVIDERS.filter((other) => other !== provider);
      assert.deepEqual(TABLE[provider]?.areas.filter((area) => others.includes(area)), [], provider);
    }
  });

  it("keeps the fakes independent of the library", () => {
    assert.deepEqual(TABLE["fakes"]?.areas, []);
  });

  it("lets nothing in lib/ have the ACP SDK at run time, and one file the JSONC parser", () => {
    const lib = Object.entries(TABLE).filter(([area]) => area.startsWith("lib/") || area === "mod.ts");
    assert.deepEqual(lib.filter(([, rule]) => rule.packages?.includes(SDK)), []);
    const withParser = Object.entries(TABLE).filter(([, rule]) =>
      rule.packages?.some((name) => name.startsWith("deno-std"))
    );
    assert.deepEqual(withParser.map(([area]) => area), ["lib/jsonc.ts"]);
  });
});

describe("Importing mod.ts", () => {
  it("reaches no package but those named, and no built-in, by its static imports", () => {
    assert.deepEqual(loadedFromOutside("mod.ts", modules), LOADED_BY_MOD);
  });

  it("loads no process, no ACP SDK and nothing else than that in Node", async () => {
    const script = "tools/rules/print_loaded_modules.ts";
    const result = await runProcess("node", ["--import", "tsx", script, `${PROJECT_ROOT}mod.ts`], {
      cwd: PROJECT_ROOT,
    });
    assert.equal(result.exitCode, 0, result.output);
    const loaded: string[] = JSON.parse(result.stdout);
    const root = pathToFileURL(PROJECT_ROOT).href;
    const own = loaded.filter((url) => url.startsWith(root) && !url.includes("/node_modules/"));
    assert.ok(own.includes(`${root}mod.ts`) && own.includes(`${root}lib/seam/subagents.ts`), own.join("\n"));
    const packages = loaded.filter((url) => !own.includes(url)).map((url) =>
      /\/node_modules\/([^/]+)\//.exec(url)?.[1] ?? url
    );
    assert.deepEqual([...new Set(packages)], LOADED_BY_MOD);
  });
});

describe("Every module", () => {
  it("exports by name, and only mod.ts files re-export", () => {
    assert.deepEqual(modules.flatMap(exportViolations), []);
  });

  it("has a snake_case path", () => {
    assert.deepEqual(scripts.flatMap(nameViolations), []);
  });

  it("has at most 300 lines, a test 600, or a reason", () => {
    const lines = new Map(scripts.map((path) => [path, read(path).split("\n").length - 1]));
    assert.deepEqual(lengthViolations(lines, LONG_FILES), []);
  });

  it("signals processes only through process.kill", () => {
    assert.deepEqual(scripts.flatMap((path) => childKillViolations(path, read(path))), []);
  });

  it("of the library prints nothing", () => {
    const library = sources.filter((path) => path.startsWith("lib/") && !path.startsWith("lib/cli/"));
    assert.deepEqual(library.flatMap((path) => consoleViolations(path, read(path))), []);
  });

  it("of a pure folder uses no global of a runtime", () => {
    const pure = sources.filter((path) => PURE.includes(areaOf(path, TABLE) ?? ""));
    assert.ok(pure.length > 20);
    assert.deepEqual(pure.flatMap((path) => impureGlobalViolations(path, read(path))), []);
  });

  it("that is a test uses node:test, or is what such tests share", () => {
    const tests = modules.filter(({ path }) => isTestFile(path));
    const withTests = new Set(
      tests.filter(({ facts }) => imports(facts, "node:test")).map(({ path }) => path),
    );
    const shared = new Set(
      tests.flatMap(({ path, facts }) =>
        facts.imports.map(({ specifier }) => resolveImport(path, specifier))
      ),
    );
    const others = tests.map(({ path }) => path).filter((path) => !withTests.has(path));
    assert.deepEqual(others.filter((path) => !isFixtureFile(path) && !shared.has(path)), []);
    // The runner leaves fixtures out, so a test in them would never run.
    assert.deepEqual([...withTests].filter(isFixtureFile), []);
  });

  it("switches no check and no test off without a reason", () => {
    assert.deepEqual(scripts.flatMap((path) => switchedOffViolations(path, read(path))), []);
  });
});

describe("Every file", () => {
  const written = files.filter((path) => !GENERATED.includes(path));

  it("names no path outside the repository", () => {
    assert.deepEqual(files.flatMap((path) => foreignPathViolations(path, read(path))), []);
  });

  it("is finished", () => {
    assert.deepEqual(written.flatMap((path) => unfinishedViolations(path, read(path))), []);
  });
});
