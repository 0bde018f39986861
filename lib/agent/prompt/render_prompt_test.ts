import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AssembledSection } from "./prompt_types.ts";
import { renderPrompt } from "./render_prompt.ts";

function section(text: string, name = "s", literal?: boolean): AssembledSection {
  return { name, order: 0, text, ...(literal === undefined ? {} : { literal }) };
}

describe("renderPrompt()", () => {
  const variables = { cwd: "/work", model: "m-1", nested: "{{cwd}}", "a.b-c": "dotted", empty: "" };

  it("joins sections with a blank line, as they stand", () => {
    assert.equal(renderPrompt({ sections: [section("b"), section("a")], variables }), "b\n\na");
  });

  it("renders no sections as no text", () => assert.equal(renderPrompt({ sections: [], variables }), ""));

  it("leaves out what is empty, also once variables are put in", () => {
    assert.equal(
      renderPrompt({ sections: [section("a"), section(""), section("{{empty}}"), section("b")], variables }),
      "a\n\nb",
    );
  });

  const texts: readonly (readonly [string, string])[] = [
    ["in {{cwd}}", "in /work"],
    ["{{ cwd }} {{model}}{{model}}", "/work m-1m-1"],
    ["{{a.b-c}}", "dotted"],
    ["{{nested}}", "{{cwd}}"],
    ["{cwd} {{}} {{ }} {{1}} {{a b}}", "{cwd} {{}} {{ }} {{1}} {{a b}}"],
    ["$& $1", "$& $1"],
  ];
  for (const [text, rendered] of texts) {
    it(`renders ${JSON.stringify(text)} as ${JSON.stringify(rendered)}`, () =>
      assert.equal(renderPrompt({ sections: [section(text)], variables }), rendered));
  }

  it("puts values in as they are, dollar signs included", () => {
    assert.equal(renderPrompt({ sections: [section("{{price}}")], variables: { price: "$& $1" } }), "$& $1");
  });

  it("puts nothing in where a section is literal", () => {
    assert.equal(
      renderPrompt({ sections: [section("{{cwd}} {{unknown}}", "s", true)], variables }),
      "{{cwd}} {{unknown}}",
    );
    assert.equal(renderPrompt({ sections: [section("{{cwd}}", "s", false)], variables }), "/work");
  });

  for (
    const [name, variables, known] of [
      ["unknown", { b: "1", a: "2" }, "a, b"],
      ["unknown", {}, "(none)"],
      ["toString", {}, "(none)"],
    ] as const
  ) {
    it(`refuses the variable "${name}" and names those that there are: ${known}`, () =>
      assert.throws(
        () => renderPrompt({ sections: [section(`{{${name}}}`, "deployment:persona")], variables }),
        new Error(
          `Cannot render system prompt section "deployment:persona": unknown variable "${name}"; ` +
            `known variables: ${known}`,
        ),
      ));
  }
});
