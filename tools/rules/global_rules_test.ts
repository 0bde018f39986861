import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { childKillViolations, consoleViolations, impureGlobalViolations } from "./global_rules.ts";

describe("impureGlobalViolations()", () => {
  for (const name of ["Buffer", "Bun", "Deno", "console", "process", "require", "setImmediate"]) {
    it(`refuses ${name}`, () => {
      assert.deepEqual(impureGlobalViolations("a.ts", `\nconst a = ${name}.b;`), [
        `a.ts:2 uses "${name}": its folder is pure`,
      ]);
    });
  }
  const allowed = [
    "a.process()",
    "const a = { process: 1 };",
    "interface A { process?: string }",
    `"process"`,
    "// process",
    "processes",
  ];
  for (const source of allowed) {
    it(`allows ${source}`, () => assert.deepEqual(impureGlobalViolations("a.ts", source), []));
  }
  it("is not fooled by a conditional expression", () => {
    assert.equal(impureGlobalViolations("a.ts", "a = b ? process : c").length, 1);
  });
});

describe("consoleViolations()", () => {
  it("refuses the console and nothing else of the runtime", () => {
    assert.deepEqual(consoleViolations("a.ts", `process.exit();\nconsole.error("a");`), [
      "a.ts:2 uses the console: a library prints nothing",
    ]);
  });
});

describe("childKillViolations()", () => {
  for (
    const call of ["child.kill()", "this.#child.kill('SIGTERM')", "children[0].kill()", "start().kill()"]
  ) {
    it(`refuses ${call}`, () => {
      assert.deepEqual(childKillViolations("a.ts", `\n${call}`), [
        "a.ts:2 signals a child object: use process.kill with its pid",
      ]);
    });
  }
  for (
    const call of [
      "process.kill(1)",
      "globalThis.process.kill(1)",
      "system.kill(1)",
      "this.#system.kill(1)",
      "local.kill(1)",
      "jobs.kill(1)",
      "this.#jobs.kill(1)",
      "kill(1)",
      "a.kill",
      "kill: 1",
      "// child.kill()",
    ]
  ) {
    it(`allows ${call}`, () => assert.deepEqual(childKillViolations("a.ts", call), []));
  }
});
