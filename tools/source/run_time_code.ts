/**
 * Tells modules that do something from modules that only declare.
 *
 * @module
 */

import { type Token, tokenize } from "./tokens.ts";

/**
 * Tells whether a module has code of its own that runs. Types and re-exports have none: nothing in them can be covered
 * by a test, and a module of types alone is never even loaded.
 */
export function hasRunTimeCode(source: string): boolean {
  const { tokens } = tokenize(source);
  let at = 0;
  while (at < tokens.length) {
    const end = endOfDeclaration(tokens, at);
    if (end === undefined) return true;
    at = end;
  }
  return false;
}

/** Gives the index behind the statement if it only declares or re-exports, else undefined. */
function endOfDeclaration(tokens: readonly Token[], at: number): number | undefined {
  const isExport = tokens[at]?.text === "export";
  const first = tokens[isExport ? at + 1 : at]?.text ?? "";
  const next = tokens[isExport ? at + 2 : at + 1];
  if (first === ";") return at + 1;
  if (first === "interface" && next?.kind === "word") return endOfBlock(tokens, at);
  const isType = first === "type" && (next?.kind === "word" || isPunctuator(next, "{"));
  const isErased = isType || (first === "declare" && next?.kind === "word") ||
    (first === "import" && next?.text === "type");
  if (isErased) return endOfStatement(tokens, at);
  if (!isExport || !"{*".includes(first)) return undefined;
  // A list without `from` exports what the module itself made.
  const end = endOfStatement(tokens, at);
  return tokens.slice(at, end).some(({ text }) => text === "from") ? end : undefined;
}

/** Gives the index behind the body of the interface that begins at `at`; its type parameters may hold braces too. */
function endOfBlock(tokens: readonly Token[], at: number): number {
  let depth = 0;
  let parameters = 0;
  for (let index = at; index < tokens.length; index++) {
    const token = tokens[index];
    depth += depthChange(token);
    if (depth === 0 && isPunctuator(token, "<")) parameters++;
    if (depth === 0 && isPunctuator(token, ">")) parameters--;
    if (depth === 0 && parameters === 0 && isPunctuator(token, "}")) return index + 1;
  }
  return tokens.length;
}

/** Gives the index behind the next semicolon outside of all brackets; the formatter puts one behind each statement. */
function endOfStatement(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at; index < tokens.length; index++) {
    depth += depthChange(tokens[index]);
    if (depth === 0 && isPunctuator(tokens[index], ";")) return index + 1;
  }
  return tokens.length;
}

function depthChange(token: Token | undefined): number {
  if (token?.kind !== "punctuator") return 0;
  return "{[(".includes(token.text) ? 1 : "}])".includes(token.text) ? -1 : 0;
}

function isPunctuator(token: Token | undefined, text: string): boolean {
  return token?.kind === "punctuator" && token.text === text;
}
