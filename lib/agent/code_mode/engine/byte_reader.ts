/**
 * Reading WebAssembly's binary format.
 *
 * @module
 */

/** Bytes that are read from front to back. Numbers are LEB128, as everywhere in a WebAssembly module. */
export class ByteReader {
  /** The bytes. */
  readonly bytes: Uint8Array;
  /** Where the next read begins. */
  offset: number;

  /** Reads from an offset on. */
  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  /** Reads a byte. @throws {RangeError} When there is none. */
  byte(): number {
    const byte = this.bytes[this.offset];
    if (byte === undefined) throw new RangeError(`WebAssembly module ends at byte ${this.offset}`);
    this.offset++;
    return byte;
  }

  /** Reads an unsigned number of 32 bits. */
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError(`WebAssembly module has a number of more than 32 bits at byte ${this.offset}`);
  }

  /** Passes over a number of any size, signed or not. */
  skipNumber(): void {
    while (this.byte() >= 0x80);
  }

  /** Passes over bytes. */
  advance(count: number): void {
    this.offset += count;
  }

  /** Passes over a number of bytes that is told in front of them. */
  skipSized(): void {
    this.advance(this.u32());
  }

  /** The bytes from an offset to the next read. */
  since(offset: number): Uint8Array {
    return this.bytes.subarray(offset, this.offset);
  }
}
