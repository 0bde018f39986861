import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ByteReader } from "./byte_reader.ts";

const reading = (...bytes: number[]) => new ByteReader(Uint8Array.from(bytes));

describe("ByteReader", () => {
  it("reads numbers of any size, each as long as it is", () => {
    const reader = reading(0, 0x7f, 0x80, 0x01, 0xe5, 0x8e, 0x26, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x80, 0x00);
    assert.deepEqual(Array.from({ length: 6 }, () => reader.u32()), [0, 127, 128, 624485, 2 ** 32 - 1, 0]);
    assert.equal(reader.offset, 14);
  });

  it("passes over what it is told to", () => {
    const reader = reading(0x80, 0x80, 0x7f, 2, 8, 9, 1, 7);
    reader.skipNumber();
    reader.skipSized();
    reader.advance(1);
    assert.equal(reader.byte(), 7);
    assert.deepEqual([...reader.since(3)], [2, 8, 9, 1, 7]);
  });

  for (
    const [what, reader] of [
      ["ends in a number", reading(0x80)],
      ["ends in front of one", reading()],
      ["has a number of six bytes", reading(0x80, 0x80, 0x80, 0x80, 0x80, 0x01)],
    ] as const
  ) {
    it(`throws when the module ${what}`, () => assert.throws(() => reader.u32(), RangeError));
  }

  it("throws when the module ends in a number that is passed over", () => {
    assert.throws(() => reading(0x80).skipNumber(), RangeError);
  });
});
