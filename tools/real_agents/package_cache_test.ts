import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { cacheFolder, cacheRoot, installPackages } from "./package_cache.ts";

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "package-cache-"));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("cacheRoot()", () => {
  it("stands in the user's cache folder", () => {
    assert.equal(cacheRoot({ XDG_CACHE_HOME: "/c" }), join("/c", "subagent-seam", "agents"));
    assert.match(cacheRoot({}), /[/\\]\.cache[/\\]subagent-seam[/\\]agents$/);
  });
});

describe("cacheFolder()", () => {
  it("is another one for another list of packages", () => {
    const [one, same, other] = ["a@1.0.0", "a@1.0.0", "a@1.0.1"].map((name) =>
      cacheFolder({ name: "x", install: [name] }, "/c")
    );
    assert.equal(one, same);
    assert.notEqual(one, other);
    assert.match(one ?? "", /[/\\]x-[0-9a-f]{12}$/);
  });
});

describe("installPackages()", () => {
  it("installs once, without running scripts, and finds the packages again", () =>
    withFolder(async (folder) => {
      const source = join(folder, "source");
      await mkdir(source);
      const scripts = { postinstall: "node -e \"require('fs').writeFileSync('ran','')\"" };
      await writeFile(
        join(source, "package.json"),
        JSON.stringify({ name: "tiny", version: "1.0.0", scripts }),
      );
      const set = { name: "x", install: [source] };
      const root = join(folder, "cache");
      const first = await installPackages(set, root);
      assert.equal(typeof first.installMs, "number");
      assert.deepEqual(await readdir(root), [first.folder.slice(root.length + 1)]);
      assert.deepEqual(await readdir(join(first.folder, "node_modules", "tiny")), ["package.json"]);
      assert.deepEqual(await installPackages(set, root), { folder: first.folder, installMs: undefined });
    }));

  it("leaves nothing behind when npm fails", () =>
    withFolder(async (folder) => {
      const set = { name: "x", install: [join(folder, "missing")] };
      await assert.rejects(installPackages(set, join(folder, "cache")), /^Error: npm install .* failed in "/);
      assert.deepEqual(await readdir(join(folder, "cache")), []);
    }));
});
