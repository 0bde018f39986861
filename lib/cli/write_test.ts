import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeCliSystem } from "./fake_system_fixtures_test.ts";
import { writeAnswer, writeMessage } from "./write.ts";

const fault = (code: string) => Object.assign(new Error("write failed: canary"), { code });

describe("writeAnswer()", () => {
  const rows: [fact: string, text: string, isTerminal: boolean, written: string][] = [
    ["adds the final line break", "yes", false, "yes\n"],
    ["adds none where there is one", "yes\n\n", false, "yes\n\n"],
    ["makes a line of an empty answer", "", false, "\n"],
    ["gives a pipe every character", "\x1b[2J\r\n", false, "\x1b[2J\r\n"],
    ["shows a terminal control characters", "\x1b[2J\r\n", true, "\\x1b[2J\n"],
  ];
  for (const [fact, text, isTerminal, written] of rows) {
    it(fact, async () => {
      const system = new FakeCliSystem();
      system.stdout.isTerminal = isTerminal;
      assert.equal(await writeAnswer(system, text), "written");
      assert.deepEqual([system.stdout.text, system.stderr.text], [written, ""]);
    });
  }

  it("says nothing about a reader that is gone", async () => {
    const system = new FakeCliSystem();
    system.stdout.fault = fault("EPIPE");
    assert.equal(await writeAnswer(system, "yes"), "reader-gone");
    assert.equal(system.stderr.text, "");
  });

  it("names the system's code of any other fault", async () => {
    const system = new FakeCliSystem();
    system.stdout.fault = fault("ENOSPC");
    assert.equal(await writeAnswer(system, "yes"), "failed");
    assert.equal(system.stderr.text, "Cannot write the answer to stdout (ENOSPC)\n");
  });

  it("names no code where there is none", async () => {
    const system = new FakeCliSystem();
    system.stdout.fault = new Error("canary");
    assert.equal(await writeAnswer(system, "yes"), "failed");
    assert.equal(system.stderr.text, "Cannot write the answer to stdout\n");
  });
});

describe("writeMessage()", () => {
  it("shows a terminal control characters of partial output", async () => {
    const { stderr } = new FakeCliSystem();
    stderr.isTerminal = true;
    await writeMessage(stderr, "Partial output:\n\x9b31m");
    assert.equal(stderr.text, "Partial output:\n\\x9b31m\n");
  });

  it("survives a stderr that is gone", async () => {
    const { stderr } = new FakeCliSystem();
    stderr.fault = fault("EIO");
    await writeMessage(stderr, "no");
    assert.deepEqual(stderr.writes, []);
  });
});
