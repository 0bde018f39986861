/**
 * Rules for the text of a file: nothing of one machine in it, nothing unfinished, nothing switched off silently.
 *
 * @module
 */

import { isTestFile } from "../source/project_files.ts";
import { type Token, tokenize } from "../source/tokens.ts";

/** Paths of one machine, or of what lies beside the repository on it. Composed, so that this file passes its rule. */
const FOREIGN_PATHS: readonly RegExp[] = [
  new RegExp(`\\.\\./${"shared"}\\b`),
  new RegExp(`(?<![\\w.~-])/(?:${["work", "root"].join("|")})/`),
  /(?<![\w.])\/Users\/|\b[A-Z]:\\+Users\\+/,
];

/** Tests make homes up, to show that no path of a person gets out. */
const HOME_PATH = new RegExp(`(?<![\\w.~-])/${"home"}/`);

/** Marks of unfinished work; composed for the same reason. */
const UNFINISHED = new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"].join("|")})\\b`);

/** Comments that switch a check off, and what may explain them. */
const SWITCHES: readonly { readonly mark: RegExp; readonly explained: RegExp }[] = [
  { mark: /@ts-(?:ignore|nocheck)/, explained: /(?!)/ },
  { mark: /@ts-expect-error/, explained: /@ts-expect-error\W+\S+ \S+/ },
  { mark: /\b(?:deno-lint-ignore|oxlint-disable|eslint-disable)/, explained: / -- \S+ \S+/ },
  { mark: /\bc8 ignore/, explained: / -- \S+ \S+/ },
];

/** Gives one sentence for each line that names a path of one machine. */
export function foreignPathViolations(path: string, text: string): string[] {
  const patterns = isTestFile(path) ? FOREIGN_PATHS : [...FOREIGN_PATHS, HOME_PATH];
  return matchingLines(text, patterns).map((line) => `${path}:${line} names a path outside the repository`);
}

/** Gives one sentence for each line with a mark of unfinished work. */
export function unfinishedViolations(path: string, text: string): string[] {
  return matchingLines(text, [UNFINISHED]).map((line) => `${path}:${line} is marked as unfinished`);
}

/** Gives one sentence for each check or test that a TypeScript file switches off without a reason. */
export function switchedOffViolations(path: string, source: string): string[] {
  const { tokens, comments } = tokenize(source);
  const directives = comments.filter(({ text }) =>
    SWITCHES.some(({ mark, explained }) => mark.test(text) && !explained.test(text) && !isProse(text, mark))
  );
  const calls = tokens.filter((_, at) => isSwitchedOffTest(tokens, at));
  return [
    ...directives.map(({ line }) => `${path}:${line} switches a check off without a reason`),
    ...calls.map(({ line, text }) =>
      `${path}:${line} uses ${text} without a reason: name one in the option or the call`
    ),
  ];
}

/** A documentation comment that mentions a directive in backticks does not give it. */
function isProse(text: string, mark: RegExp): boolean {
  return !mark.test(text.replace(/`[^`]*`/g, ""));
}

/** `it.skip(…)`, `t.skip()`, `{ skip: true }` and the same with only and todo. `only` has no good reason at all. */
function isSwitchedOffTest(tokens: readonly Token[], at: number): boolean {
  const [before, token, after, argument] = [tokens[at - 1], tokens[at], tokens[at + 1], tokens[at + 2]];
  if (token?.kind !== "word" || !["skip", "only", "todo"].includes(token.text)) return false;
  if (after?.text === ":") return argument?.text === "true";
  if (before?.text !== "." || after?.text !== "(") return false;
  const onSuite = ["it", "test", "describe", "suite"].includes(tokens[at - 2]?.text ?? "");
  const hasReason = argument?.kind === "string" || argument?.kind === "template";
  return onSuite || !hasReason;
}

function matchingLines(text: string, patterns: readonly RegExp[]): number[] {
  return text.split("\n").flatMap((line, index) =>
    patterns.some((pattern) => pattern.test(line)) ? [index + 1] : []
  );
}
