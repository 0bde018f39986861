/**
 * Splits TypeScript into tokens, well enough to find imports, exports and comments without being fooled by strings,
 * templates, regular expressions or comments. TypeScript 7 ships no stable parser API and the ones on npm for its
 * syntax are large, so this is ours; `module_facts_test.ts` holds it equal to Deno's own parser on the whole tree.
 *
 * @module
 */

/** One token. `text` is the source text, except for strings, where it is what stands between the quotes. */
export interface Token {
  /** What it is. A template's literal parts are `template` tokens; what stands in `${…}` is tokenized too. */
  readonly kind: "word" | "string" | "template" | "number" | "regex" | "punctuator";
  /** The token's text; see {@linkcode Token}. */
  readonly text: string;
  /** Line on which it begins, from 1. */
  readonly line: number;
}

/** One comment. */
export interface Comment {
  /** Its text with the comment marks. */
  readonly text: string;
  /** Line on which it begins, from 1. */
  readonly line: number;
}

/** What {@linkcode tokenize} finds. */
export interface Tokens {
  /** All tokens in order. */
  readonly tokens: readonly Token[];
  /** All comments in order. */
  readonly comments: readonly Comment[];
}

const SPACE = /\s+/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const WORD = /[#@]?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const STRING = /"((?:[^"\\\n]|\\[^])*)"|'((?:[^'\\\n]|\\[^])*)'/y;
const NUMBER = /\.?\d(?:[eE][+-]|[\w.])*/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y;
const HASHBANG = /#![^\n]*/y;

/** After one of these words a slash begins a regular expression; after any other word it divides. */
const BEFORE_REGEX = new Set(
  "return typeof case in of delete void throw new instanceof do else yield await default".split(" "),
);

/**
 * Splits a source text.
 *
 * @throws {SyntaxError} When the text has something that is no token, such as a string that does not end.
 */
export function tokenize(source: string): Tokens {
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  // For each open template: how many braces are open inside its `${`.
  const templates: number[] = [];
  let position = 0;
  let line = 1;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    return pattern.exec(source);
  }
  function advance(text: string): void {
    position += text.length;
    for (const character of text) if (character === "\n") line++;
  }
  function push(kind: Token["kind"], text: string, length: string = text): void {
    tokens.push({ kind, text, line });
    advance(length);
  }
  function pushTemplatePart(): void {
    const part = take(TEMPLATE_PART)?.[0];
    if (part === undefined) {
      throw new SyntaxError(`Cannot read the template on line ${line}: it does not end`);
    }
    if (part.endsWith("${")) templates.push(0);
    push("template", part);
  }

  const hashbang = take(HASHBANG);
  if (hashbang !== null) advance(hashbang[0]);
  while (position < source.length) {
    const space = take(SPACE);
    if (space !== null) {
      advance(space[0]);
      continue;
    }
    const comment = take(COMMENT);
    if (comment !== null) {
      comments.push({ text: comment[0], line });
      advance(comment[0]);
      continue;
    }
    const word = take(WORD);
    const string = take(STRING);
    const number = take(NUMBER);
    const character = source.charAt(position);
    if (word !== null) push("word", word[0]);
    else if (string !== null) push("string", string[1] ?? string[2] ?? "", string[0]);
    else if (number !== null) push("number", number[0]);
    else if (character === "`") {
      advance(character);
      pushTemplatePart();
    } else if (character === "}" && templates.at(-1) === 0) {
      templates.pop();
      advance(character);
      pushTemplatePart();
    } else if (character === "/" && regexMayBegin(tokens.at(-1))) {
      const regex = take(REGEX);
      if (regex === null) throw new SyntaxError(`Cannot read the regular expression on line ${line}`);
      push("regex", regex[0]);
    } else {
      if (character === '"' || character === "'") {
        throw new SyntaxError(`Cannot read the string on line ${line}: it does not end`);
      }
      const open = templates.length - 1;
      if (open >= 0 && character === "{") templates[open] = (templates[open] ?? 0) + 1;
      if (open >= 0 && character === "}") templates[open] = (templates[open] ?? 0) - 1;
      push("punctuator", character);
    }
  }
  if (templates.length > 0) throw new SyntaxError("Cannot read a template: its substitution does not end");
  return { tokens, comments };
}

/** Tells whether a slash behind this token begins a regular expression. */
function regexMayBegin(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === "word") return BEFORE_REGEX.has(previous.text);
  if (previous.kind === "template") return previous.text.endsWith("${");
  return previous.kind === "punctuator" && !")]}".includes(previous.text);
}
