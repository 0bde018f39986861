import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { unfrozenIn } from "../agent_fixtures_test.ts";
import type { ListenerError } from "../listener_error.ts";
import type { SessionEvent } from "./session_event.ts";
import { SessionLog } from "./session_log.ts";

const HEADER = { id: "session-1" };

const SEED: readonly SessionEvent[] = [
  { seq: 0, type: "turn/start", data: { turn: 0 } },
  { seq: 1, type: "turn/end", data: { turn: 0, reason: { kind: "completed" } } },
];

describe("new SessionLog()", () => {
  it("keeps a frozen copy of the header", () => {
    const header = {
      id: "s",
      cwd: "/w",
      parentSession: "p",
      seedLength: 2,
      delegationDepth: 1,
      origin: "subagent",
    };
    const log = new SessionLog(header);
    header.cwd = "/elsewhere";
    assert.deepEqual(log.header, { ...header, cwd: "/w" });
    assert.equal(log.id, "s");
    assert.deepEqual(unfrozenIn(log.header), []);
  });

  it("begins without events", () => {
    const log = new SessionLog(HEADER);
    assert.deepEqual(log.events, []);
    assert.equal(log.length, 0);
  });

  it("begins with a frozen copy of the seed and goes on counting", () => {
    const seed = SEED.map((event) => ({ ...event }));
    const log = new SessionLog(HEADER, { seed });
    seed.pop();
    assert.deepEqual(log.events, SEED);
    assert.deepEqual(unfrozenIn(log.events), []);
    assert.equal(log.append("turn/start", { turn: 1 }).seq, 2);
  });

  const headers: readonly (readonly [string, unknown, string])[] = [
    ["no header", undefined, "session header must be losslessly JSON-serializable"],
    ["null", null, "session header must be an object with an id that is a string"],
    ["a header without id", {}, "session header must be an object with an id that is a string"],
    ["an id that is no string", { id: 1 }, "session header must be an object with an id that is a string"],
    ["what JSON loses", { id: "s", cwd: undefined }, "session header must be losslessly JSON-serializable"],
  ];
  for (const [what, header, message] of headers) {
    it(`refuses ${what}`, () =>
      assert.throws(() => new SessionLog(header as typeof HEADER), new TypeError(message)));
  }

  const noEvent = "session seed[1] must be an event with a type and data";
  const first = SEED[0];
  const seeds: readonly (readonly [string, unknown, Error])[] = [
    [
      "what JSON loses",
      [{ ...first, data: NaN }],
      new TypeError("session seed must be losslessly JSON-serializable"),
    ],
    ["what is no list", { length: 0 }, new TypeError("session seed must be an array of events, got object")],
    ["null", null, new TypeError("session seed must be an array of events, got null")],
    ["a text in the list", [first, "event"], new TypeError(noEvent)],
    ["an event without type", [first, { seq: 1, data: null }], new TypeError(noEvent)],
    ["an event whose type is no string", [first, { seq: 1, type: 1, data: null }], new TypeError(noEvent)],
    ["an event without data", [first, { seq: 1, type: "a" }], new TypeError(noEvent)],
    [
      "a gap",
      [first, { seq: 2, type: "a", data: null }],
      new RangeError("session seed[1].seq must be 1: a seed counts its events from 0 without a gap"),
    ],
    [
      "a seed that begins later",
      [{ seq: 1, type: "a", data: null }],
      new RangeError("session seed[0].seq must be 0: a seed counts its events from 0 without a gap"),
    ],
  ];
  for (const [what, seed, error] of seeds) {
    it(`refuses a seed with ${what}`, () =>
      assert.throws(() => new SessionLog(HEADER, { seed: seed as readonly SessionEvent[] }), error));
  }
});

describe("SessionLog.append()", () => {
  it("returns the event as it stands in the log, deep-frozen, at the place that its seq says", () => {
    const log = new SessionLog(HEADER);
    const event = log.append("user/message", { content: [{ type: "text", text: "hi" }] });
    assert.deepEqual(event, {
      seq: 0,
      type: "user/message",
      data: { content: [{ type: "text", text: "hi" }] },
    });
    assert.equal(log.events[0], event);
    assert.deepEqual(unfrozenIn(event), []);
  });

  it("shares nothing with the data it was given", () => {
    const log = new SessionLog(HEADER);
    const data = { content: ["a"] };
    log.append("a", data);
    data.content.push("b");
    assert.deepEqual(log.events[0]?.data, { content: ["a"] });
  });

  const refused: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["a date", new Date(0)],
    ["negative zero", { value: -0 }],
    ["an undefined property", { value: undefined }],
    ["a function", () => {}],
  ];
  for (const [what, data] of refused) {
    it(`refuses ${what} and appends nothing`, () => {
      const log = new SessionLog(HEADER);
      assert.throws(
        () => log.append("a", data),
        new TypeError('session event "a" data must be losslessly JSON-serializable'),
      );
      assert.equal(log.length, 0);
    });
  }

  it("refuses a type that is no string", () => {
    assert.throws(
      () => new SessionLog(HEADER).append(1 as unknown as string, null),
      new TypeError("session event type must be a string, got number"),
    );
  });

  it("lets the error of a getter through and appends nothing", () => {
    const log = new SessionLog(HEADER);
    const error = new Error("text of a stranger");
    const data = {
      get value() {
        throw error;
      },
    };
    assert.throws(() => log.append("a", data), error);
    assert.equal(log.length, 0);
  });

  it("counts on when reading the data appends something", () => {
    const log = new SessionLog(HEADER);
    const data = {
      get value() {
        return log.append("inner", null).seq;
      },
    };
    assert.deepEqual(log.append("outer", data), { seq: 1, type: "outer", data: { value: 0 } });
    assert.deepEqual(log.events.map(({ seq, type }) => [seq, type]), [[0, "inner"], [1, "outer"]]);
  });

  it("keeps seq equal to index and what was said as it was, whatever is appended", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.jsonValue())), (entries) => {
        // JSON.stringify is the independent judge; it alone loses the sign of zero.
        const plain = JSON.parse(JSON.stringify(entries)) as [string, unknown][];
        const log = new SessionLog(HEADER);
        for (const [type, data] of plain) log.append(type, data);
        assert.deepEqual(log.events, plain.map(([type, data], seq) => ({ seq, type, data })));
        assert.deepEqual(new SessionLog(HEADER, { seed: log.events }).events, log.events);
      }),
    );
  });
});

describe("SessionLog.events", () => {
  it("is a frozen list that does not grow, and another one after an append", () => {
    const log = new SessionLog(HEADER);
    log.append("a", 1);
    const before = log.events;
    assert.equal(log.events, before);
    assert.throws(() => (before as SessionEvent[]).push({ seq: 1, type: "b", data: 2 }), TypeError);
    log.append("b", 2);
    assert.equal(before.length, 1);
    assert.equal(log.length, 2);
    assert.deepEqual(log.events.map(({ type }) => type), ["a", "b"]);
  });
});

describe("SessionLog.onEvent()", () => {
  it("calls listeners in order, after the event is in the log and before append returns", () => {
    const log = new SessionLog(HEADER, { seed: SEED });
    const heard: unknown[] = [];
    log.onEvent((event) => heard.push(["first", event, log.events.at(-1) === event]));
    log.onEvent((event) => heard.push(["second", event, log.length]));
    const event = log.append("a", 1);
    assert.deepEqual(heard, [["first", event, true], ["second", event, 3]]);
  });

  it("stops when its subscription is ended", () => {
    const log = new SessionLog(HEADER);
    const heard: string[] = [];
    const end = log.onEvent(({ type }) => heard.push(type));
    log.append("a", 1);
    end();
    end();
    log.append("b", 2);
    assert.deepEqual(heard, ["a"]);
  });

  it("contains what a listener throws, reports it, and tells the others", () => {
    const failures: ListenerError[] = [];
    const log = new SessionLog(HEADER, { onListenerError: (failure) => failures.push(failure) });
    const error = new Error("broken");
    const heard: number[] = [];
    log.onEvent(() => {
      throw error;
    });
    log.onEvent(({ seq }) => heard.push(seq));
    log.append("a", 1);
    log.append("b", 1);
    assert.deepEqual(heard, [0, 1]);
    assert.deepEqual(failures, [{ event: "session/event", error }, { event: "session/event", error }]);
  });

  it("tells every listener of each event in turn when one of them appends", () => {
    const log = new SessionLog(HEADER);
    const heard: string[] = [];
    log.onEvent(({ type }) => {
      heard.push(`first ${type}`);
      if (type !== "a") return;
      log.append("b", 1);
      assert.equal(log.length, 2);
    });
    log.onEvent(({ type }) => heard.push(`second ${type}`));
    log.append("a", 1);
    assert.deepEqual(heard, ["first a", "second a", "first b", "second b"]);
  });

  it("refuses what is no function", () => {
    assert.throws(
      () => new SessionLog(HEADER).onEvent(undefined as unknown as () => void),
      new TypeError("session.onEvent() takes a function, got undefined"),
    );
  });
});
