import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import type { Recipe } from "../../conformance/recipe.ts";
import { prepareLaunch } from "./agent_launch.ts";

const recipe: Recipe = {
  name: "x",
  install: ["x@1.0.0"],
  node: "any",
  command: "${NODE}",
  args: ["${CACHE}/x.js"],
  env: { BASE: "${URL}/v1", CONFIG: "${HOME}/.x" },
  files: { "${HOME}/.x/a.json": { url: "${URL}" }, "${HOME}/b.toml": "home = '${HOME}'\n" },
  notes: [],
  expectations: {},
};

describe("prepareLaunch()", () => {
  it("fills the recipe in and writes its files under a fresh folder, which goes with the launch", async () => {
    const launch = await prepareLaunch({ recipe, folder: "/cache", node: "/n/bin/node" }, "http://u");
    try {
      const home = join(launch.root, "home");
      assert.deepEqual([launch.command, ...launch.args], ["/n/bin/node", "/cache/x.js"]);
      assert.deepEqual(await readdir(launch.cwd), []);
      assert.equal(await readFile(join(home, ".x", "a.json"), "utf8"), '{\n  "url": "http://u"\n}');
      assert.equal(await readFile(join(home, "b.toml"), "utf8"), `home = '${home}'\n`);
    } finally {
      await launch[Symbol.asyncDispose]();
    }
    assert.equal(existsSync(launch.root), false);
  });

  it("gives the agent PATH, HOME, LANG, TMPDIR and the recipe's variables, and nothing of our own", async () => {
    const launch = await prepareLaunch({ recipe, folder: "/cache", node: "/n/bin/node" }, "http://u");
    await launch[Symbol.asyncDispose]();
    const given = Object.entries(launch.env).filter(([, value]) => value !== undefined).map(([name]) => name);
    assert.deepEqual(given.sort(), ["BASE", "CONFIG", "HOME", "LANG", "PATH", "TMPDIR"]);
    for (const name of Object.keys(process.env)) assert.ok(name in launch.env, `${name} would be inherited`);
    const folders = launch.env["PATH"]?.split(":") ?? [];
    assert.equal(folders[0], "/n/bin");
    assert.deepEqual(folders.filter((folder) => folder.endsWith("node_modules/.bin")), []);
  });
});
