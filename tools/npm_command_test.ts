import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { npmCommand } from "./npm_command.ts";

describe("npmCommand()", () => {
  it("is the npm that runs the script", () => {
    const path = "/usr/lib/node_modules/npm/bin/npm-cli.js";
    assert.deepEqual(npmCommand({ npm_execpath: path }), { command: "node", args: [path] });
  });

  it("is npm on the path outside of npm and under another package manager", () => {
    for (const npm_execpath of [undefined, "/usr/bin/bun", "/usr/lib/yarn.js"]) {
      assert.deepEqual(npmCommand({ npm_execpath }), { command: "npm", args: [] });
    }
  });
});
