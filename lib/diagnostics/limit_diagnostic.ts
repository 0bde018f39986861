/**
 * The size limit of a diagnostic.
 *
 * @module
 */
import { utf8Prefix, wellFormed } from "./utf8.ts";

/** The size limit of a diagnostic, in bytes of UTF-8, the note about a cut included. */
export const MAX_DIAGNOSTIC_BYTES: number = 4096;

const note = "\n[diagnostic truncated]";

/**
 * Cuts a diagnostic to {@link MAX_DIAGNOSTIC_BYTES}. A longer text loses its end and gets a visible note; the cut is
 * between code points. Lone surrogates become U+FFFD: strict JSON readers refuse a request that carries one. What is
 * no string gives an empty text. The work is bounded by the limit, not by the text.
 */
export function limitDiagnostic(text: string): string {
  if (typeof text !== "string") return "";
  const fitting = utf8Prefix(text, MAX_DIAGNOSTIC_BYTES).text;
  if (fitting.length === text.length) return wellFormed(text);
  // The note is ASCII: one byte a character.
  return wellFormed(utf8Prefix(fitting, MAX_DIAGNOSTIC_BYTES - note.length).text) + note;
}
