import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { meterModule, TICK_IMPORT } from "./meter_module.ts";

/** Bytes with their number in front. Everything here is shorter than 128 bytes. */
const sized = (...bytes: number[]): number[] => [bytes.length, ...bytes];
const section = (id: number, ...content: number[]): number[] => [id, ...sized(...content)];
const name = (text: string): number[] => sized(...new TextEncoder().encode(text));
const moduleOf = (...sections: number[][]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);

const [I32, FUNCTION, END, GET, SET, TEE] = [0x7f, 0x60, 0x0b, 0x20, 0x21, 0x22];
const [LOOP, BR_IF, CALL, CONST, ADD, SUB, VOID] = [0x03, 0x0d, 0x10, 0x41, 0x6a, 0x6b, 0x40];

const TYPES = section(1, 2, FUNCTION, 1, I32, 1, I32, FUNCTION, 0, 0);
const GLOBALS = section(6, 1, I32, 1, CONST, 7, END);
/** Function 0, from outside. */
const IMPORTS = section(2, 1, ...name("env"), ...name("add"), 0, 0);

/** Exports `count(n)`: loops n times and gives how often it did. */
const LOOPING = moduleOf(
  TYPES,
  IMPORTS,
  section(3, 1, 0),
  GLOBALS,
  section(7, 1, ...name("count"), 0, 1),
  section(
    10,
    1,
    ...sized(
      ...[1, 1, I32],
      ...[LOOP, VOID, GET, 1, CONST, 1, ADD, SET, 1],
      ...[GET, 0, CONST, 1, SUB, TEE, 0, BR_IF, 0, END],
      ...[GET, 1, END],
    ),
  ),
);

/** Exports `recurse(n)`: calls itself twice, n deep, without any loop. */
const RECURSING = moduleOf(
  TYPES,
  IMPORTS,
  section(3, 1, 0),
  GLOBALS,
  section(7, 1, ...name("recurse"), 0, 1),
  section(
    10,
    1,
    ...sized(
      ...[0, GET, 0, 0x04, I32, GET, 0, CONST, 1, SUB, CALL, 1],
      ...[GET, 0, CONST, 1, SUB, CALL, 1, ADD, 0x05, CONST, 1, END, END],
    ),
  ),
);

/**
 * Names functions in every way there is: function 1 is the start and sets global 0 to 40, 2 adds 1 through function 0 of
 * the host, 3 calls 2 through the table, 4 calls 3 and adds global 0. Between them a custom section.
 */
const NAMING = moduleOf(
  TYPES,
  IMPORTS,
  section(3, 4, 1, 0, 0, 0),
  section(4, 1, 0x70, 0, 2),
  [...section(0, ...name("note"), 1, 2, 3)],
  GLOBALS,
  section(7, 3, ...name("direct"), 0, 4, ...name("indirect"), 0, 3, ...name("table"), 1, 0),
  section(8, 1),
  section(9, 1, 0, CONST, 1, END, 1, 2),
  section(
    10,
    4,
    ...sized(0, CONST, 40, 0x24, 0, END),
    ...sized(0, GET, 0, CALL, 0, END),
    ...sized(0, GET, 0, CONST, 1, 0x11, 0, 0, END),
    ...sized(0, GET, 0, CALL, 3, 0x23, 0, ADD, END),
  ),
);

type Exports = Readonly<Record<string, (value: number) => number>>;

async function start(module: Uint8Array<ArrayBuffer>, tick: () => void): Promise<Exports> {
  const imports = {
    env: { add: (value: number) => value + 1 },
    [TICK_IMPORT.module]: { [TICK_IMPORT.name]: tick },
  };
  return new WebAssembly.Instance(await WebAssembly.compile(module), imports).exports as Exports;
}

describe("meterModule()", () => {
  it("makes a module call out while it loops, and changes nothing of what it does", async () => {
    let ticks = 0;
    const { count } = await start(meterModule(LOOPING), () => ticks++);
    assert.equal(count?.(1_000_000), 1_000_000);
    assert.equal(ticks, Math.ceil(1_000_001 / 8000));
    const plain = await start(LOOPING, () => {});
    assert.equal(plain.count?.(1_000_000), 1_000_000);
  });

  it("makes a module call out while it calls", async () => {
    let ticks = 0;
    const { recurse } = await start(meterModule(RECURSING), () => ticks++);
    assert.equal(recurse?.(15), 2 ** 15);
    assert.equal(ticks, Math.ceil((2 ** 16 - 1) / 8000));
  });

  it("ends a module with what the tick throws", async () => {
    const stop = new Error("stop");
    const { count } = await start(meterModule(LOOPING), () => {
      throw stop;
    });
    // Loops 2 ** 32 times.
    assert.throws(() => count?.(0), (error) => error === stop);
  });

  it("names the same functions as before, wherever one is named", async () => {
    for (const module of [NAMING, meterModule(NAMING)]) {
      const { direct, indirect } = await start(module, () => {});
      assert.deepEqual([indirect?.(1), direct?.(1)], [2, 42]);
    }
  });

  it("leaves nothing out but custom sections", () => {
    assert.ok(WebAssembly.validate(NAMING) && WebAssembly.validate(meterModule(NAMING)));
    assert.equal(new TextDecoder().decode(NAMING).includes("note"), true);
    assert.equal(new TextDecoder().decode(meterModule(NAMING)).includes("note"), false);
  });

  it("meters a metered module once more", async () => {
    let ticks = 0;
    const { count } = await start(meterModule(meterModule(LOOPING)), () => ticks++);
    assert.equal(count?.(100_000), 100_000);
    assert.ok(ticks > 2 * Math.floor(100_000 / 8000));
  });

  const refused: readonly (readonly [what: string, module: Uint8Array, message: RegExp])[] = [
    [
      "instructions that are unknown",
      moduleOf(TYPES, IMPORTS, section(3, 1, 1), GLOBALS, section(10, 1, ...sized(0, 0xfd, 0x0c, END))),
      /^WebAssembly module has the unknown instruction 0xfd$/,
    ],
    ["no globals", moduleOf(TYPES, IMPORTS), /^WebAssembly module has no imports, or no globals$/],
    ["no imports", moduleOf(TYPES, GLOBALS), /no imports, or no globals/],
    [
      "functions, and no globals",
      moduleOf(TYPES, IMPORTS, section(3, 1, 1), section(10, 1, ...sized(0, END))),
      /no globals/,
    ],
    [
      "elements of another kind",
      moduleOf(TYPES, IMPORTS, GLOBALS, section(9, 1, 1, 0, 0)),
      /elements of the unknown kind 1/,
    ],
    [
      "imports of another kind",
      moduleOf(TYPES, section(2, 1, ...name("a"), ...name("b"), 4, 0, 0)),
      /imports something of the unknown kind 4/,
    ],
    [
      "a section that is longer than what is in it",
      moduleOf(TYPES, section(8, 1, 1)),
      /a section 8 that is not/,
    ],
    ["an end that comes too early", LOOPING.subarray(0, LOOPING.length - 5), /WebAssembly module/],
  ];
  for (const [what, module, message] of refused) {
    it(`refuses a module with ${what}`, () => {
      assert.throws(
        () => meterModule(module),
        (error) => error instanceof RangeError && message.test(error.message),
      );
    });
  }
});
