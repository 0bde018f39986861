import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkScript } from "./check_script.ts";
import type { AgentScript } from "./script.ts";

describe("checkScript()", () => {
  it("gives back a script that uses every kind of field", () => {
    const script: AgentScript = {
      record: "/tmp/r",
      unchecked: ["session", "params", "initialize-first"],
      onStart: [{ do: "framing", before: "", after: "" }, { do: "hang" }],
      onPrompt: {
        turns: [[], [{ do: "burst", cut: [1, 2], steps: [{ do: "burst", cut: "character", steps: [] }] }]],
      },
      onMethod: { "session/load": [{ do: "ask", wait: true, on: { allow: [{ do: "stop" }] } }] },
      onSigterm: [{ do: "spawn", how: "plain", pidFile: "/p", seconds: 1, ignoreSigterm: true }],
    };
    assert.equal(checkScript(script), script);
  });

  const bad: readonly { readonly value: unknown; readonly message: string }[] = [
    { value: [], message: "Expected an object at script, got []" },
    { value: { onPromt: [] }, message: 'Unknown field "onPromt" in the script' },
    { value: { record: 5 }, message: "Expected a string at record, got 5" },
    { value: { unchecked: "all" }, message: 'Expected a list at unchecked, got "all"' },
    {
      value: { unchecked: ["parse"] },
      message: 'Expected one of initialize-first, params, session at unchecked, got "parse"',
    },
    { value: { onMethod: [] }, message: "Expected an object at onMethod, got []" },
    { value: { onPrompt: "stop" }, message: 'Expected a list of steps at onPrompt, got "stop"' },
    {
      value: { onPrompt: { turn: [] } },
      message: 'Expected a list of steps or { turns: [steps, …] } at onPrompt, got {"turn":[]}',
    },
    {
      value: { onPrompt: { turns: [] } },
      message: 'Expected a list of steps or { turns: [steps, …] } at onPrompt, got {"turns":[]}',
    },
    {
      value: { onPrompt: { turns: [["stop"]] } },
      message: 'Expected a step at onPrompt.turns[0][0], got "stop"',
    },
    {
      value: { onMethod: { "a/b": [{ do: "text", txt: "a" }] } },
      message: 'Expected a value at onMethod["a/b"][0].text, got nothing',
    },
    {
      value: { onEof: [{ do: "exit", kode: 1 }] },
      message: 'Unknown field "kode" in step "exit" at onEof[0]',
    },
    { value: { onEof: [{ do: "exit", code: "1" }] }, message: 'Expected a number at onEof[0].code, got "1"' },
    {
      value: { onEof: [{ do: "wait", for: "godot" }] },
      message: 'Expected one of cancel, answers, eof, idle at onEof[0].for, got "godot"',
    },
    {
      value: { onEof: [{ do: "repeat", steps: [{ do: "sleep" }] }] },
      message: "Expected a value at onEof[0].steps[0].ms, got nothing",
    },
    {
      value: { onEof: [{ do: "ask", on: { allow: { do: "stop" } } }] },
      message: 'Expected a list of steps at onEof[0].on["allow"], got {"do":"stop"}',
    },
    {
      value: { onEof: [{ do: "ask", on: [] }] },
      message: "Expected an object of steps by outcome at onEof[0].on, got []",
    },
    {
      value: { onEof: [{ do: "ask", wait: false, on: {} }] },
      message: 'Field "on" at onEof[0] needs the answer, so "wait" cannot be false',
    },
    {
      value: { onEof: [{ do: "burst", cut: "middle", steps: [] }] },
      message: 'Expected "character" or a list of byte offsets at onEof[0].cut, got "middle"',
    },
  ];
  for (const { value, message } of bad) {
    it(`refuses ${JSON.stringify(value)}`, () => {
      assert.throws(() => checkScript(value), { name: "TypeError", message });
    });
  }

  it("refuses an unknown step and names the known ones", () => {
    assert.throws(() => checkScript({ onEof: [{ do: "exti" }] }), /at onEof\[0\]\.do, got "exti"$/);
    assert.throws(
      () => checkScript({ onEof: [{ do: "toString" }] }),
      /one of reply, stop, text, .*, spawn at/,
    );
  });
});
