import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import fc from "fast-check";
import { TransportLimitError } from "./errors.ts";
import { LineSplitter } from "./line_splitter.ts";

const encoder = new TextEncoder();
const KIBI = 1024;
const MEBI = 1024 * KIBI;

/** What a splitter makes of chunks: its lines as text, and whether it gave up. */
function split(chunks: Iterable<Uint8Array>, maxLineBytes = MEBI): { lines: string[]; limit: boolean } {
  const lines: string[] = [];
  const splitter = new LineSplitter({ maxLineBytes, onLine: (line) => lines.push(latin1(line)) });
  try {
    for (const chunk of chunks) splitter.push(chunk);
    splitter.end();
    return { lines, limit: false };
  } catch (error) {
    assert.ok(TransportLimitError.is(error));
    return { lines, limit: true };
  }
}

// One character a byte, so that a comparison of texts is one of bytes.
function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

const text = (line: string): string => latin1(encoder.encode(line));

describe("LineSplitter", () => {
  for (
    const { name, chunks, lines } of [
      { name: "cuts at LF", chunks: ["a\nb\n"], lines: ["a", "b"] },
      { name: "cuts at CRLF", chunks: ["a\r\nb\r\n"], lines: ["a", "b"] },
      { name: "cuts at a CRLF in two chunks", chunks: ["a\r", "\nb\r", "\n"], lines: ["a", "b"] },
      { name: "keeps a CR inside a line", chunks: ["a\rb\n"], lines: ["a\rb"] },
      { name: "drops one CR of several", chunks: ["a\r\r\n"], lines: ["a\r"] },
      { name: "joins a line of several chunks", chunks: ["a", "b", "c\nd", "e\n"], lines: ["abc", "de"] },
      { name: "delivers a last line without LF", chunks: ["a\nb"], lines: ["a", "b"] },
      { name: "drops the CR of a last line without LF", chunks: ["a\r"], lines: ["a"] },
      { name: "drops blank lines", chunks: ["\n\r\n \n\t \r\na\n\n"], lines: ["a"] },
      { name: "keeps white space around a line", chunks: [" a \n"], lines: [" a "] },
      { name: "drops a byte order mark at the start", chunks: ["\ufeffa\n"], lines: ["a"] },
      { name: "drops a byte order mark of a later line", chunks: ["a\n\ufeffb\n"], lines: ["a", "b"] },
      { name: "keeps a byte order mark inside a line", chunks: ["a\ufeffb\n"], lines: ["a\ufeffb"] },
      { name: "drops a line of a byte order mark only", chunks: ["\ufeff\r\na\n"], lines: ["a"] },
      { name: "takes empty chunks", chunks: ["", "a", "", "\n", ""], lines: ["a"] },
      { name: "delivers nothing of nothing", chunks: [], lines: [] },
    ]
  ) {
    it(name, () => {
      assert.deepEqual(split(chunks.map((chunk) => encoder.encode(chunk))), {
        lines: lines.map(text),
        limit: false,
      });
    });
  }

  it("keeps a character whole that arrives byte by byte", () => {
    const bytes = encoder.encode("é€😀\n");
    assert.deepEqual(split([...bytes].map((byte) => Uint8Array.of(byte))).lines, [text("é€😀")]);
  });

  it("cuts out a byte order mark that arrives byte by byte", () => {
    assert.deepEqual(
      split([[0xef], [0xbb], [0xbf, 0x61], [0x0a]].map((bytes) => Uint8Array.from(bytes))).lines,
      ["a"],
    );
  });

  it("takes Buffers and delivers views that a Buffer's methods work on", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter({ maxLineBytes: 10, onLine: (line) => lines.push(line.toString()) });
    splitter.push(Buffer.from("é\nx\n"));
    assert.deepEqual(lines, ["é", "x"]);
  });

  it("delivers synchronously and in order", () => {
    const events: string[] = [];
    const splitter = new LineSplitter({ maxLineBytes: 10, onLine: (line) => events.push(latin1(line)) });
    splitter.push(encoder.encode("a\nb\nc"));
    events.push("pushed");
    splitter.end();
    assert.deepEqual(events, ["a", "b", "pushed", "c"]);
  });

  it("delivers nothing after close(), not even the rest of the chunk", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter({
      maxLineBytes: 10,
      onLine: (line) => {
        lines.push(latin1(line));
        if (lines.length === 2) splitter.close();
      },
    });
    splitter.push(encoder.encode("a\nb\nc\nd"));
    splitter.push(encoder.encode("e\n"));
    splitter.end();
    assert.deepEqual(lines, ["a", "b"]);
  });

  it("delivers nothing after end()", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter({ maxLineBytes: 10, onLine: (line) => lines.push(latin1(line)) });
    splitter.push(encoder.encode("a"));
    splitter.end();
    splitter.push(encoder.encode("b\n"));
    splitter.end();
    assert.deepEqual(lines, ["a"]);
  });

  it("lets out what onLine throws", () => {
    const failure = new Error("from onLine");
    const splitter = new LineSplitter({
      maxLineBytes: 10,
      onLine: () => {
        throw failure;
      },
    });
    assert.throws(() => splitter.push(encoder.encode("a\n")), failure);
  });

  for (const maxLineBytes of [0, -1, 1.5, NaN, Infinity]) {
    it(`refuses a limit of ${maxLineBytes}`, () => {
      assert.throws(() => new LineSplitter({ maxLineBytes, onLine: () => {} }), {
        name: "RangeError",
        message: `maxLineBytes must be a positive integer, got ${maxLineBytes}`,
      });
    });
  }
});

describe("LineSplitter's limit", () => {
  for (
    const { name, chunks, lines, limit } of [
      {
        name: "allows a finished line of exactly so many bytes",
        chunks: ["12345\n"],
        lines: ["12345"],
        limit: false,
      },
      { name: "refuses a finished line of one more", chunks: ["123456\n"], lines: [], limit: true },
      {
        name: "allows an unfinished line of exactly so many bytes",
        chunks: ["12345"],
        lines: ["12345"],
        limit: false,
      },
      { name: "refuses an unfinished line of one more", chunks: ["123456"], lines: [], limit: true },
      { name: "adds up the pieces of a finished line", chunks: ["123", "456\n"], lines: [], limit: true },
      {
        name: "adds up the pieces of an unfinished line",
        chunks: ["12", "34", "56"],
        lines: [],
        limit: true,
      },
      { name: "delivers the lines before", chunks: ["a\nb\n123456\nc\n"], lines: ["a", "b"], limit: true },
      { name: "counts bytes, not characters", chunks: ["ééé\n"], lines: [], limit: true },
      { name: "counts the CR", chunks: ["12345\r\n"], lines: [], limit: true },
      { name: "counts blanks", chunks: ["      \n"], lines: [], limit: true },
      {
        name: "starts anew with each line",
        chunks: ["12345\n12", "345\n12345"],
        lines: ["12345", "12345", "12345"],
        limit: false,
      },
    ]
  ) {
    it(name, () => {
      assert.deepEqual(split(chunks.map((chunk) => encoder.encode(chunk)), 5), { lines, limit });
    });
  }

  it("error tells the limit", () => {
    const splitter = new LineSplitter({ maxLineBytes: 5, onLine: () => {} });
    assert.throws(() => splitter.push(encoder.encode("123456")), { limitBytes: 5, what: "message" });
  });

  it("closes the splitter when exceeded", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter({ maxLineBytes: 5, onLine: (line) => lines.push(latin1(line)) });
    assert.throws(() => splitter.push(encoder.encode("123456")));
    splitter.push(encoder.encode("7\nb\n"));
    splitter.end();
    assert.deepEqual(lines, []);
  });
});

/** Bytes that are likely to matter. */
const streams = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom([0x0a], [0x0d], [0x0d, 0x0a], [0x20], [0x09], [0xef, 0xbb, 0xbf], [0xbb]),
    },
    { weight: 3, arbitrary: fc.constantFrom([0x7b, 0x7d], [0xc3, 0xa9], [0xf0, 0x9f, 0x98, 0x80]) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }).map((byte) => [byte]) },
  ),
  { maxLength: 60 },
).map((pieces) => Uint8Array.from(pieces.flat()));

const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 20 });

function* cut(bytes: Uint8Array, places: readonly number[]): Generator<Uint8Array> {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((left, right) => left - right);
  let start = 0;
  for (const end of [...sorted, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

/** The rules, said once more over whole text and without any thought of speed. */
function model(bytes: Uint8Array, maxLineBytes: number): { lines: string[]; limit: boolean } {
  const lines: string[] = [];
  for (const raw of latin1(bytes).split("\n")) {
    if (raw.length > maxLineBytes) return { lines, limit: true };
    const line = raw.replace(/^\u00ef\u00bb\u00bf/, "").replace(/\r$/, "");
    if (/[^ \t\r]/.test(line)) lines.push(line);
  }
  return { lines, limit: false };
}

describe("LineSplitter, for any bytes in any chunks,", () => {
  it("agrees with a naive model", () => {
    fc.assert(
      fc.property(streams, cuts, fc.integer({ min: 1, max: 40 }), (bytes, places, maxLineBytes) => {
        assert.deepEqual(split(cut(bytes, places), maxLineBytes), model(bytes, maxLineBytes));
      }),
      { numRuns: 1000 },
    );
  });

  it("does not depend on a chunk after the call that brought it", () => {
    fc.assert(fc.property(streams, cuts, (bytes, places) => {
      function* overwritten(): Generator<Uint8Array> {
        for (const chunk of cut(bytes, places)) {
          const own = new Uint8Array(chunk);
          yield own;
          own.fill(0x78);
        }
      }
      assert.deepEqual(split(overwritten()), model(bytes, MEBI));
    }));
  });
});

/** Counts the bytes that are copied into typed arrays while `action` runs. */
function copiedBytes(action: () => void): number {
  const prototype = Object.getPrototypeOf(Uint8Array.prototype) as {
    set(source: ArrayLike<number>, at?: number): void;
  };
  const original = prototype.set;
  let copied = 0;
  prototype.set = function (this: Uint8Array, source, at) {
    copied += source.length;
    original.call(this, source, at);
  };
  try {
    action();
  } finally {
    prototype.set = original;
  }
  return copied;
}

describe("LineSplitter's cost", () => {
  for (
    const { size, chunkSize } of [
      { size: 32 * MEBI, chunkSize: 64 * KIBI },
      { size: 32 * MEBI, chunkSize: 64 * KIBI - 1 },
      { size: MEBI, chunkSize: 1 },
      { size: MEBI + 1, chunkSize: 7 },
    ]
  ) {
    it(`of a line of ${size} bytes in chunks of ${chunkSize} is at most three copies of each byte`, () => {
      const chunk = new Uint8Array(chunkSize).fill(0x61);
      let delivered = 0;
      const splitter = new LineSplitter({
        maxLineBytes: size,
        onLine: (line) => void (delivered = line.length),
      });
      const copied = copiedBytes(() => {
        for (let sent = 0; sent < size; sent += chunkSize) {
          splitter.push(chunk.subarray(0, Math.min(chunkSize, size - sent)));
        }
        splitter.push(Uint8Array.of(0x0a));
      });
      assert.equal(delivered, size);
      assert.ok(copied >= size, `${copied} copied: the count counts nothing`);
      assert.ok(copied <= 3 * size, `${copied} copied`);
    });
  }

  it("of lines that end in their own chunk is no copy", () => {
    const splitter = new LineSplitter({ maxLineBytes: KIBI, onLine: () => {} });
    const chunk = encoder.encode("a line\n".repeat(1000));
    assert.equal(copiedBytes(() => splitter.push(chunk)), 0);
  });
});

describe("LineSplitter's memory", () => {
  /** Size of the memory behind a line that arrives in two chunks after `before`. */
  function roomOfNextLine(before: readonly Uint8Array[], head: Uint8Array): number {
    let room = 0;
    const splitter = new LineSplitter({
      maxLineBytes: 4 * MEBI,
      onLine: (line) => void (room = line.buffer.byteLength),
    });
    for (const chunk of before) splitter.push(chunk);
    splitter.push(head);
    splitter.push(encoder.encode("z\n"));
    return room;
  }

  it("holds a short rest of a long chunk, not the chunk", () => {
    const chunk = encoder.encode(`${"x".repeat(64 * KIBI)}\nrest`);
    assert.ok(roomOfNextLine([], chunk) < KIBI);
  });

  it("gives back what one long line needed", () => {
    const long = [new Uint8Array(2 * MEBI).fill(0x61), encoder.encode("\n")];
    assert.ok(roomOfNextLine(long, encoder.encode("a")) < KIBI);
  });

  it("makes no more room for a line than the limit", () => {
    let room = 0;
    const splitter = new LineSplitter({
      maxLineBytes: 1000,
      onLine: (line) => void (room = line.buffer.byteLength),
    });
    splitter.push(new Uint8Array(600).fill(0x61));
    splitter.push(new Uint8Array(400).fill(0x61));
    splitter.push(encoder.encode("\n"));
    assert.equal(room, 1000);
  });
});
