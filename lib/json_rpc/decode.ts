/**
 * Bytes to text.
 *
 * @module
 */

// ignoreBOM keeps U+FEFF, as Buffer's own decoding does: the line splitter has dropped the one that means nothing.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

// Looked for at run time, so that this folder needs nothing of `node:` and runs where there is no Buffer.
const bufferClass = (globalThis as { readonly Buffer?: { isBuffer(value: unknown): boolean } }).Buffer;

/** The one method of Node's Buffer that is used. */
interface BufferText {
  toString(encoding: "utf8", start: number, end: number): string;
}

/** Decodes UTF-8 from `start` up to, not including, `end`. Never fails: what is no UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  // A Buffer decodes a short line in half the time that a TextDecoder takes on Node 20.
  if (bufferClass?.isBuffer(bytes)) return (bytes as BufferText).toString("utf8", start, end);
  return decoder.decode(bytes.subarray(start, end));
}
