import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { packageBin } from "../package_bin.ts";
import { runProcess } from "../run_process.ts";
import { startFakeRegistry } from "./fake_registry.ts";
import { readTar } from "./read_tar.ts";
import { uploadViolations } from "./upload_rules.ts";

const project = mkdtempSync(join(tmpdir(), "fake-registry-"));
after(() => rmSync(project, { recursive: true, force: true }));

describe("startFakeRegistry()", () => {
  it("gets what deno publish uploads, and the rules see an import into node_modules that a dry run lets pass", async () => {
    const files = {
      "deno.json": JSON.stringify({
        name: "@scope/package",
        version: "1.0.0",
        license: "MIT",
        exports: "./mod.ts",
        nodeModulesDir: "manual",
      }),
      "package.json": JSON.stringify({
        name: "package",
        imports: { "#inner": "inner/mod.js" },
        dependencies: { inner: "1.0.0" },
      }),
      "node_modules/inner/package.json": JSON.stringify({ name: "inner", version: "1.0.0", type: "module" }),
      "node_modules/inner/mod.js": "export const one = 1;\n",
      "mod.ts": `import { one } from "#inner";\n/** Two. */\nexport const two: number = one + 1;\n`,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const registry = await startFakeRegistry();
    try {
      const { command, args } = packageBin("deno");
      const publish = ["publish", "--allow-dirty", "--no-provenance", "--no-check", "--token", "none"];
      const env = { ...process.env, JSR_URL: registry.url, NO_COLOR: "1" };
      const result = await runProcess(command, [...args, ...publish], { cwd: project, env });
      assert.equal(result.exitCode, 0, result.output);
    } finally {
      await registry[Symbol.asyncDispose]();
    }
    assert.equal(registry.uploads.length, 1);
    const uploaded = readTar(registry.uploads[0] ?? new Uint8Array());
    assert.ok(uploaded.has("/mod.ts") || uploaded.has("mod.ts"), [...uploaded.keys()].join());
    const violations = uploadViolations(uploaded);
    assert.equal(violations.length, 1);
    assert.match(
      violations[0] ?? "",
      /mod\.ts imports "(?:#inner|.*node_modules\/inner\/mod\.js)", which JSR cannot resolve$/,
    );
  });
});
