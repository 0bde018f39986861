import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkSteps } from "./steps.ts";

const CONTEXT = {
  entries: ["./mod.ts", "./fakes/mod.ts"],
  tarball: "/tmp/x/package.tgz",
  scripts: { "test:agents": "tsx" },
  withAgents: false,
};
const steps = checkSteps(CONTEXT);

describe("checkSteps()", () => {
  it("holds what the project promises", () => {
    assert.deepEqual(steps.map(({ name }) => name), [
      "format",
      "lint",
      "promises",
      "types",
      "deno-types",
      "docs",
      "test-node",
      "test-deno",
      "test-bun",
      "test-newer",
      "build",
      "pack",
      "publint",
      "attw",
      "npm-package",
      "jsr",
      "jsr-upload",
      "readme",
    ]);
  });

  it("drives the real agents besides where it is told to", () => {
    const [agents, ...others] = checkSteps({ ...CONTEXT, withAgents: true }).slice(steps.length);
    assert.equal(agents?.name, "agents");
    assert.deepEqual(agents?.command.args.slice(-4), ["--silent", "test:agents", "--", "--ci"]);
    assert.deepEqual(others, []);
  });

  it("has a failing step where the script of the real agents is missing", () => {
    const command = checkSteps({ ...CONTEXT, scripts: {}, withAgents: true }).at(-1)?.command;
    assert.match(command?.args.join(" ") ?? "", /no script "test:agents".*process\.exit\(1\)/);
  });

  it("needs only steps that come before", () => {
    const names = steps.map(({ name }) => name);
    for (const { name, needs = [] } of steps) {
      for (const need of needs) {
        assert.ok(names.indexOf(need) < names.indexOf(name) && names.includes(need), name);
      }
    }
  });

  it("checks types and documentation of every published module", () => {
    for (const [name, ...args] of [["deno-types", "check"], ["docs", "doc", "--lint"]]) {
      const command = steps.find((step) => step.name === name)?.command;
      assert.deepEqual(command?.args.slice(-2 - args.length), [...args, ...CONTEXT.entries]);
    }
  });

  it("shows of each run of tests the closing lines", () => {
    const lines = [
      "ℹ tests 5",
      "ok | 2 passed (2 steps) | 0 failed (90ms)",
      " 3 pass",
      "node: 5 passed, 0 failed",
      "All files | 97 |",
    ];
    const tests = steps.filter(({ name }) => name.startsWith("test-"));
    assert.equal(tests.length, 4);
    for (const { shows, alone } of tests) {
      assert.equal(alone, true);
      assert.deepEqual(lines.filter((line) => shows?.test(line)), lines);
      assert.equal(shows?.test("✔ a test"), false);
    }
  });
});
