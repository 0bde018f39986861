import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

const TESTS = new URL("./", import.meta.url);
const DOCUMENT = readFileSync(new URL("../../docs/in-process.md", import.meta.url), "utf8");

/** How many rows the table has in each of its groups, one group for each part of the description it follows. */
const ROWS_BY_GROUP: readonly number[] = [4, 15, 13, 3, 5, 12, 5, 2, 22, 3, 2];

interface Row {
  readonly id: string;
  readonly holds: string;
  readonly tests: readonly string[];
}

/** The rows of the one table whose first column counts. */
function rowsOf(document: string): Row[] {
  return document.split("\n").map((line) => /^\|\s*(\d+\.\d+)\s*\|(.*)\|(.*)\|$/.exec(line)).filter((row) =>
    row !== null
  ).map(([, id = "", holds = "", tests = ""]) => ({
    id,
    holds: holds.trim(),
    tests: tests.split("<br>").map((test) => test.trim()),
  }));
}

/** A call of `describe` or `it` in a file, with the title as it is written. */
interface Title {
  readonly kind: "describe" | "it";
  /** What a title has to match: where the source has `${…}` or a variable, anything. */
  readonly pattern: RegExp;
  /** The source of the title: a literal, or an expression. */
  readonly source: string;
}

function titlesOf(source: string): Title[] {
  const calls = source.matchAll(/^\s*(describe|it)\(\s*("(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[\w.]+)/gm);
  return [...calls].map(([, kind, title = ""]) => ({
    kind: kind as Title["kind"],
    source: title,
    pattern: patternOf(title),
  }));
}

function isLiteral({ source }: Title): boolean {
  return /^["`]/.test(source);
}

function patternOf(title: string): RegExp {
  if (!/^["`]/.test(title)) return /^.+$/;
  const text = title.slice(1, -1).replace(/\\(.)/g, "$1");
  const fixed = title.startsWith("`") ? text.split(/\$\{[^}]*\}/) : [text];
  return new RegExp(`^${fixed.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".+")}$`);
}

const sources = new Map(
  readdirSync(TESTS).filter((name) => name.endsWith("_test.ts") && !name.endsWith("_fixtures_test.ts"))
    .map((name) => [name, readFileSync(new URL(name, TESTS), "utf8")]),
);

/** Why a test that the document names is not there, if it is not. */
function faultOf(test: string): string | undefined {
  const [, file = "", suite = "", title = ""] = /^`(\w+\.ts)`: (.+?) › (.+)$/.exec(test) ?? [];
  const source = sources.get(file);
  if (source === undefined) return `"${test}" names no test file of this folder`;
  const titles = titlesOf(source);
  const suites = titles.flatMap((one, at) => {
    const isIt = one.kind === "describe" && one.pattern.test(suite) &&
      (isLiteral(one) || source.includes(JSON.stringify(suite)));
    return isIt ? [at] : [];
  });
  const inSuite = suites.flatMap((at) => {
    const end = titles.findIndex(({ kind }, index) => index > at && kind === "describe");
    return titles.slice(at + 1, end === -1 ? undefined : end);
  });
  const match = inSuite.find(({ pattern }) => pattern.test(title));
  if (match === undefined) return `${file} has no test "${suite} › ${title}"`;
  // A title out of a table of cases has to be in that table, word for word.
  if (!isLiteral(match) && !source.includes(JSON.stringify(title))) return `${file} has no case "${title}"`;
  return undefined;
}

describe("docs/in-process.md", () => {
  const rows = rowsOf(DOCUMENT);

  it("has every row of its table, counted without a gap", () => {
    const expected = ROWS_BY_GROUP.flatMap((count, group) =>
      Array.from({ length: count }, (_, index) => `${group + 1}.${index + 1}`)
    );
    assert.deepEqual(rows.map(({ id }) => id), expected);
  });

  it("says in each row what holds, no two the same", () => {
    for (const { id, holds } of rows) assert.ok(holds.length > 20, `row ${id} says "${holds}"`);
    assert.equal(new Set(rows.map(({ holds }) => holds)).size, rows.length);
  });

  it("names in each row a test that is there", () => {
    assert.deepEqual(
      rows.flatMap(({ id, tests }) =>
        tests.map(faultOf).filter((fault) => fault !== undefined).map((fault) => `row ${id}: ${fault}`)
      ),
      [],
    );
  });
});

describe("The tests of this folder", () => {
  it("have titles that are unique", () => {
    const titles = [...sources].flatMap(([file, source]) => {
      let suite = "";
      return titlesOf(source).flatMap((title) => {
        if (title.kind === "describe") suite = isLiteral(title) ? title.source : `${file} ${title.source}`;
        // What a table of cases gives is as unique as its cases are.
        return title.kind === "it" && isLiteral(title) ? [`${suite} › ${title.source}`] : [];
      });
    });
    assert.ok(titles.length > 100);
    assert.deepEqual(titles.filter((title, index) => titles.indexOf(title) !== index), []);
  });

  it("are found by their exact titles and by nothing else", () => {
    assert.equal(faultOf("`depth_test.ts`: depthOf() › is what the options say"), undefined);
    assert.match(faultOf("`depth_test.ts`: depthOf() › is what the options said") ?? "", /has no test/);
    assert.match(faultOf("`depth_test.ts`: childDepthOf() › is what the options say") ?? "", /has no test/);
    assert.match(
      faultOf("`depths_test.ts`: depthOf() › is what the options say") ?? "",
      /names no test file/,
    );
    assert.match(
      faultOf(
        "`start_in_process_run_test.ts`: startInProcessRun() refuses at once, and leaves no effect, listener, " +
          "scope or child behind, › a malformed minDepth",
      ) ?? "",
      /has no case/,
    );
  });
});
