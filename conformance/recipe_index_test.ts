import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { isRecipeName, loadRecipe, RECIPES } from "./recipe_index.ts";

const PLACEHOLDERS = ["URL", "HOME", "CACHE", "NODE", "NODE_DIR", "PATH"];

describe("RECIPES", () => {
  it("lists every file of the recipes folder once", () => {
    const files = readdirSync(new URL("recipes/", import.meta.url)).sort();
    assert.deepEqual(RECIPES.map((name) => `${name}.jsonc`).sort(), files);
    assert.ok(files.length >= 10);
  });

  for (const name of RECIPES) {
    it(`names ${name}, whose file parses and has that name`, async () => {
      assert.equal((await loadRecipe(name)).name, name);
    });

    it(`names ${name}, whose placeholders are known`, async () => {
      const used = [...JSON.stringify(await loadRecipe(name)).matchAll(/\$\{(\w*)\}/g)].map((match) =>
        match[1] ?? ""
      );
      assert.deepEqual(used.filter((placeholder) => !PLACEHOLDERS.includes(placeholder)), []);
      assert.ok(used.includes("CACHE"), "its command comes from its packages");
    });
  }
});

describe("isRecipeName()", () => {
  it("tells names from other strings", () => {
    assert.deepEqual([isRecipeName("kilo"), isRecipeName("toString"), isRecipeName("")], [
      true,
      false,
      false,
    ]);
  });
});
