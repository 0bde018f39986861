import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsoncSyntaxError } from "../lib/jsonc.ts";
import { parseRecipe } from "./recipe.ts";

const FILE = "recipes/x.jsonc";

function source(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    name: "x-1.0",
    install: ["@scope/x@1.0.0", "y@2.3.4"],
    node: ">=20",
    command: "${NODE}",
    args: ["${CACHE}/x.js"],
    env: { URL: "${URL}" },
    files: { "${HOME}/.x/settings.json": { quiet: true }, "${HOME}/x.toml": "a = 1\n" },
    notes: ["Asks before it writes"],
    expectations: { refusal: { stopReason: "completed", because: "It reports end_turn" } },
    ...changes,
  });
}

describe("parseRecipe()", () => {
  it("reads every field as it is", () => {
    const recipe = parseRecipe(source({ platforms: ["linux-x64"] }), FILE);
    assert.deepEqual(recipe, {
      name: "x-1.0",
      install: ["@scope/x@1.0.0", "y@2.3.4"],
      node: ">=20",
      platforms: ["linux-x64"],
      command: "${NODE}",
      args: ["${CACHE}/x.js"],
      env: { URL: "${URL}" },
      files: { "${HOME}/.x/settings.json": { quiet: true }, "${HOME}/x.toml": "a = 1\n" },
      notes: ["Asks before it writes"],
      expectations: { refusal: { stopReason: "completed", because: "It reports end_turn" } },
    });
  });

  it("reads comments and trailing commas", () => {
    assert.equal(parseRecipe(`// why\n${source().replace(/\}$/, ",}")}`, FILE).name, "x-1.0");
  });

  it("rejects a text that is no JSONC", () => {
    assert.throws(() => parseRecipe("{", FILE), JsoncSyntaxError);
  });

  const rejected: [fact: string, changes: Record<string, unknown>, message: RegExp][] = [
    ["a field that it does not know", { comand: "x" }, /^recipes\/x\.jsonc: .*"comand"/],
    ["a missing field", { command: undefined }, /: command: /],
    ["a name that is no file name", { name: "X/1" }, /: name: must be lower case letters/],
    ["a package without a version", { install: ["x"] }, /: install\.0: must be NAME@EXACT\.VERSION/],
    [
      "a package with a version range",
      { install: ["x@1.0.0", "x@^1.0.0"] },
      /: install\.1: must be NAME@EXACT/,
    ],
    ["a package with a tag", { install: ["x@latest"] }, /: install\.0: /],
    ["no package", { install: [] }, /: install: /],
    ["a Node.js range it does not know", { node: "^20" }, /: node: must be "any" or ">=MAJOR"/],
    ["a file outside of the home folder", { files: { "/etc/x": "" } }, /: files\./],
    ["no notes", { notes: [] }, /: notes: /],
    ["a scenario that it does not know", {
      expectations: { plane: { stopReason: "completed", because: "x" } },
    }, /plane/],
    [
      "a deviation without a reason",
      { expectations: { plain: { stopReason: "error" } } },
      /: expectations\.plain\.because: /,
    ],
    ["a stop reason that no result has", {
      expectations: { plain: { stopReason: "end_turn", because: "x" } },
    }, /: expectations\.plain\.stopReason: /],
  ];
  for (const [fact, changes, message] of rejected) {
    it(`rejects ${fact}`, () => {
      assert.throws(() => parseRecipe(source(changes), FILE), (error) => {
        assert.ok(error instanceof TypeError);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it("names every fault at once", () => {
    assert.throws(() => parseRecipe(source({ name: "X", node: "20" }), FILE), /: name: .*; node: /);
  });
});
