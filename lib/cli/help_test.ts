import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { COMMANDS } from "./commands.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { programHelp } from "./help.ts";

/** The values of `EXIT_CODES`, which scripts branch on, in the order in which a help text lists them. */
const CODES = [0, 1, 2, 129, 130, 141, 143];

describe("EXIT_CODES", () => {
  it("keeps its values", () => {
    assert.deepEqual(EXIT_CODES, {
      success: 0,
      failure: 1,
      usage: 2,
      SIGHUP: 129,
      SIGINT: 130,
      brokenPipe: 141,
      SIGTERM: 143,
    });
  });
});

describe("programHelp()", () => {
  it("lists the commands with what they do", () => {
    const text = programHelp([{ name: "run", summary: "Run." }, { name: "conformance", summary: "Test." }]);
    assert.ok(text.includes("\n  run          Run.\n  conformance  Test.\n"), text);
  });
});

describe("COMMANDS", () => {
  it("has no name twice", () => {
    const names = COMMANDS.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
  });
});

for (const { name, summary, help, options } of COMMANDS) {
  describe(`The help of subagent ${name}`, () => {
    it("begins with the sentence in the list of commands", () => {
      assert.match(summary, /^[A-Z].*\.$/);
      assert.ok(help.startsWith(`${summary}\n\nUsage:\n  subagent ${name}`), help);
    });

    it("lists exactly the options that are read", () => {
      const listed = [...help.matchAll(/^ {2}(?:-h, )?--([a-z-]+)/gm)].map(([, option]) => option);
      assert.deepEqual(listed.sort(), ["help", ...Object.keys(options)].sort());
    });

    it("lists the exit codes, in order", () => {
      const listed = [...help.matchAll(/^ {2}(\d+) {2,}\S/gm)].map(([, code]) => Number(code));
      assert.deepEqual(listed, CODES.filter((code) => listed.includes(code)));
      assert.deepEqual(listed.slice(0, 3), [0, 1, 2]);
    });
  });
}

const texts = new Map(COMMANDS.map(({ name, help }) => [`subagent ${name} --help`, help]));
for (const [words, text] of texts.set("subagent --help", programHelp(COMMANDS))) {
  describe(words, () => {
    it("ends with one line break", () => assert.match(text, /\S\n$/));
    it("fits a terminal of 120 columns", () => {
      assert.deepEqual(text.split("\n").filter((line) => line.length > 120), []);
    });
  });
}
