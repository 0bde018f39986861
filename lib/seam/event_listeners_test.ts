import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EventListeners, type SubagentListener } from "./event_listeners.ts";
import type { SubagentEvents } from "./types.ts";

const removed = "subagent/provider-removed";

function unexpected(error: unknown): void {
  assert.fail(`a listener failed: ${String(error)}`);
}

/** A listener that is asynchronous though its type does not say so. */
const rejecting = (error: Error) => (() => Promise.reject(error)) as () => void;

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("EventListeners", () => {
  it("tells the listeners of an event in the order of their subscription", () => {
    const listeners = new EventListeners();
    const heard: string[] = [];
    listeners.on(removed, (name) => heard.push(`first ${name}`));
    listeners.on(removed, (name) => heard.push(`second ${name}`));
    listeners.on("subagent/start", () => heard.push("another event"));
    listeners.emit(removed, "acp", unexpected);
    assert.deepEqual(heard, ["first acp", "second acp"]);
  });

  it("on() returns what ends the subscription, once", () => {
    const listeners = new EventListeners();
    const heard: string[] = [];
    const listener = (name: string) => heard.push(name);
    const off = listeners.on(removed, listener);
    off();
    off();
    listeners.emit(removed, "a", unexpected);
    assert.deepEqual(heard, []);
  });

  it("on() subscribes the same function as often as it is asked to", () => {
    const listeners = new EventListeners();
    const heard: string[] = [];
    const listener = (name: string) => heard.push(name);
    const off = listeners.on(removed, listener);
    listeners.on(removed, listener);
    listeners.emit(removed, "a", unexpected);
    off();
    off();
    listeners.emit(removed, "b", unexpected);
    assert.deepEqual(heard, ["a", "a", "b"]);
  });

  it("emit() tells a listener that is added during a dispatch of the next event only", () => {
    const listeners = new EventListeners();
    const heard: string[] = [];
    listeners.on(removed, (name) => {
      heard.push(`old ${name}`);
      if (name === "a") listeners.on(removed, (next) => heard.push(`new ${next}`));
    });
    listeners.emit(removed, "a", unexpected);
    listeners.emit(removed, "b", unexpected);
    assert.deepEqual(heard, ["old a", "old b", "new b"]);
  });

  it("emit() passes over a listener that is removed during the dispatch", () => {
    const listeners = new EventListeners();
    const heard: string[] = [];
    const offs: (() => void)[] = [];
    listeners.on(removed, () => {
      heard.push("first");
      offs.forEach((off) => off());
    });
    offs.push(listeners.on(removed, () => heard.push("second")));
    listeners.on(removed, () => heard.push("third"));
    listeners.emit(removed, "a", unexpected);
    assert.deepEqual(heard, ["first", "third"]);
  });

  it("emit() goes on after a listener that throws or rejects, and reports both", async () => {
    const listeners = new EventListeners();
    const heard: string[] = [];
    const errors: unknown[] = [];
    const thrown = new Error("thrown");
    const rejected = new Error("rejected");
    listeners.on(removed, () => {
      throw thrown;
    });
    listeners.on(removed, rejecting(rejected));
    listeners.on(removed, (name) => heard.push(name));
    listeners.emit(removed, "a", (error) => errors.push(error));
    assert.deepEqual([heard, errors], [["a"], [thrown]]);
    await turn();
    assert.deepEqual(errors, [thrown, rejected]);
  });

  it("emitOrThrow() stops at the first throw and lets it out", () => {
    const listeners = new EventListeners();
    const heard: string[] = [];
    const thrown = new Error("thrown");
    listeners.on(removed, (name) => heard.push(name));
    listeners.on(removed, () => {
      throw thrown;
    });
    listeners.on(removed, () => heard.push("never"));
    assert.throws(() => listeners.emitOrThrow(removed, "a", unexpected), thrown);
    assert.deepEqual(heard, ["a"]);
  });

  it("emitOrThrow() reports a promise that rejects", async () => {
    const listeners = new EventListeners();
    const errors: unknown[] = [];
    const rejected = new Error("rejected");
    listeners.on(removed, rejecting(rejected));
    listeners.emitOrThrow(removed, "a", (error) => errors.push(error));
    await turn();
    assert.deepEqual(errors, [rejected]);
  });

  for (const type of ["start", "__proto__", "constructor", undefined, null, 1, Symbol("x")]) {
    it(`on() refuses the event ${String(type)}`, () =>
      assert.throws(() => new EventListeners().on(type as keyof SubagentEvents, () => {}), {
        name: "TypeError",
        message:
          "Cannot listen: the event must be one of subagent/start, subagent/end, subagent/provider-added, subagent/provider-removed",
      }));
  }

  it("on() refuses a listener that is no function", () =>
    assert.throws(
      () => new EventListeners().on("subagent/end", null as unknown as SubagentListener<"subagent/end">),
      {
        name: "TypeError",
        message: 'Cannot listen to "subagent/end": the listener must be a function, got object',
      },
    ));
});
