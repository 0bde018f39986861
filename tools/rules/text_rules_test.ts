import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { foreignPathViolations, switchedOffViolations, unfinishedViolations } from "./text_rules.ts";

// Composed, so that the rules can be held over this file too.
const SHARED = "../" + "shared/design.md";
const [WORK, HOME, ROOT] = ["work", "home", "root"].map((name) => `/${name}` + "/x");

describe("foreignPathViolations()", () => {
  const refused = [
    SHARED,
    `see ../${SHARED}`,
    `cd ${WORK}`,
    `"${HOME}"`,
    `file://${ROOT}`,
    "/Use" + "rs/me/x",
    "C:\\\\Use" + "rs\\\\me",
  ];
  for (const text of refused) {
    it(`refuses ${text}`, () => {
      assert.deepEqual(foreignPathViolations("a.md", `\n${text}\n`), [
        "a.md:2 names a path outside the repository",
      ]);
    });
  }
  for (
    const text of ["./network" + "/x", "/srv/project", "~" + ROOT, "a" + HOME, "../sharedness", "users/x"]
  ) {
    it(`allows ${text}`, () => assert.deepEqual(foreignPathViolations("a.md", text), []));
  }
});

describe("foreignPathViolations() in a test", () => {
  it("allows a made-up home and refuses the rest", () => {
    assert.deepEqual(foreignPathViolations("a_test.ts", [HOME, WORK, ROOT, SHARED].join("\n")), [
      "a_test.ts:2 names a path outside the repository",
      "a_test.ts:3 names a path outside the repository",
      "a_test.ts:4 names a path outside the repository",
    ]);
  });
});

describe("unfinishedViolations()", () => {
  for (const mark of ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]) {
    it(`refuses ${mark}`, () => {
      assert.deepEqual(unfinishedViolations("a.ts", `a\n// ${mark}: b`), ["a.ts:2 is marked as unfinished"]);
    });
  }
  for (const text of ["a todo option", "XXXL", "hack"]) {
    it(`allows "${text}"`, () => assert.deepEqual(unfinishedViolations("a.ts", text), []));
  }
});

describe("switchedOffViolations()", () => {
  const refused: [source: string, violation: string][] = [
    ["// @ts-ignore: the types are wrong here", "switches a check off without a reason"],
    ["// @ts-nocheck", "switches a check off without a reason"],
    ["// @ts-expect-error", "switches a check off without a reason"],
    ["// deno-lint-ignore no-explicit-any", "switches a check off without a reason"],
    ["/* oxlint-disable no-floating-promises */", "switches a check off without a reason"],
    ["/* c8 ignore next */", "switches a check off without a reason"],
    [`it.skip("name", () => {});`, "uses skip without a reason: name one in the option or the call"],
    [`describe.only("name", () => {});`, "uses only without a reason: name one in the option or the call"],
    [`test.todo("name");`, "uses todo without a reason: name one in the option or the call"],
    ["t.skip();", "uses skip without a reason: name one in the option or the call"],
    ["t.skip(reason);", "uses skip without a reason: name one in the option or the call"],
    [
      `it("name", { skip: true }, () => {});`,
      "uses skip without a reason: name one in the option or the call",
    ],
    [
      `it("name", { only: true }, () => {});`,
      "uses only without a reason: name one in the option or the call",
    ],
  ];
  for (const [source, violation] of refused) {
    it(`refuses ${source}`, () =>
      assert.deepEqual(switchedOffViolations("a.ts", `\n${source}`), [`a.ts:2 ${violation}`]));
  }
  const allowed = [
    "// @ts-expect-error A JavaScript caller can pass anything",
    "// deno-lint-ignore no-control-regex -- the escape character is what has to be removed",
    "// deno-lint-ignore ban-types -- `string & {}` keeps the completion",
    "/* c8 ignore next -- Windows only */",
    "/** Never write `@ts-ignore`. */",
    `const text = "// @ts-ignore";`,
    `t.skip("needs Linux");`,
    `it("name", { skip: windows && "needs signals" }, () => {});`,
    `it("name", { skip: false }, () => {});`,
    "words.skip; list.only;",
  ];
  for (const source of allowed) {
    it(`allows ${source}`, () => assert.deepEqual(switchedOffViolations("a.ts", source), []));
  }
});
