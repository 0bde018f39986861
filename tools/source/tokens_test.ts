import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tokenize } from "./tokens.ts";

/** The tokens as "kind:text", which reads well in a table. */
function shown(source: string): string[] {
  return tokenize(source).tokens.map(({ kind, text }) => `${kind}:${text}`);
}

describe("tokenize()", () => {
  const table: { name: string; source: string; tokens: string[] }[] = [
    {
      name: "reads words, numbers and punctuation",
      source: "a1 = 0x1f+1e-3;",
      tokens: ["word:a1", "punctuator:=", "number:0x1f", "punctuator:+", "number:1e-3", "punctuator:;"],
    },
    {
      name: "gives a string without its quotes",
      source: `"a\\"b" 'c"d'`,
      tokens: [`string:a\\"b`, `string:c"d`],
    },
    {
      name: "keeps imports inside strings out of the words",
      source: `"import x from 'y'"`,
      tokens: ["string:import x from 'y'"],
    },
    { name: "reads a template without substitution", source: "`import`", tokens: ["template:import`"] },
    {
      name: "reads what stands in a template's substitution",
      source: "`a${b}c`;",
      tokens: ["template:a${", "word:b", "template:c`", "punctuator:;"],
    },
    {
      name: "matches braces inside a substitution",
      source: "`${{ a: {} }}`",
      tokens: [
        "template:${",
        "punctuator:{",
        "word:a",
        "punctuator::",
        "punctuator:{",
        "punctuator:}",
        "punctuator:}",
        "template:`",
      ],
    },
    {
      name: "reads a template inside a template",
      source: "`${`${a}`}`",
      tokens: ["template:${", "template:${", "word:a", "template:`", "template:`"],
    },
    {
      name: "leaves an escaped substitution in the literal",
      source: "`\\${a}`",
      tokens: ["template:\\${a}`"],
    },
    {
      name: "takes a slash after a name for division",
      source: "a / b / c",
      tokens: ["word:a", "punctuator:/", "word:b", "punctuator:/", "word:c"],
    },
    {
      name: "takes a slash after a bracket for division",
      source: "(a) / 2",
      tokens: ["punctuator:(", "word:a", "punctuator:)", "punctuator:/", "number:2"],
    },
    {
      name: "takes a slash after = for a regular expression",
      source: `= /["'\`/]\\/x/u;`,
      tokens: ["punctuator:=", `regex:/["'\`/]\\/x/u`, "punctuator:;"],
    },
    {
      name: "takes a slash after return for a regular expression",
      source: "return /'/",
      tokens: ["word:return", "regex:/'/"],
    },
    {
      name: "takes a slash in a substitution for a regular expression",
      source: "`${/'/}`",
      tokens: ["template:${", "regex:/'/", "template:`"],
    },
    {
      name: "reads private names and decorators as one word",
      source: "#a @b",
      tokens: ["word:#a", "word:@b"],
    },
    { name: "skips a hashbang", source: "#!/usr/bin/env node\na", tokens: ["word:a"] },
    { name: "reads an empty text", source: "", tokens: [] },
  ];
  for (const { name, source, tokens } of table) {
    it(name, () => assert.deepEqual(shown(source), tokens));
  }

  it("counts lines through strings, templates and comments", () => {
    const { tokens } = tokenize("`\n\n`\n/* \n */ a\n'x\\\ny' b");
    assert.deepEqual(tokens.map(({ line }) => line), [1, 5, 6, 7]);
  });

  it("gives comments with their line and keeps them out of the tokens", () => {
    const { tokens, comments } = tokenize("a // one 'x\n/* two\n */ b");
    assert.deepEqual(tokens.map(({ text }) => text), ["a", "b"]);
    assert.deepEqual(comments, [{ text: "// one 'x", line: 1 }, { text: "/* two\n */", line: 2 }]);
  });

  it("reads a comment mark inside a string as text", () => {
    assert.deepEqual(tokenize(`"// no"`).comments, []);
  });

  for (const source of ["'open", '"open\n"', "`open", "`${a", "= /open\n"]) {
    it(`throws for ${JSON.stringify(source)}`, () => assert.throws(() => tokenize(source), SyntaxError));
  }
});
