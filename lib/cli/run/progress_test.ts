import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AcpActivity } from "../../acp/activity.ts";
import { type ProgressFacts, ProgressLine, progressText } from "./progress.ts";
import { FakeCliSystem } from "../fake_system_fixtures_test.ts";

const ERASE = "\r\x1b[2K";

const text = (bytes: number): AcpActivity => ({ kind: "text", runId: "run", bytes });
const permission = (decision: "allowed" | "denied"): AcpActivity => ({
  kind: "permission",
  runId: "run",
  decision: { policy: "allow", request: "execute", decision },
});

describe("progressText()", () => {
  const nothing: ProgressFacts = { phase: "working", elapsedMs: 0, textBytes: 0, allowed: 0, denied: 0 };
  const rows: [facts: Partial<ProgressFacts>, text: string][] = [
    [{ phase: "starting" }, "subagent starting, 0 s"],
    [{ elapsedMs: 59_999 }, "subagent working, 59 s"],
    [{ elapsedMs: 60_000 }, "subagent working, 1 min 0 s"],
    [{ elapsedMs: 3_725_000 }, "subagent working, 62 min 5 s"],
    [{ textBytes: 1 }, "subagent working, 0 s, 1 byte"],
    [{ textBytes: 1234 }, "subagent working, 0 s, 1234 bytes"],
    [{ allowed: 2 }, "subagent working, 0 s, permissions 2 allowed"],
    [{ denied: 1 }, "subagent working, 0 s, permissions 1 denied"],
    [
      { phase: "ending", textBytes: 5, allowed: 1, denied: 3 },
      "subagent ending, 0 s, 5 bytes, permissions 1 allowed and 3 denied",
    ],
  ];
  for (const [facts, expected] of rows) {
    it(`reads "${expected}"`, () => assert.equal(progressText({ ...nothing, ...facts }), expected));
  }
});

function progressLine(system: FakeCliSystem, enabled = true): ProgressLine {
  return new ProgressLine({ stream: system.stderr, system, enabled });
}

describe("ProgressLine", () => {
  it("writes at most one line in 200 ms, however much happens", () => {
    const system = new FakeCliSystem();
    const line = progressLine(system);
    line.enter("working");
    for (let count = 0; count < 1000; count++) line.observe(text(2));
    assert.deepEqual(system.stderr.writes, []);
    system.advance(200);
    assert.deepEqual(system.stderr.writes, [`${ERASE}subagent working, 0 s, 2000 bytes`]);
  });

  it("writes nothing when nothing changed", () => {
    const system = new FakeCliSystem();
    progressLine(system);
    system.advance(999);
    assert.deepEqual(system.stderr.writes, [`${ERASE}subagent starting, 0 s`]);
    system.advance(1);
    assert.deepEqual(system.stderr.writes.slice(1), [`${ERASE}subagent starting, 1 s`]);
  });

  it("counts text that no agent told of", () => {
    const system = new FakeCliSystem();
    const line = progressLine(system);
    line.observe(text(2));
    line.countText(3);
    system.advance(200);
    assert.equal(system.stderr.text, `${ERASE}subagent starting, 0 s, 5 bytes`);
  });

  it("counts permission decisions", () => {
    const system = new FakeCliSystem();
    const line = progressLine(system);
    for (const decision of ["allowed", "denied", "denied"] as const) line.observe(permission(decision));
    system.advance(200);
    assert.equal(system.stderr.text, `${ERASE}subagent starting, 0 s, permissions 1 allowed and 2 denied`);
  });

  it("stays one column narrower than the terminal, as wide as it is now", () => {
    const system = new FakeCliSystem();
    system.stderr.columns = 12;
    progressLine(system);
    system.advance(200);
    system.stderr.columns = 10;
    system.advance(200);
    assert.deepEqual(system.stderr.writes, [`${ERASE}subagent st`, `${ERASE}subagent `]);
  });

  it("takes a terminal without a size for one of 80 columns", () => {
    const system = new FakeCliSystem();
    system.stderr.columns = 0;
    progressLine(system);
    system.advance(200);
    assert.equal(system.stderr.text, `${ERASE}subagent starting, 0 s`);
  });

  it("is erased for something else and comes back", () => {
    const system = new FakeCliSystem();
    const line = progressLine(system);
    system.advance(200);
    line.erase();
    line.erase();
    assert.deepEqual(system.stderr.writes, [`${ERASE}subagent starting, 0 s`, ERASE]);
    system.advance(200);
    assert.equal(system.stderr.writes.at(-1), `${ERASE}subagent starting, 0 s`);
  });

  it("leaves neither a line nor a timer behind its end", () => {
    const system = new FakeCliSystem();
    const line = progressLine(system);
    system.advance(200);
    line.end();
    assert.equal(system.stderr.writes.at(-1), ERASE);
    assert.equal(system.held, 0);
  });

  it("does not erase what it never wrote", () => {
    const system = new FakeCliSystem();
    progressLine(system).end();
    assert.deepEqual(system.stderr.writes, []);
  });

  it("writes nothing and holds no timer when it is not enabled", () => {
    const system = new FakeCliSystem();
    const line = progressLine(system, false);
    line.observe(text(3));
    assert.equal(system.held, 0);
    system.advance(10_000);
    line.end();
    assert.deepEqual(system.stderr.writes, []);
  });

  it("ignores a terminal that is gone", async () => {
    const system = new FakeCliSystem();
    const line = progressLine(system);
    system.stderr.fault = new Error("EIO");
    system.advance(200);
    line.end();
    // An unhandled rejection of either write would fail the test here.
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(system.stderr.writes, []);
  });
});
