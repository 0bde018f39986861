/**
 * WebAssembly's instructions, as far as it takes to tell where one ends and which of them name a function.
 *
 * Source: WebAssembly Core Specification 2.0, section 5.4. Vectors, threads and exceptions are not among them: the engine is
 * built without.
 *
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";

/** Opcodes that are told apart from all others. */
export const OPCODE = {
  if: 0x04,
  loop: 0x03,
  end: 0x0b,
  call: 0x10,
  returnCall: 0x12,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32Eqz: 0x45,
  i32Sub: 0x6b,
  refFunc: 0xd2,
} as const;

/** Tells whether an instruction names a function, as its one operand. */
export function namesFunction(opcode: number): boolean {
  return opcode === OPCODE.call || opcode === OPCODE.returnCall || opcode === OPCODE.refFunc;
}

/**
 * Passes over the operands of an instruction.
 *
 * @throws {RangeError} When the instruction is unknown: where it ends is unknown too.
 */
export function skipOperands(opcode: number, reader: ByteReader): void {
  if (opcode === BRANCH_TABLE) return skipNumbers(reader, reader.u32() + 1);
  if (opcode === TYPED_SELECT) return reader.skipSized();
  if (opcode === F32_CONST) return reader.advance(4);
  if (opcode === F64_CONST) return reader.advance(8);
  const count = opcode === PREFIX ? PREFIXED[reader.u32()] : OPERANDS[opcode];
  if (count === undefined) {
    throw new RangeError(`WebAssembly module has the unknown instruction 0x${opcode.toString(16)}`);
  }
  skipNumbers(reader, count);
}

function skipNumbers(reader: ByteReader, count: number): void {
  for (let left = count; left > 0; left--) reader.skipNumber();
}

const BRANCH_TABLE = 0x0e;
const TYPED_SELECT = 0x1c;
const F32_CONST = 0x43;
const F64_CONST = 0x44;
const PREFIX = 0xfc;

/** How many numbers follow an opcode. */
const OPERANDS: readonly (number | undefined)[] = tableOf([
  // unreachable, nop; block, loop, if; else, end; br, br_if; return; call, call_indirect and their tail calls
  [0x00, 0x01, 0],
  [0x02, 0x04, 1],
  [0x05, 0x05, 0],
  [0x0b, 0x0b, 0],
  [0x0c, 0x0d, 1],
  [0x0f, 0x0f, 0],
  [0x10, 0x10, 1],
  [0x11, 0x11, 2],
  [0x12, 0x12, 1],
  [0x13, 0x13, 2],
  // drop, select; variables and tables; loads and stores; memory.size, memory.grow; i32.const, i64.const; arithmetic
  [0x1a, 0x1b, 0],
  [0x20, 0x26, 1],
  [0x28, 0x3e, 2],
  [0x3f, 0x42, 1],
  [0x45, 0xc4, 0],
  // ref.null, ref.is_null, ref.func
  [0xd0, 0xd0, 1],
  [0xd1, 0xd1, 0],
  [0xd2, 0xd2, 1],
]);

/** The same behind the prefix: saturating conversions, bulk memory and tables. */
const PREFIXED: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

function tableOf(
  ranges: readonly (readonly [first: number, last: number, operands: number])[],
): readonly (number | undefined)[] {
  const table = new Array<number | undefined>(0x100).fill(undefined);
  for (const [first, last, operands] of ranges) table.fill(operands, first, last + 1);
  return table;
}
