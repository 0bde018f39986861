/**
 * Text of a child on its way to a terminal.
 *
 * @module
 */

/**
 * Makes control characters visible, so that text cannot drive the terminal that shows it: move the cursor, rewrite
 * what stands there, set the window title, put something on the clipboard. Everything of C0, DEL and C1 but the tab
 * and the line break becomes `\x` and two hexadecimal digits; CR LF becomes a plain line break.
 *
 * Only for terminals: a pipe or a file gets the text as it is.
 */
export function escapeControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROLS, (control) => `\\x${hexadecimal(control, 2)}`);
}

/**
 * Writes a value as one line of JSON. DEL and C1 controls, which `JSON.stringify` leaves alone, are written as
 * escapes, so that the line is safe on a terminal and means the same everywhere else.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(CONTROLS, (control) => `\\u${hexadecimal(control, 4)}`);
}

// Unicode's general category Cc: C0, DEL and C1.
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

function hexadecimal(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
