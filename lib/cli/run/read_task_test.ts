import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageFault } from "../command_words.ts";
import { readTask } from "./read_task.ts";
import { FakeCliSystem } from "../fake_system_fixtures_test.ts";

function read(stdin: Uint8Array | Error | undefined, signal = new AbortController().signal) {
  const system = new FakeCliSystem();
  system.stdin = stdin;
  return readTask({ kind: "stdin" }, system, signal);
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("readTask()", () => {
  it("gives a task of the command line without a look at stdin", async () => {
    const system = new FakeCliSystem();
    system.stdin = new Error("not to be read");
    assert.equal(
      await readTask({ kind: "text", text: "do it" }, system, new AbortController().signal),
      "do it",
    );
  });

  it("keeps stdin as it is", async () => {
    assert.equal(await read(bytes(" do\r\nit 漢 \u{1f680}\n")), " do\r\nit 漢 \u{1f680}\n");
  });

  const faults: [fact: string, stdin: Uint8Array | Error, message: string][] = [
    ["nothing", bytes(""), "The task on stdin is empty: say what to do"],
    ["white space", bytes(" \n\t"), "The task on stdin is empty: say what to do"],
    ["cut UTF-8", bytes("漢").slice(0, 2), "The task on stdin is not valid UTF-8: convert it first"],
    ["what cannot be read", new Error("EISDIR: canary"), "Cannot read the task from stdin"],
  ];
  for (const [fact, stdin, message] of faults) {
    it(`refuses ${fact}`, async () => {
      await assert.rejects(read(stdin), (error) => error instanceof UsageFault && error.message === message);
    });
  }

  it("gives nothing when the command is told to stop while it reads", async () => {
    const controller = new AbortController();
    const task = read(undefined, controller.signal);
    controller.abort();
    assert.equal(await task, undefined);
  });
});
