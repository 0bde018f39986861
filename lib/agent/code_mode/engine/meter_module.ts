/**
 * Making WebAssembly stoppable.
 *
 * A module that computes is not interrupted by anybody: the engine asks its host now and then whether to go on, but only
 * between the steps of a program. One built-in over a few megabytes, called in a loop, keeps it from asking for minutes, and
 * `[].indexOf.call({ length: 2 ** 53 - 1 }, 1)` for ever. So the module itself is changed: whatever it does, it does not
 * loop or call eight thousand times without calling out.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { namesFunction, OPCODE, skipOperands } from "./instructions.ts";

/** What a metered module imports besides what it imported before: a function without parameters and results. */
export const TICK_IMPORT = { module: "meter", name: "tick" } as const;

/** Loops and calls between two ticks; under a millisecond. Below 2 ** 13: in two bytes of a signed constant. */
const PERIOD = 8_000;

const HEADER_BYTES = 8;
const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
} as const;
const KIND = { function: 0, table: 1, memory: 2, global: 3 } as const;
const I32 = 0x7f;
const FUNCTION_TYPE = 0x60;

/** What is needed for the tick and for the count is added to lists that every real module has. */
const NOTHING_TO_ADD_TO = "WebAssembly module has no imports, or no globals";

/**
 * Rewrites a WebAssembly module so that it calls {@link TICK_IMPORT} again and again while it computes, at each loop's turn
 * and each function's begin counting down. What that call throws leaves the module for good. Nothing else of it changes,
 * but that its custom sections, which nothing runs on, are left out.
 *
 * @throws {RangeError} When there is something in it that is not understood.
 */
export function meterModule(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new ModuleMeter(bytes).run();
}

class ModuleMeter {
  readonly #reader: ByteReader;
  readonly #out: ByteWriter;
  #types = 0;
  #hasImports = false;
  #importedFunctions = 0;
  #globals = 0;
  #probe: Uint8Array | undefined;

  constructor(bytes: Uint8Array) {
    this.#reader = new ByteReader(bytes);
    this.#out = new ByteWriter(bytes.length + (bytes.length >> 2));
  }

  run(): Uint8Array<ArrayBuffer> {
    const reader = this.#reader;
    reader.advance(HEADER_BYTES);
    this.#out.copy(reader.since(0));
    while (reader.offset < reader.bytes.length) {
      const id = reader.byte();
      const size = reader.u32();
      const end = reader.offset + size;
      if (id === SECTION.custom) reader.advance(size);
      else {
        const content = new ByteWriter(size + (size >> 2));
        this.#rewrite(id, end, content);
        if (reader.offset !== end) {
          throw new RangeError(`WebAssembly module has a section ${id} that is not understood`);
        }
        this.#out.put(id);
        this.#out.sized(content);
      }
    }
    if (this.#probe === undefined) throw new RangeError(NOTHING_TO_ADD_TO);
    return this.#out.bytes();
  }

  #rewrite(id: number, end: number, out: ByteWriter): void {
    const reader = this.#reader;
    switch (id) {
      case SECTION.type:
        return this.#rewriteTypes(end, out);
      case SECTION.import:
        return this.#rewriteImports(out);
      case SECTION.global:
        return this.#rewriteGlobals(out);
      case SECTION.export:
        return this.#each(out, () => this.#rewriteExport(out));
      case SECTION.start:
        return out.u32(this.#shifted(reader.u32()));
      case SECTION.element:
        return this.#each(out, () => this.#rewriteElements(out));
      case SECTION.code:
        return this.#each(out, () => this.#rewriteFunction(out));
      default:
        return out.copy(this.#take(end));
    }
  }

  #rewriteTypes(end: number, out: ByteWriter): void {
    this.#types = this.#reader.u32();
    out.u32(this.#types + 1);
    out.copy(this.#take(end));
    out.put(FUNCTION_TYPE, 0, 0);
  }

  /** Imported functions come first in the numbering, so that one more moves all that are the module's own. */
  #rewriteImports(out: ByteWriter): void {
    const reader = this.#reader;
    this.#hasImports = true;
    const count = reader.u32();
    const begin = reader.offset;
    for (let index = 0; index < count; index++) {
      reader.skipSized();
      reader.skipSized();
      const kind = reader.byte();
      if (kind === KIND.function) {
        reader.skipNumber();
        this.#importedFunctions++;
      } else if (kind === KIND.table || kind === KIND.memory) {
        if (kind === KIND.table) reader.advance(1);
        const hasMaximum = (reader.byte() & 1) === 1;
        reader.skipNumber();
        if (hasMaximum) reader.skipNumber();
      } else if (kind === KIND.global) {
        reader.advance(2);
        this.#globals++;
      } else throw new RangeError(`WebAssembly module imports something of the unknown kind ${kind}`);
    }
    out.u32(count + 1);
    out.copy(reader.since(begin));
    out.name(TICK_IMPORT.module);
    out.name(TICK_IMPORT.name);
    out.put(KIND.function);
    out.u32(this.#types);
  }

  #rewriteGlobals(out: ByteWriter): void {
    const count = this.#reader.u32();
    out.u32(count + 1);
    for (let index = 0; index < count; index++) {
      out.put(this.#reader.byte(), this.#reader.byte());
      this.#rewriteConstant(out);
    }
    out.put(I32, 1, OPCODE.i32Const, 0, OPCODE.end);
    if (this.#hasImports) this.#probe = probe(this.#globals + count, this.#importedFunctions);
  }

  #rewriteExport(out: ByteWriter): void {
    const reader = this.#reader;
    const begin = reader.offset;
    reader.skipSized();
    const kind = reader.byte();
    out.copy(reader.since(begin));
    const index = reader.u32();
    out.u32(kind === KIND.function ? this.#shifted(index) : index);
  }

  /** Only the plainest of eight kinds: functions of the first table, which is what compilers of C make. */
  #rewriteElements(out: ByteWriter): void {
    const kind = this.#reader.u32();
    if (kind !== 0) throw new RangeError(`WebAssembly module has elements of the unknown kind ${kind}`);
    out.u32(kind);
    this.#rewriteConstant(out);
    this.#each(out, () => out.u32(this.#shifted(this.#reader.u32())));
  }

  #rewriteFunction(out: ByteWriter): void {
    const reader = this.#reader;
    const size = reader.u32();
    const begin = reader.offset;
    const end = begin + size;
    const body = new ByteWriter(size * 2);
    for (let groups = reader.u32(); groups > 0; groups--) {
      reader.skipNumber();
      reader.advance(1);
    }
    body.copy(reader.since(begin));
    this.#insertProbe(body);
    while (reader.offset < end) this.#rewriteInstruction(body);
    out.sized(body);
  }

  #rewriteConstant(out: ByteWriter): void {
    while (this.#rewriteInstruction(out) !== OPCODE.end);
  }

  #rewriteInstruction(out: ByteWriter): number {
    const reader = this.#reader;
    const begin = reader.offset;
    const opcode = reader.byte();
    if (namesFunction(opcode)) {
      out.put(opcode);
      out.u32(this.#shifted(reader.u32()));
      return opcode;
    }
    skipOperands(opcode, reader);
    out.copy(reader.since(begin));
    if (opcode === OPCODE.loop) this.#insertProbe(out);
    return opcode;
  }

  #insertProbe(out: ByteWriter): void {
    if (this.#probe === undefined) throw new RangeError(NOTHING_TO_ADD_TO);
    out.copy(this.#probe);
  }

  #each(out: ByteWriter, rewrite: () => void): void {
    const count = this.#reader.u32();
    out.u32(count);
    for (let index = 0; index < count; index++) rewrite();
  }

  #shifted(functionIndex: number): number {
    return functionIndex < this.#importedFunctions ? functionIndex : functionIndex + 1;
  }

  #take(end: number): Uint8Array {
    const begin = this.#reader.offset;
    this.#reader.offset = end;
    return this.#reader.since(begin);
  }
}

/** `if (left === 0) { tick(); left = PERIOD } left = left - 1` */
function probe(left: number, tick: number): Uint8Array {
  const EMPTY_BLOCK = 0x40;
  const out = new ByteWriter();
  const withIndex = (opcode: number, index: number) => {
    out.put(opcode);
    out.u32(index);
  };
  withIndex(OPCODE.globalGet, left);
  out.put(OPCODE.i32Eqz, OPCODE.if, EMPTY_BLOCK);
  withIndex(OPCODE.call, tick);
  withIndex(OPCODE.i32Const, PERIOD);
  withIndex(OPCODE.globalSet, left);
  out.put(OPCODE.end);
  withIndex(OPCODE.globalGet, left);
  out.put(OPCODE.i32Const, 1, OPCODE.i32Sub);
  withIndex(OPCODE.globalSet, left);
  return out.bytes();
}
