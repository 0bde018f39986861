/**
 * The beginning of a line whose end has not arrived.
 *
 * @module
 */

/** Kept between lines, so that ordinary ones do not allocate; what an unusually long one needed is given back. */
const RETAINED_BYTES = 64 * 1024;
const EMPTY = new Uint8Array(0);

/**
 * Collects the pieces of one line. The room doubles, so a byte is copied at most a few times however small the pieces
 * are, and pieces are copied, so a short rest of a large chunk does not keep the whole chunk alive.
 */
export class PartialLine {
  readonly #maxBytes: number;
  #buffer: Uint8Array = EMPTY;
  #length = 0;

  /** Makes room for at most `maxBytes`; the caller never appends more. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes collected so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds a piece. */
  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  /** Hands over what was collected, valid until the next `append`, and starts anew. */
  take(): Uint8Array {
    const line = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    if (this.#buffer.length > RETAINED_BYTES) this.#buffer = EMPTY;
    return line;
  }

  /** Drops everything. */
  clear(): void {
    this.#buffer = EMPTY;
    this.#length = 0;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(Math.min(Math.max(length, 2 * this.#buffer.length), this.#maxBytes));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
