import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { strayFileViolations, uploadViolations } from "./upload_rules.ts";

describe("uploadViolations()", () => {
  const allowed = [
    `import "./b.ts";`,
    `import "../lib/b.ts";`,
    `import "node:fs";`,
    `import "npm:zod@^4";`,
    `import "jsr:@std/jsonc";`,
    `// import "zod"`,
  ];
  for (const source of allowed) {
    it(`allows ${source}`, () => {
      assert.deepEqual(uploadViolations(new Map([["lib/a.ts", source], ["lib/b.ts", ""]])), []);
    });
  }
  const refused: [source: string, specifier: string][] = [
    [`import "zod";`, "zod"],
    [`import type { A } from "@scope/package";`, "@scope/package"],
    [`void import("zod");`, "zod"],
    [`export { a } from "#inner";`, "#inner"],
    [`import "./missing.ts";`, "./missing.ts"],
    [`import "../../node_modules/deno-std/jsonc/mod.js";`, "../../node_modules/deno-std/jsonc/mod.js"],
    [`import "https://example.com/a.ts";`, "https://example.com/a.ts"],
    [`// @ts-types="./missing.d.ts"\nimport "node:fs";`, "./missing.d.ts"],
  ];
  for (const [source, specifier] of refused) {
    it(`refuses ${source}`, () => {
      assert.deepEqual(uploadViolations(new Map([["lib/a.ts", source], ["lib/b.ts", ""]])), [
        `lib/a.ts imports "${specifier}", which JSR cannot resolve`,
      ]);
    });
  }
  it("reads no imports in other files", () => {
    assert.deepEqual(uploadViolations(new Map([["README.md", `import "zod";`]])), []);
  });
});

describe("strayFileViolations()", () => {
  it("allows published files and folders", () => {
    assert.deepEqual(
      strayFileViolations(["mod.ts", "lib/a.ts", "dist/lib/a.js.map"], ["mod.ts", "lib", "dist"]),
      [],
    );
  });
  for (
    const path of ["lib/a_test.ts", "dist/lib/a_test.js", "dist/lib/a_test.d.ts", "dist/lib/a_test.js.map"]
  ) {
    it(`refuses ${path}`, () =>
      assert.deepEqual(strayFileViolations([path], ["lib", "dist"]), [`${path} is a test`]));
  }
  for (const path of ["tools/check.ts", "library/a.ts", ".npmrc"]) {
    it(`refuses ${path}`, () =>
      assert.deepEqual(strayFileViolations([path], ["lib"]), [`${path} is not to be published`]));
  }
});
