/**
 * Pieces of TypeScript with foreign text in them.
 *
 * @module
 */

/** What a reader may take for the end of a line. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** A property's name, in quotes unless it is an identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** A value as JSON, on one line: JSON lets two kinds of line ends stand in text. */
export function literal(value: string | number | boolean | null): string {
  return JSON.stringify(value).replace(
    /[\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16)}`,
  );
}

/** A comment on lines of its own; nothing when there is no text. */
export function docComment(text: string, indent: string): string {
  const lines = contained(text).split(LINE_END).map((line) => line.trimEnd());
  if (lines.every((line) => line === "")) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const rows = lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`);
  return `${indent}/**\n${rows.join("")}${indent} */\n`;
}

/** A comment within a line; nothing when there is no text. */
export function inlineComment(text: unknown): string {
  const line = typeof text === "string" ? contained(text).replace(/\s+/g, " ").trim() : "";
  return line === "" ? "" : `/** ${line} */ `;
}

/** No text ends its comment. */
function contained(text: string): string {
  return text.replaceAll("*/", "*\\/");
}
