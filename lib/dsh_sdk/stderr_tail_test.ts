import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StderrTail } from "./stderr_tail.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("StderrTail", () => {
  it("keeps a short text as it is", () => {
    const tail = new StderrTail();
    assert.equal(tail.text, "");
    tail.append(bytes("one\ntwo"));
    tail.append(bytes(" and a half\n"));
    assert.equal(tail.text, "one\ntwo and a half\n");
  });

  it("keeps a character whole that comes in two chunks", () => {
    const tail = new StderrTail();
    const [first, ...rest] = bytes("ö");
    tail.append(new Uint8Array([first ?? 0]));
    tail.append(new Uint8Array(rest));
    assert.equal(tail.text, "ö");
  });

  it("replaces what is no text", () => {
    const tail = new StderrTail();
    tail.append(new Uint8Array([0xff, 0x41]));
    assert.equal(tail.text, "\ufffdA");
  });

  for (const [name, last] of [["a finished", "399\n"], ["an unfinished", "399"]] as const) {
    it(`keeps the last 400 lines before ${name} last line`, () => {
      const tail = new StderrTail();
      const lines = Array.from({ length: 1000 }, (_, index) => `line ${index - 600}`);
      tail.append(bytes(`${lines.slice(0, -1).join("\n")}\nline ${last}`));
      const expected = [...Array.from({ length: 399 }, (_, index) => `line ${index}`), `line ${last}`].join(
        "\n",
      );
      assert.equal(tail.text, expected);
    });
  }

  it("keeps at most 65536 characters of an endless line, in whatever chunks it comes", () => {
    for (const size of [1, 1000, 300_000]) {
      const tail = new StderrTail();
      const chunk = bytes("x".repeat(size));
      for (let sent = 0; sent < 300_000; sent += size) tail.append(chunk);
      tail.append(bytes("end"));
      assert.equal(tail.text, `${"x".repeat(65_533)}end`);
    }
  });

  it("does not keep the chunk", () => {
    const tail = new StderrTail();
    const chunk = bytes("before");
    tail.append(chunk);
    chunk.fill(0x41);
    assert.equal(tail.text, "before");
  });
});
