import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { escapeControls, jsonLine } from "./terminal_text.ts";

/** Every code unit of Cc. */
const CONTROLS = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index)].map((
  code,
) => String.fromCharCode(code));

describe("escapeControls()", () => {
  const rows: [fact: string, text: string, shown: string][] = [
    ["keeps plain text, tabs and line breaks", "a\tb\nc é 漢 \u{1f680}", "a\tb\nc é 漢 \u{1f680}"],
    ["shows an escape sequence", "\x1b]0;title\x07\x1b[2J", "\\x1b]0;title\\x07\\x1b[2J"],
    ["shows a C1 control sequence introducer", "\x9b2J", "\\x9b2J"],
    ["shows DEL, backspace and a lone carriage return", "ok\rno\b\x7f", "ok\\x0dno\\x08\\x7f"],
    ["makes CR LF a line break", "a\r\nb\r\r\n", "a\nb\\x0d\n"],
    ["keeps U+00A0, the first that is no control", "\u00a0", "\u00a0"],
  ];
  for (const [fact, text, shown] of rows) {
    it(fact, () => assert.equal(escapeControls(text), shown));
  }

  it("leaves no control character but the tab and the line break", () => {
    const shown = escapeControls(CONTROLS.join(" "));
    assert.deepEqual(CONTROLS.filter((control) => shown.includes(control)), ["\t", "\n"]);
  });
});

describe("jsonLine()", () => {
  it("leaves no control character and keeps the meaning", () => {
    const value = { output: CONTROLS.join("\u{1f680}") };
    const line = jsonLine(value);
    assert.deepEqual(CONTROLS.filter((control) => line.includes(control)), []);
    assert.deepEqual(JSON.parse(line), value);
  });
});
