import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { bundleForNode } from "./node_bundle.ts";
import { withFolder } from "./test_support/temp_folder.ts";

/** Writes an entry point with one part beside it; gives the entry's URL. */
function writeProgram(folder: string, name: string, word: string): URL {
  const programs = join(folder, "programs");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  mkdirSync(join(programs, name), { recursive: true });
  writeFileSync(
    join(programs, `${name}.ts`),
    `import { word } from "./${name}/part.ts";\nconsole.log(word as string);\n`,
  );
  writeFileSync(join(programs, name, "part.ts"), `export const word: string = "${word}";\n`);
  writeFileSync(join(programs, name, "part_test.ts"), `throw new Error("a test, not a part: ${word}");\n`);
  return pathToFileURL(join(programs, `${name}.ts`));
}

describe("bundleForNode()", () => {
  it("makes one file that plain node runs, with a map to the sources", async () => {
    await withFolder((folder) => {
      const bundle = bundleForNode(writeProgram(folder, "hello", "hi"));
      assert.equal(execFileSync("node", [bundle], { encoding: "utf8" }), "hi\n");
      const map =
        /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(readFileSync(bundle, "utf8"))?.[1] ?? "";
      const { sources } = JSON.parse(atob(map)) as { sources: string[] };
      assert.deepEqual(
        sources.map((source) => join(dirname(bundle), source)).sort(),
        [
          join(folder, "programs", "hello", "part.ts"),
          join(folder, "programs", "hello.ts"),
        ].sort(),
      );
      assert.deepEqual(readdirSync(dirname(bundle)).length, 1, "nothing partial is left");
    });
  });

  it("makes another file once a part has changed, and not when only a test has", async () => {
    await withFolder((folder) => {
      // One bundle a path and process, so the same program stands in three folders.
      const [first, same, changed] = ["a", "b", "c"].map((name) => {
        const entry = writeProgram(join(folder, name), "hello", name === "c" ? "ho" : "hi");
        if (name === "b") writeFileSync(new URL("hello/part_test.ts", entry), "// another test\n");
        return bundleForNode(entry).split("/").at(-1);
      });
      assert.equal(first, same);
      assert.notEqual(first, changed);
    });
  });

  it("gives the bundle that is there already", async () => {
    await withFolder((folder) => {
      const bundle = bundleForNode(writeProgram(folder, "hello", "hi"));
      writeFileSync(bundle, "marked");
      assert.equal(bundleForNode(writeProgram(folder, "hello", "hi")), bundle);
      assert.equal(readFileSync(bundle, "utf8"), "marked");
    });
  });
});
