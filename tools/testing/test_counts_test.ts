import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type TestCounts, testCounts, unexplainedSkips } from "./test_counts.ts";
import type { Runtime } from "./test_command.ts";

const NODE = `✔ a() (3ms)
ℹ tests 9
ℹ suites 1
ℹ pass 4
ℹ fail 2
ℹ cancelled 1
ℹ skipped 1
ℹ todo 1
ℹ duration_ms 1213.148265
`;

describe("testCounts()", () => {
  const table: { name: string; runtime: Runtime; output: string; counts: TestCounts }[] = [
    {
      name: "reads Node's closing lines",
      runtime: "node",
      output: NODE,
      counts: { passed: 4, failed: 3, skipped: 2 },
    },
    {
      name: "does not count a file that Node ran without a test in it",
      runtime: "node",
      output: "✔ /tmp/empty_test.ts (715.9ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0\n",
      counts: { passed: 0, failed: 0, skipped: 0 },
    },
    {
      name: "reads the last of Node's summaries, not a test's own output",
      runtime: "node",
      output: `ℹ pass 100\n${NODE}`,
      counts: { passed: 4, failed: 3, skipped: 2 },
    },
    {
      name: "reads Deno's coloured closing line with its steps",
      runtime: "deno",
      output:
        "\u001b[0m\u001b[32mok\u001b[0m | 2 passed (5 steps) | 0 failed | 1 ignored (1 step) \u001b[0m(90ms)\n",
      counts: { passed: 7, failed: 0, skipped: 2 },
    },
    {
      name: "reads Deno's closing line of a failed run",
      runtime: "deno",
      output: "FAILED | 1 passed (1 step) | 1 failed (2 steps) (27ms)\n\nerror: Test failed\n",
      counts: { passed: 2, failed: 3, skipped: 0 },
    },
    {
      name: "reads Bun's closing lines",
      runtime: "bun",
      output: "(pass) a\n\n 3 pass\n 1 skip\n 2 fail\nRan 6 tests across 2 files. [42.00ms]\n",
      counts: { passed: 3, failed: 2, skipped: 1 },
    },
    ...(["node", "deno", "bun"] as const).map((runtime) => ({
      name: `counts nothing in the empty output of ${runtime}`,
      runtime,
      output: "",
      counts: { passed: 0, failed: 0, skipped: 0 },
    })),
  ];
  for (const { name, runtime, output, counts } of table) {
    it(name, () => assert.deepEqual(testCounts(runtime, output), counts));
  }
});

describe("unexplainedSkips()", () => {
  it("names what Node skipped with a reason neither in the option nor in the name", () => {
    const output = [
      "✔ a (1.5ms)",
      "﹣ b (0.9ms) # SKIP",
      "  \u001b[90m﹣ c d (0.17ms) # needs Linux\u001b[39m",
      "  ﹣ e (f) (13ms) # SKIP",
      "  ﹣ g (skipped: root may do it) (1ms) # SKIP",
      "",
    ].join("\n");
    assert.deepEqual(unexplainedSkips(output), ["b", "e (f)"]);
  });
});
