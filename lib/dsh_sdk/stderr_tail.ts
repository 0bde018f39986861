/**
 * The last of what a runtime wrote to stderr.
 *
 * @module
 */

const MAX_LINES = 400;
const MAX_CHARACTERS = 64 * 1024;

/** Keeps the end of a stream of text: at most 400 lines and 65536 UTF-16 code units, however much was written. */
export class StderrTail {
  readonly #decoder = new TextDecoder();
  #text = "";

  /** Takes the next bytes; the chunk is not kept. */
  append(chunk: Uint8Array): void {
    this.#text += this.#decoder.decode(chunk, { stream: true });
    // Cut at twice the size, so that a flood of small chunks does not copy the whole tail each time.
    if (this.#text.length > 2 * MAX_CHARACTERS) this.#text = this.#text.slice(-MAX_CHARACTERS);
  }

  /** The tail as it is now. */
  get text(): string {
    const tail = this.#text.slice(-MAX_CHARACTERS);
    const lines = tail.split("\n");
    // A final newline ends the last line; it does not begin another.
    const kept = tail.endsWith("\n") ? MAX_LINES + 1 : MAX_LINES;
    return lines.length > kept ? lines.slice(-kept).join("\n") : tail;
  }
}
