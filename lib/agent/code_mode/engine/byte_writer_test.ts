import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";

describe("ByteWriter", () => {
  it("writes bytes, names and what another one has", () => {
    const inner = new ByteWriter();
    inner.put(1, 2);
    const writer = new ByteWriter(1);
    writer.name("ab");
    writer.sized(inner);
    writer.copy(Uint8Array.of(9));
    assert.deepEqual([...writer.bytes()], [2, 97, 98, 2, 1, 2, 9]);
  });

  it("writes numbers as they are read", () => {
    fc.assert(fc.property(fc.array(fc.nat(2 ** 32 - 1)), (numbers) => {
      const writer = new ByteWriter(0);
      for (const number of numbers) writer.u32(number);
      const reader = new ByteReader(writer.bytes());
      assert.deepEqual(numbers.map(() => reader.u32()), numbers);
      assert.equal(reader.offset, reader.bytes.length);
    }));
  });
});
