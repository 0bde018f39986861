import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Interruption } from "./interruption.ts";
import { FakeCliSystem } from "./fake_system_fixtures_test.ts";

describe("Interruption", () => {
  for (const [signal, code] of [["SIGHUP", 129], ["SIGINT", 130], ["SIGTERM", 143]] as const) {
    it(`aborts at a first ${signal} and exits with ${code} at a second one`, () => {
      const system = new FakeCliSystem();
      const interruption = new Interruption(system);
      assert.equal(interruption.signal.aborted, false);
      system.send(signal);
      assert.equal(interruption.signal.aborted, true);
      assert.deepEqual(interruption.cause, { kind: "signal", signal });
      assert.equal(interruption.stopSignal, signal);
      assert.deepEqual(system.exits, []);
      system.send(signal);
      assert.deepEqual(system.exits, [code]);
    });
  }

  it("exits with the code of the second signal, which is what ended the process", () => {
    const system = new FakeCliSystem();
    const interruption = new Interruption(system);
    system.send("SIGINT");
    system.send("SIGTERM");
    assert.deepEqual(system.exits, [143]);
    assert.equal(interruption.stopSignal, "SIGINT");
  });

  it("aborts at the end of the time limit and not before", () => {
    const system = new FakeCliSystem();
    const interruption = new Interruption(system);
    interruption.limit(50);
    system.advance(49);
    assert.equal(interruption.signal.aborted, false);
    system.advance(1);
    assert.equal(interruption.signal.aborted, true);
    assert.deepEqual(interruption.cause, { kind: "timeout", timeoutMs: 50 });
    assert.equal(interruption.stopSignal, undefined);
  });

  it("takes the first signal after the time limit for a first one", () => {
    const system = new FakeCliSystem();
    const interruption = new Interruption(system);
    interruption.limit(1);
    system.advance(1);
    system.send("SIGTERM");
    assert.deepEqual(interruption.cause, { kind: "timeout", timeoutMs: 1 });
    assert.equal(interruption.stopSignal, "SIGTERM");
    assert.deepEqual(system.exits, []);
  });

  it("holds neither a timer nor a listener behind its end", () => {
    const system = new FakeCliSystem();
    const interruption = new Interruption(system);
    interruption.limit(1);
    assert.equal(system.held, 2);
    interruption.end();
    assert.equal(system.held, 0);
  });
});
