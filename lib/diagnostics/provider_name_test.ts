import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isProviderName, PROVIDER_NAME_RULE } from "./provider_name.ts";

describe("isProviderName()", () => {
  for (const name of ["a", "7", "acp", "ACP", "DSH SDK", "my.provider_v2-beta", "x".repeat(64), "a "]) {
    it(`takes ${JSON.stringify(name)}`, () => assert.equal(isProviderName(name), true));
  }

  const refused: readonly unknown[] = [
    "",
    " a",
    "-a",
    ".a",
    "_a",
    "a\n",
    "a\nb",
    "a;b",
    "a:b",
    "a)",
    "a/b",
    'a"b',
    "é",
    "x".repeat(65),
    7,
    null,
    undefined,
    ["acp"],
    new String("acp"),
  ];
  for (const name of refused) {
    it(`refuses ${JSON.stringify(name)} (${typeof name})`, () => assert.equal(isProviderName(name), false));
  }

  it("PROVIDER_NAME_RULE says it in words", () =>
    assert.equal(
      PROVIDER_NAME_RULE,
      '1 to 64 ASCII letters, digits, spaces, ".", "_" or "-", beginning with a letter or a digit',
    ));
});
