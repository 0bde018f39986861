import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ByteReader } from "./byte_reader.ts";
import { namesFunction, OPCODE, skipOperands } from "./instructions.ts";

/** Instructions with their operands, as the specification writes them. */
const INSTRUCTIONS: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ["unreachable", [0x00]],
  ["block", [0x02, 0x40]],
  ["loop with a type of the module", [0x03, 0x80, 0x01]],
  ["if", [0x04, 0x7f]],
  ["else", [0x05]],
  ["end", [0x0b]],
  ["br", [0x0c, 0x01]],
  ["br_if", [0x0d, 0x80, 0x01]],
  ["br_table", [0x0e, 0x02, 0x00, 0x01, 0x81, 0x01]],
  ["return", [0x0f]],
  ["call", [0x10, 0xff, 0x01]],
  ["call_indirect", [0x11, 0x80, 0x01, 0x00]],
  ["return_call", [0x12, 0x01]],
  ["return_call_indirect", [0x13, 0x01, 0x00]],
  ["drop", [0x1a]],
  ["select", [0x1b]],
  ["select with a type", [0x1c, 0x01, 0x7f]],
  ["local.get", [0x20, 0x80, 0x01]],
  ["global.set", [0x24, 0x00]],
  ["table.set", [0x26, 0x00]],
  ["i32.load", [0x28, 0x02, 0x80, 0x08]],
  ["i64.store32", [0x3e, 0x02, 0x00]],
  ["memory.size", [0x3f, 0x00]],
  ["memory.grow", [0x40, 0x00]],
  ["i32.const", [0x41, 0xff, 0xff, 0xff, 0xff, 0x07]],
  ["i64.const", [0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f]],
  ["f32.const", [0x43, 0x80, 0x80, 0x80, 0x80]],
  ["f64.const", [0x44, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
  ["i32.eqz", [0x45]],
  ["i64.extend32_s", [0xc4]],
  ["ref.null", [0xd0, 0x70]],
  ["ref.is_null", [0xd1]],
  ["ref.func", [0xd2, 0x80, 0x01]],
  ["i64.trunc_sat_f64_u", [0xfc, 0x07]],
  ["memory.init", [0xfc, 0x08, 0x01, 0x00]],
  ["data.drop", [0xfc, 0x09, 0x01]],
  ["memory.copy", [0xfc, 0x0a, 0x00, 0x00]],
  ["memory.fill", [0xfc, 0x0b, 0x00]],
  ["table.init", [0xfc, 0x0c, 0x01, 0x00]],
  ["elem.drop", [0xfc, 0x0d, 0x01]],
  ["table.copy", [0xfc, 0x0e, 0x00, 0x00]],
  ["table.grow", [0xfc, 0x0f, 0x00]],
  ["table.fill", [0xfc, 0x11, 0x00]],
];

describe("skipOperands()", () => {
  for (const [name, bytes] of INSTRUCTIONS) {
    it(`finds the end of ${name}`, () => {
      const reader = new ByteReader(Uint8Array.from([...bytes, 0x0b]));
      skipOperands(reader.byte(), reader);
      assert.equal(reader.offset, bytes.length);
    });
  }

  for (
    const [what, bytes] of [
      ["of an exception", [0x06, 0x40]],
      ["of a vector", [0xfd, 0x00, 0x00, 0x00]],
      ["of threads", [0xfe, 0x03, 0x00]],
      ["behind the prefix that is not there", [0xfc, 0x12]],
      ["that is not there", [0xff]],
    ] as const
  ) {
    it(`throws at an instruction ${what}`, () => {
      const reader = new ByteReader(Uint8Array.from(bytes));
      assert.throws(
        () => skipOperands(reader.byte(), reader),
        new RangeError(`WebAssembly module has the unknown instruction 0x${bytes[0].toString(16)}`),
      );
    });
  }
});

describe("namesFunction()", () => {
  it("knows the three instructions that do", () => {
    const opcodes = Array.from({ length: 256 }, (_, opcode) => opcode);
    assert.deepEqual(opcodes.filter(namesFunction), [OPCODE.call, OPCODE.returnCall, OPCODE.refFunc]);
  });
});
