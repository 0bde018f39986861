/**
 * Rules for the names that a module takes from its runtime.
 *
 * @module
 */

import { type Token, tokenize } from "../source/tokens.ts";

/** Globals of one runtime or of a terminal; a pure module works without them. */
const IMPURE = new Set([
  "Buffer",
  "Bun",
  "Deno",
  "__dirname",
  "__filename",
  "console",
  "process",
  "require",
  "setImmediate",
]);

/** Receivers whose `kill` is not that of a child process: the runtime's own, ports that lead to it, and jobs. */
const KILLERS = /^#?(?:process|\w*[sS]ystem|local|\w*[jJ]obs)$/;

/** Gives one sentence for each global of {@linkcode IMPURE} that a pure module uses. */
export function impureGlobalViolations(path: string, source: string): string[] {
  const { tokens } = tokenize(source);
  return tokens.filter((token, at) => isGlobal(tokens, at) && IMPURE.has(token.text))
    .map(({ text, line }) => `${path}:${line} uses "${text}": its folder is pure`);
}

/** Gives one sentence for each use of the console. */
export function consoleViolations(path: string, source: string): string[] {
  const { tokens } = tokenize(source);
  return tokens.filter((token, at) => isGlobal(tokens, at) && token.text === "console")
    .map(({ line }) => `${path}:${line} uses the console: a library prints nothing`);
}

/**
 * Gives one sentence for each signal that does not go through `process.kill`: Deno 2.9 sends only the first
 * `child.kill()` and reports a wrong exit (denoland/deno#36643).
 */
export function childKillViolations(path: string, source: string): string[] {
  const { tokens } = tokenize(source);
  return tokens.filter((token, at) =>
    token.kind === "word" && token.text === "kill" && tokens[at + 1]?.text === "(" &&
    tokens[at - 1]?.text === "." && !KILLERS.test(tokens[at - 2]?.text ?? "")
  ).map(({ line }) => `${path}:${line} signals a child object: use process.kill with its pid`);
}

/** A name that is neither a member nor a property nor a type's field. */
function isGlobal(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.kind !== "word") return false;
  const [before, after] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
  return before !== "." && !(after === ":" && before !== "?") &&
    !(after === "?" && tokens[at + 2]?.text === ":");
}
