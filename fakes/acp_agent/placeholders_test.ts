import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import type { Json } from "./json.ts";
import { countsRepetitions, fill, promptText, type Scope } from "./placeholders.ts";

const SCOPE: Scope = {
  sessionId: "s1",
  requestId: 7,
  params: {
    cwd: "/w",
    prompt: [{ type: "text", text: "one " }, { type: "image", data: "AA==" }, { type: "text", text: "two" }],
    trap: { $pid: true },
  },
  answers: new Map<string, Json>([["p", { id: 3, result: { $cwd: true } }]]),
  index: 4,
};

const ROWS: readonly { readonly value: Json; readonly filled: Json }[] = [
  { value: { $sessionId: true }, filled: "s1" },
  { value: { $requestId: true }, filled: 7 },
  { value: { $requestId: "string" }, filled: "7" },
  { value: { $param: "/cwd" }, filled: "/w" },
  { value: { $param: "/nowhere" }, filled: null },
  { value: { $promptText: true }, filled: "one two" },
  { value: { $index: true }, filled: 4 },
  { value: { $text: ["n", { $index: true }] }, filled: '["n",4]' },
  { value: { $cwd: true }, filled: process.cwd() },
  { value: { $argv: true }, filled: process.argv.slice(1) },
  { value: { $pid: true }, filled: process.pid },
  { value: { $env: "PATH" }, filled: process.env["PATH"] ?? null },
  { value: { $env: "NO_SUCH_VARIABLE_HERE" }, filled: null },
  { value: { $repeat: { text: "ab", times: 3 } }, filled: "ababab" },
  { value: { deep: [{ id: { $sessionId: true } }] }, filled: { deep: [{ id: "s1" }] } },
  { value: { $sessionId: true, and: "more" }, filled: { $sessionId: true, and: "more" } },
  { value: { $ref: "#/x" }, filled: { $ref: "#/x" } },
  { value: ["${CANARY}", 0, false, null], filled: ["${CANARY}", 0, false, null] },
];

describe("fill()", () => {
  for (const { value, filled } of ROWS) {
    it(`fills ${JSON.stringify(value)}`, () => assert.deepEqual(fill(value, SCOPE), filled));
  }

  it("gives the whole environment", () => {
    assert.deepEqual(fill({ $env: true }, SCOPE), { ...process.env });
  });

  it("takes nothing that came from outside for a placeholder", () => {
    assert.deepEqual(fill({ $param: "/trap" }, SCOPE), { $pid: true });
    assert.deepEqual(fill({ $answer: "p" }, SCOPE), { id: 3, result: { $cwd: true } });
  });

  it("gives null for an answer that has not come", () => assert.equal(fill({ $answer: "q" }, SCOPE), null));
});

describe("countsRepetitions()", () => {
  it("sees $index however deep", () => {
    assert.equal(countsRepetitions({ a: [{ $index: true }] }), true);
    assert.equal(countsRepetitions({ a: ["$index"] }), false);
  });
});

describe("promptText()", () => {
  it("makes nothing of params without a prompt", () => {
    assert.equal(promptText(undefined), "");
    assert.equal(promptText({ prompt: "text" }), "");
  });
});
