/**
 * Writing WebAssembly's binary format.
 *
 * @module
 */

/** Bytes that are written one behind the other. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param expected About how many bytes there will be. */
  constructor(expected = 64) {
    this.#bytes = new Uint8Array(expected);
  }

  /** Writes bytes. */
  put(...bytes: readonly number[]): void {
    this.copy(bytes);
  }

  /** Writes bytes. */
  copy(bytes: ArrayLike<number>): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  /** Writes an unsigned number of 32 bits, as LEB128. */
  u32(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.put((rest & 0x7f) | 0x80);
    this.put(rest);
  }

  /** Writes ASCII text with its length in front. */
  name(text: string): void {
    this.u32(text.length);
    this.put(...Array.from(text, (character) => character.charCodeAt(0)));
  }

  /** Writes what another writer has, with its length in front. */
  sized(content: ByteWriter): void {
    const bytes = content.bytes();
    this.u32(bytes.length);
    this.copy(bytes);
  }

  /** What was written. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}
