/**
 * Sizes in UTF-8 without encoding anything.
 *
 * @module
 */

/** The part of a text that fits a number of bytes. */
export interface Utf8Prefix {
  /** The longest beginning that fits, cut between code points. */
  readonly text: string;
  /** Its size in UTF-8 bytes. */
  readonly bytes: number;
}

const beyondAscii = /\P{ASCII}/u;

/**
 * Cuts a text to at most `maxBytes` bytes of UTF-8, between code points. A lone surrogate counts 3 bytes, as the
 * replacement character that every encoder writes for it. A text that has to be cut is read no further than the cut.
 */
export function utf8Prefix(text: string, maxBytes: number): Utf8Prefix {
  // Most text is ASCII, where a byte is a unit, and the engine's own scan is several times faster than the loop.
  if (text.length <= maxBytes && !beyondAscii.test(text)) return { text, bytes: text.length };
  let bytes = 0;
  let units = 0;
  while (units < text.length) {
    const point = text.codePointAt(units) as number;
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes + size > maxBytes) return { text: text.slice(0, units), bytes };
    bytes += size;
    units += size === 4 ? 2 : 1;
  }
  return { text, bytes };
}

/** Replaces lone surrogates by U+FFFD, which has the same size in UTF-8. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
