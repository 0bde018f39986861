/**
 * JSON with comments and trailing commas, and errors that name file, line and column.
 *
 * @module
 */
// `@std/jsonc` itself, as it reaches npm: one dependency that resolves from npm and from JSR alike.
// @ts-types="./std_jsonc.d.ts"
import { parse } from "deno-std/jsonc/mod.js";

/** A place in a JSONC text at which it stops being JSONC. */
export interface JsoncPosition {
  /** Counted from 1. A line ends at LF, CRLF or CR. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units, as editors count. */
  readonly column: number;
}

/** Says where a text is not JSONC. The message starts with `file:line:column`. */
export class JsoncSyntaxError extends SyntaxError {
  /** Tells this error apart by name. */
  override readonly name = "JsoncSyntaxError";
  /** The name that was passed to {@linkcode parseJsonc}. */
  readonly fileName: string;
  /** Line of the fault, counted from 1. */
  readonly line: number;
  /** Column of the fault, counted from 1, in UTF-16 code units. */
  readonly column: number;

  /** Joins place and problem into one message. */
  constructor(problem: string, fileName: string, { line, column }: JsoncPosition, options?: ErrorOptions) {
    super(`${fileName}:${line}:${column}: ${problem}`, options);
    this.fileName = fileName;
    this.line = line;
    this.column = column;
  }
}

/**
 * Parses a JSONC text: JSON, `//` and block comments, trailing commas, nothing else.
 *
 * A key named `__proto__` is an ordinary key. Of two equal keys the last one counts, as with `JSON.parse`.
 *
 * @param text The whole text.
 * @param fileName How errors call the text.
 * @throws {JsoncSyntaxError} If the text is not JSONC, starts with a byte order mark, or is nested too deeply for
 * the call stack (then the place is the start of the text: where a stack ends is the engine's own affair).
 */
export function parseJsonc(text: string, fileName: string): unknown {
  if (text.startsWith("\uFEFF")) {
    throw new JsoncSyntaxError(
      "Starts with a byte order mark: save the file as UTF-8 without one",
      fileName,
      START,
    );
  }
  try {
    return parse(text);
  } catch (error) {
    throw located(error, text, fileName);
  }
}

const START: JsoncPosition = { line: 1, column: 1 };

function located(error: unknown, text: string, fileName: string): unknown {
  if (error instanceof RangeError) {
    return new JsoncSyntaxError("Nested too deeply", fileName, START, { cause: error });
  }
  if (!(error instanceof SyntaxError)) return error;
  // The parser's own two sentences. Only its offset is counted on; a third sentence would still get a place.
  const unexpected = /unexpected token "(.*)" in JSONC at position (\d+)$/s.exec(error.message);
  if (unexpected === null) {
    return new JsoncSyntaxError("Unexpected end of input", fileName, positionAt(text, text.length), {
      cause: error,
    });
  }
  const [, token, offset] = unexpected;
  const problem = `Unexpected token ${JSON.stringify(token)}`;
  return new JsoncSyntaxError(problem, fileName, positionAt(text, Number(offset)), { cause: error });
}

function positionAt(text: string, offset: number): JsoncPosition {
  let line = 1;
  let lineStart = 0;
  for (const { index, 0: lineEnd } of text.slice(0, offset).matchAll(/\r\n|\r|\n/g)) {
    line += 1;
    lineStart = index + lineEnd.length;
  }
  return { line, column: offset - lineStart + 1 };
}
