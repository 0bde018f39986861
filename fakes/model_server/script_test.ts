import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readScript, type Script } from "./script.ts";

describe("readScript()", () => {
  const rows: [fact: string, text: string, script: Script | undefined][] = [
    ["finds no script in ordinary text", "Please sum up this folder", undefined],
    ["reads SAY to the end of the line", "SAY:hello there\nmore", {
      line: "SAY:hello there",
      say: "hello there",
    }],
    ["keeps what stands before the first word out of the line", "Hi! SAY:x", { line: "SAY:x", say: "x" }],
    ["reads a limit", "STOP:max_tokens", {
      line: "STOP:max_tokens",
      stop: { reason: "max-tokens", always: false },
    }],
    ["reads a limit that stays", "STOP:max_tokens!", {
      line: "STOP:max_tokens!",
      stop: { reason: "max-tokens", always: true },
    }],
    ["reads a refusal", "STOP:refusal", { line: "STOP:refusal", stop: { reason: "refusal", always: false } }],
    ["reads an error for ever", "HTTP:500", { line: "HTTP:500", http: { status: 500, times: Infinity } }],
    ["reads an error for some requests", "HTTP:429*2", {
      line: "HTTP:429*2",
      http: { status: 429, times: 2 },
    }],
    ["reads a pace", "SLOW:20", { line: "SLOW:20", slow: { delayMs: 20 } }],
    ["reads a pace with a number of words", "SLOW:20:3", {
      line: "SLOW:20:3",
      slow: { delayMs: 20, words: 3 },
    }],
    ["reads the two bare words", "CUT HANG", { line: "CUT HANG", cut: true, hang: true }],
    ["ends SAY and THINK at the next word", "THINK:hm well SAY:so be it STOP:refusal", {
      line: "THINK:hm well SAY:so be it STOP:refusal",
      think: "hm well",
      say: "so be it",
      stop: { reason: "refusal", always: false },
    }],
    ["gives TOOL the rest of the line, words and colons included", "SAY:a TOOL:bash:echo SAY:b > c:d", {
      line: "SAY:a TOOL:bash:echo SAY:b > c:d",
      say: "a",
      tool: { name: "bash", argument: "echo SAY:b > c:d" },
    }],
    ["takes the last scripted line", "SAY:old\nSAY:new\nplain", { line: "SAY:new", say: "new" }],
    ["leaves closing tags out", "<query>TOOL:bash:echo '</b>x'</query></turn>", {
      line: "TOOL:bash:echo '</b>x'",
      tool: { name: "bash", argument: "echo '</b>x'" },
    }],
    ["finds no word inside longer ones", "SHORTCUT CUTTING HANG-UP ESSAY:x NONSTOP:refusal a/CUT", undefined],
    ["knows no other reasons to stop", "STOP:end_turn", undefined],
  ];
  for (const [fact, text, script] of rows) {
    it(fact, () => assert.deepEqual(readScript(text), script));
  }
});
