import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type AbortedChild, abortedChild, formatAborted } from "./format_aborted.ts";

describe("formatAborted()", () => {
  const texts: readonly (readonly [AbortedChild, string])[] = [
    ["ACP", "subagent request was aborted before the ACP child started"],
    ["DSH SDK", "subagent request was aborted before the SDK child started"],
    ["in-process", "subagent request was aborted before child publication"],
  ];
  for (const [child, text] of texts) {
    it(`writes the text of ${child}`, () => assert.equal(formatAborted(child), text));
  }

  for (
    const child of ["leak", "", null, undefined, new String("ACP"), Symbol("ACP"), { toString: () => "ACP" }]
  ) {
    it(`names no kind of child for ${String(child)} (${typeof child})`, () =>
      assert.equal(
        formatAborted(child as AbortedChild),
        "subagent request was aborted before child publication",
      ));
  }
});

describe("abortedChild()", () => {
  for (const child of ["ACP", "DSH SDK", "in-process"]) {
    it(`keeps ${child}`, () => assert.equal(abortedChild(child), child));
  }

  it("makes in-process of everything else", () => assert.equal(abortedChild("leak"), "in-process"));
});
