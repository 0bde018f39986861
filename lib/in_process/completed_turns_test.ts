import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SessionLog } from "../agent/session/session_log.ts";
import { completedTurns } from "./completed_turns.ts";

function logOf(...types: readonly string[]): SessionLog {
  const log = new SessionLog({ id: "s" });
  for (const type of types) log.append(type, {});
  return log;
}

describe("completedTurns()", () => {
  it("ends with the last completed turn and leaves the open one out", () => {
    const { events } = logOf("turn/start", "turn/end", "turn/start", "turn/end", "turn/start", "tool/call");
    assert.deepEqual(completedTurns(events), events.slice(0, 4));
  });

  it("is everything when no turn is open", () => {
    const { events } = logOf("turn/start", "user/message", "turn/end");
    assert.deepEqual(completedTurns(events), events);
  });

  it("is nothing at all when no turn was completed", () => {
    assert.equal(completedTurns(logOf("turn/start", "tool/call").events), undefined);
    assert.equal(completedTurns([]), undefined);
  });

  it("begins a session as it is", () => {
    const seed = completedTurns(logOf("turn/start", "turn/end", "turn/start").events) ?? [];
    assert.equal(new SessionLog({ id: "child" }, { seed }).length, 2);
  });
});
