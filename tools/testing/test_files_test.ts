import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testFiles, testsOfNewerNode } from "./test_files.ts";

const PATHS = [
  "README.md",
  "fakes/agent_test.ts",
  "lib/acp/run.ts",
  "lib/acp/run_fixtures_test.ts",
  "lib/acp/run_test.ts",
  "lib/seam/run_test.ts",
  "mod_test.ts",
  "tools/real_agents/drive_test.ts",
];

describe("testFiles()", () => {
  const table: { name: string; filters: string[]; files: string[] }[] = [
    {
      name: "takes all tests",
      filters: [],
      files: [
        "fakes/agent_test.ts",
        "lib/acp/run_test.ts",
        "lib/seam/run_test.ts",
        "mod_test.ts",
        "tools/real_agents/drive_test.ts",
      ],
    },
    { name: "takes a whole path", filters: ["lib/acp/run_test.ts"], files: ["lib/acp/run_test.ts"] },
    {
      name: "takes a path with a leading ./",
      filters: ["./lib/acp/run_test.ts"],
      files: ["lib/acp/run_test.ts"],
    },
    { name: "takes a folder", filters: ["lib/"], files: ["lib/acp/run_test.ts", "lib/seam/run_test.ts"] },
    {
      name: "takes what any filter matches",
      filters: ["fakes", "mod_"],
      files: ["fakes/agent_test.ts", "mod_test.ts"],
    },
    { name: "does not take what tests share", filters: ["fixtures"], files: [] },
    { name: "gives nothing when no filter matches", filters: ["absent"], files: [] },
    { name: "does not take a source file by its path", filters: ["lib/acp/run.ts"], files: [] },
  ];
  for (const { name, filters, files } of table) {
    it(name, () => assert.deepEqual(testFiles("node", PATHS, filters), files));
  }

  for (const runtime of ["deno", "bun"] as const) {
    it(`leaves the tests that are for Node only out in ${runtime}`, () => {
      assert.deepEqual(testFiles(runtime, PATHS, ["fakes", "tools"]), ["fakes/agent_test.ts"]);
    });
  }
});

describe("testsOfNewerNode()", () => {
  it("picks the files that import the floor, from wherever they stand", () => {
    const texts: Record<string, string> = {
      "lib/a_test.ts": 'import { skipBelowNode } from "../fakes/test_support/node_floor.ts";',
      "fakes/b_test.ts": 'import { skipBelowNode } from "./test_support/node_floor.ts";',
      "lib/c_test.ts": "// fakes/test_support/node_floor.ts",
    };
    assert.deepEqual(testsOfNewerNode(Object.keys(texts), (path) => texts[path] ?? ""), [
      "lib/a_test.ts",
      "fakes/b_test.ts",
    ]);
  });
});
