/**
 * Newline-delimited framing with a byte limit.
 *
 * @module
 */
import { LineScanner } from "./line_scanner.ts";

/** What a {@linkcode LineSplitter} needs. */
export interface LineSplitterOptions {
  /** Most bytes of one line, finished or not, its LF not counted. A positive integer. */
  readonly maxLineBytes: number;
  /**
   * Takes one line, without line ending and byte order mark; called synchronously and in order, never for a line of
   * only spaces, tabs and CRs. The bytes are only valid during the call. It may call `close`, but neither `push` nor
   * `end`. What it throws comes out of the `push` or `end` under way.
   */
  onLine(line: Uint8Array): void;
}

/**
 * Cuts chunks of bytes into lines that end in LF or CRLF. It works on bytes, so a character that arrives in two chunks
 * stays whole. Time is linear in the bytes, and what is held is at most one unfinished line.
 */
export class LineSplitter {
  readonly #scanner: LineScanner;

  /**
   * Starts at the beginning of a stream.
   *
   * @throws {RangeError} When `maxLineBytes` is not a positive integer.
   */
  constructor(options: LineSplitterOptions) {
    this.#scanner = new LineScanner({
      maxLineBytes: options.maxLineBytes,
      onSpan: (bytes, start, end) => options.onLine(bytes.subarray(start, end)),
    });
  }

  /**
   * Takes the next bytes and delivers the lines they finish. The chunk is not kept.
   *
   * @throws {TransportLimitError} When a line exceeds `maxLineBytes`. The lines before it were delivered; the splitter
   * is closed.
   */
  push(chunk: Uint8Array): void {
    this.#scanner.push(chunk);
  }

  /** The stream is over: delivers a last line without LF and closes. */
  end(): void {
    this.#scanner.end();
  }

  /** Delivers nothing more, not even the rest of a chunk under way. */
  close(): void {
    this.#scanner.close();
  }
}
