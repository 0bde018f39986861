/**
 * Finds the lines in chunks of bytes.
 *
 * @module
 */
import { checkLimit } from "./check_limit.ts";
import { TransportLimitError } from "./errors.ts";
import { PartialLine } from "./partial_line.ts";

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** What a {@linkcode LineScanner} needs. */
export interface LineScannerOptions {
  /** Most bytes of one line, finished or not, its LF not counted. A positive integer. */
  readonly maxLineBytes: number;
  /** Takes the line `bytes[start]` to `bytes[end - 1]`, on the terms of a line splitter's `onLine`. */
  onSpan(bytes: Uint8Array, start: number, end: number): void;
}

/**
 * The engine of a line splitter. It names lines by their place instead of cutting them out: a view of its own for
 * every line costs a tenth of what parsing a short message costs.
 */
export class LineScanner {
  readonly #options: LineScannerOptions;
  readonly #partial: PartialLine;
  #closed = false;

  /**
   * Starts at the beginning of a stream.
   *
   * @throws {RangeError} When `maxLineBytes` is not a positive integer.
   */
  constructor(options: LineScannerOptions) {
    this.#options = options;
    this.#partial = new PartialLine(checkLimit("maxLineBytes", options.maxLineBytes));
  }

  /**
   * Takes the next bytes and delivers the lines they finish. The chunk is not kept.
   *
   * @throws {TransportLimitError} When a line exceeds `maxLineBytes`. The lines before it were delivered; the scanner
   * is closed.
   */
  push(chunk: Uint8Array): void {
    let start = 0;
    while (!this.#closed) {
      const end = chunk.indexOf(LF, start);
      if (end < 0) return this.#keep(chunk, start, chunk.length);
      if (this.#partial.length === 0) {
        this.#checkLimit(end - start);
        this.#deliver(chunk, start, end);
      } else {
        this.#keep(chunk, start, end);
        this.#deliverPartial();
      }
      start = end + 1;
    }
  }

  /** The stream is over: delivers a last line without LF and closes. */
  end(): void {
    if (!this.#closed) this.#deliverPartial();
    this.close();
  }

  /** Delivers nothing more, not even the rest of a chunk under way. */
  close(): void {
    this.#closed = true;
    this.#partial.clear();
  }

  #keep(chunk: Uint8Array, start: number, end: number): void {
    this.#checkLimit(end - start);
    if (start < end) this.#partial.append(chunk.subarray(start, end));
  }

  #checkLimit(moreBytes: number): void {
    if (this.#partial.length + moreBytes <= this.#options.maxLineBytes) return;
    this.close();
    throw new TransportLimitError("message", this.#options.maxLineBytes);
  }

  #deliverPartial(): void {
    const line = this.#partial.take();
    this.#deliver(line, 0, line.length);
  }

  #deliver(bytes: Uint8Array, lineStart: number, lineEnd: number): void {
    const start = skipByteOrderMark(bytes, lineStart);
    const end = lineEnd > start && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    if (!isBlank(bytes, start, end)) this.#options.onSpan(bytes, start, end);
  }
}

// A line of fewer bytes ends in an LF or with its memory, neither of which is a byte of the mark.
function skipByteOrderMark(bytes: Uint8Array, start: number): number {
  const marked = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  return marked ? start + 3 : start;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const byte = bytes[index];
    if (byte !== SPACE && byte !== TAB && byte !== CR) return false;
  }
  return true;
}
