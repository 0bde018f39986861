import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skipTerminalSequences } from "./terminal_sequence.ts";

const encoder = new TextEncoder();

function rest(line: string): string {
  const bytes = encoder.encode(line);
  return new TextDecoder().decode(bytes.subarray(skipTerminalSequences(bytes, 0, bytes.length)));
}

describe("skipTerminalSequences()", () => {
  for (
    const { name, line, left } of [
      { name: "leaves a line without any", line: "{}", left: "{}" },
      { name: "leaves an empty line", line: "", left: "" },
      { name: "skips a colour", line: "\x1b[1;31m{}", left: "{}" },
      { name: "skips a private mode", line: "\x1b[?25h{}", left: "{}" },
      { name: "skips a sequence with an intermediate byte", line: "\x1b[0 q{}", left: "{}" },
      { name: "skips a window title ended by BEL", line: "\x1b]0;npx agent\x07{}", left: "{}" },
      { name: "skips a window title ended by ESC backslash", line: "\x1b]0;npx agent\x1b\\{}", left: "{}" },
      { name: "skips several", line: "\x1b]0;t\x07\x1b[?25l\x1b[2J{}", left: "{}" },
      { name: "leaves sequences behind the start", line: "{\x1b[0m}", left: "{\x1b[0m}" },
      { name: "leaves an unfinished sequence", line: "\x1b[1;31", left: "\x1b[1;31" },
      { name: "leaves an unfinished title", line: "\x1b]0;title", left: "\x1b]0;title" },
      {
        name: "leaves a title broken by another sequence",
        line: "\x1b]0;t\x1b[0m{}",
        left: "\x1b]0;t\x1b[0m{}",
      },
      { name: "leaves a sequence broken by a control byte", line: "\x1b[1\x01m{}", left: "\x1b[1\x01m{}" },
      { name: "leaves other escapes", line: "\x1bM{}", left: "\x1bM{}" },
      { name: "leaves a lone ESC", line: "\x1b", left: "\x1b" },
      { name: "stops in front of an unfinished one", line: "\x1b[0m\x1b[", left: "\x1b[" },
    ]
  ) {
    it(name, () => assert.equal(rest(line), left));
  }

  it("looks at no byte outside the span", () => {
    const bytes = encoder.encode("\x1b]0;t\x1b\\{}");
    assert.equal(skipTerminalSequences(bytes, 0, 6), 0);
    assert.equal(skipTerminalSequences(bytes, 0, 7), 7);
    assert.equal(skipTerminalSequences(bytes, 7, 9), 7);
  });
});
