/**
 * The part of WebAssembly's types that is used: every runtime has it, but in TypeScript it comes with the DOM's.
 *
 * @module
 */
declare namespace WebAssembly {
  /** Bytes that grow by pages of 64 KiB. */
  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum?: number });
    /** The bytes as they are now. */
    readonly buffer: ArrayBuffer;
  }
  /** A module at work. */
  class Instance {
    constructor(module: Module, imports: Imports);
    /** What it offers. */
    readonly exports: Exports;
  }
  /** A compiled module. */
  // deno-lint-ignore no-empty-interface -- nothing of it is used
  interface Module {}
  /** What a module asks for. */
  type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What a module offers. */
  type Exports = Readonly<Record<string, unknown>>;
  /** Compiles a module. */
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  /** Tells whether bytes are a module. */
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
