import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { isTestFile, PROJECT_ROOT, projectFiles } from "./source/project_files.ts";

/** What these tests read of package.json. */
interface NpmManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly type: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** What these tests read of deno.json. */
interface JsrManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports?: unknown;
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly publish: { readonly include: readonly string[]; readonly exclude: readonly string[] };
}

function readText(path: string): string {
  return readFileSync(PROJECT_ROOT + path, "utf8");
}

const npm: NpmManifest = JSON.parse(readText("package.json"));
const jsr: JsrManifest = JSON.parse(readText("deno.json"));
const files = projectFiles();

/** The source of a file in dist. */
function sourceOf(built: string): string {
  return built.replace(/^(?:\.\/)?dist\//, "").replace(/\.js$/, ".ts");
}

describe("package.json and deno.json", () => {
  for (const key of ["name", "version", "license"] as const) {
    it(`agree on ${key}`, () => {
      assert.ok(npm[key].length > 0);
      assert.equal(jsr[key], npm[key]);
    });
  }

  it("agree on the exports", () => {
    const modules = Object.entries(npm.exports).filter(([from]) => from !== "./package.json");
    const twins = modules.map((
      [from, to],
    ) => [from, typeof to === "object" ? `./${sourceOf(to.default)}` : to]);
    assert.deepEqual(Object.fromEntries(twins), jsr.exports);
  });

  it("agree on the licence with the file", () => {
    assert.equal(npm.license, "MIT");
    assert.match(readText("LICENSE"), /^MIT License\n/);
  });

  it("leave the dependencies to package.json", () => {
    assert.equal(jsr.imports, undefined);
    assert.equal("imports" in npm, false);
  });

  it("agree with the changelog on the version", () => {
    assert.match(readText("CHANGELOG.md"), new RegExp(`^## ${npm.version.replaceAll(".", "\\.")}\\b`, "m"));
  });
});

describe("package.json", () => {
  it("offers types and code of each export from the same source, which exists", () => {
    for (const [from, to] of Object.entries(npm.exports)) {
      if (typeof to === "string") continue;
      assert.equal(to.types, to.default.replace(/\.js$/, ".d.ts"), from);
      assert.ok(files.includes(sourceOf(to.default)), from);
    }
  });

  it("names commands whose sources exist and start Node", () => {
    assert.ok(Object.keys(npm.bin).length > 0);
    for (const [command, built] of Object.entries(npm.bin)) {
      assert.ok(files.includes(sourceOf(built)), command);
      assert.ok(readText(sourceOf(built)).startsWith("#!/usr/bin/env node\n"), command);
    }
  });

  it("is an ES module for Node 20.19, where require() of one works", () => {
    assert.equal(npm.type, "module");
    assert.equal(npm.engines["node"], ">=20.19.0");
  });

  it("has the dependencies that library users install, and no other", () => {
    // zod is a peer dependency of the ACP SDK, and ours. The JSONC parser is pinned: it is one person's copy.
    assert.deepEqual(npm.dependencies, {
      "@agentclientprotocol/sdk": "^2.4.0",
      "deno-std": "1.4.0",
      "zod": "^4.6.7",
    });
  });

  it("makes optional what not every user needs", () => {
    const optional = Object.keys(npm.peerDependencies).map((name) => [name, { optional: true }]);
    assert.deepEqual(npm.peerDependenciesMeta, Object.fromEntries(optional));
    for (const name of Object.keys(npm.peerDependencies)) {
      assert.ok(name in npm.devDependencies, `${name} is tested with`);
      assert.ok(readText("README.md").includes(`| \`${name}\` `), `${name} has a reason in the README`);
    }
  });

  it("builds before it packs, and keeps tests out of the package", () => {
    assert.equal(npm.scripts["prepack"], "npm run build");
    assert.ok(npm.files.includes("!**/*_test.ts"));
    assert.deepEqual(npm.files.filter((entry) => !entry.startsWith("!") && isTestFile(entry)), []);
  });

  it("names scripts whose files exist", () => {
    for (const [name, script] of Object.entries(npm.scripts)) {
      for (const [file] of script.matchAll(/\b[\w./]+\.ts\b/g)) {
        assert.ok(files.includes(file), `${name}: ${file}`);
      }
    }
  });
});

describe("deno.json", () => {
  it("publishes what exists, without the tests", () => {
    for (const path of jsr.publish.include) {
      assert.ok(files.some((file) => file === path || file.startsWith(`${path}/`)), path);
    }
    assert.ok(jsr.publish.exclude.includes("**/*_test.ts"));
  });

  it("checks as strictly as tsconfig.json", () => {
    const { compilerOptions } = JSON.parse(readText("tsconfig.json"));
    for (const [option, value] of Object.entries(jsr.compilerOptions)) {
      assert.equal(compilerOptions[option], value, option);
    }
    for (
      const option of [
        "strict",
        "noUncheckedIndexedAccess",
        "exactOptionalPropertyTypes",
        "noImplicitOverride",
      ]
    ) {
      assert.equal(jsr.compilerOptions[option], true, option);
    }
  });
});
