import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { unfrozenIn } from "../agent_fixtures_test.ts";
import type { ModelMessage } from "../model/model_types.ts";
import type { SessionEvent } from "../session/session_event.ts";
import { SessionLog } from "../session/session_log.ts";
import { Conversation, conversationOf, isToolCall } from "./conversation.ts";

const text = (text: string) => ({ type: "text", text });
const call = (id: string, name = "t") => ({ type: "tool-call", id, name, arguments: "{}" });
const user = (...content: unknown[]) => ["user/message", { message: { role: "user", content } }] as const;
const assistant = (...content: unknown[]) =>
  ["assistant/message", { message: { role: "assistant", content } }] as const;
const result = (callId: string, value = "r", isError = false) =>
  ["tool/result", { callId, name: "t", content: [text(value)], isError }] as const;

function events(...entries: readonly (readonly [type: string, data: unknown])[]): SessionEvent[] {
  return entries.map(([type, data], seq) => ({ seq, type, data }) as SessionEvent);
}

const notKnown = (callId: string): ModelMessage => ({
  role: "tool",
  callId,
  name: "t",
  content: [text("Error: the result of the tool call is not known")],
  isError: true,
});

describe("conversationOf()", () => {
  it("gives users, answers and results in order, and nothing of other events", () => {
    assert.deepEqual(
      conversationOf(events(
        ["turn/start", { turn: 1 }],
        user(text("a")),
        ["assistant/chunk", { chunk: { type: "text-delta", text: "x" } }],
        assistant(text("b"), call("1"), call("2")),
        result("2", "second", true),
        result("1", "first"),
        user(text("c")),
      )),
      [
        { role: "user", content: [text("a")] },
        { role: "assistant", content: [text("b"), call("1"), call("2")] },
        { role: "tool", callId: "1", name: "t", content: [text("first")], isError: false },
        { role: "tool", callId: "2", name: "t", content: [text("second")], isError: true },
        { role: "user", content: [text("c")] },
      ],
    );
  });

  it("gives what was said twice in a row as one message, so that roles alternate", () => {
    const failed = events(
      user(text("a")),
      user(text("b"), text("c")),
      assistant(text("d")),
      assistant(call("1")),
    );
    assert.deepEqual(conversationOf(failed), [
      { role: "user", content: [text("a"), text("b"), text("c")] },
      { role: "assistant", content: [text("d"), call("1")] },
      notKnown("1"),
    ]);
  });

  it("keeps two answers apart that have results between them", () => {
    const roles = conversationOf(events(assistant(call("1")), result("1"), assistant(text("a"))))
      .map(({ role }) => role);
    assert.deepEqual(roles, ["assistant", "tool", "assistant"]);
  });

  it("gives what nobody is able to change, and the same whenever it is asked", () => {
    const conversation = new Conversation();
    const log = new SessionLog({ id: "s" });
    const entries = [user(text("a")), user(text("b")), assistant(call("1"), call("2")), result("1")];
    for (const [type, data] of entries) conversation.push(log.append(type, data));
    const before = conversation.messages();
    assert.deepEqual(unfrozenIn(before), [before]);
    before.length = 0;
    assert.equal(conversation.messages().length, 4);
  });

  it("gives a call that has no result in the session one that says so", () => {
    const cut = events(user(text("a")), assistant(call("1"), call("2")), result("1"), user(text("b")));
    assert.deepEqual(conversationOf(cut).slice(3), [notKnown("2"), { role: "user", content: [text("b")] }]);
  });

  it("matches results to calls that share an id in their order", () => {
    const contents = conversationOf(
      events(assistant(call("1"), call("1")), result("1", "a"), result("1", "b")),
    )
      .slice(1).map(({ content }) => content);
    assert.deepEqual(contents, [[text("a")], [text("b")]]);
  });

  it("leaves out results without a call, and messages without content", () => {
    assert.deepEqual(
      conversationOf(
        events(
          result("0"),
          user(),
          assistant(),
          user(text("a")),
          result("0"),
          assistant(text("b")),
          result("1"),
        ),
      ),
      [{ role: "user", content: [text("a")] }, { role: "assistant", content: [text("b")] }],
    );
  });

  const noMessages: readonly unknown[] = [null, 1, "x", [], {}, { message: null }, {
    message: { content: "x" },
  }, {
    callId: 1,
  }];
  for (const type of ["user/message", "assistant/message", "tool/result"]) {
    it(`leaves out a ${type} that is none`, () => {
      for (const data of noMessages) assert.deepEqual(conversationOf(events([type, data])), []);
    });
  }

  it("leaves out blocks that are none, and keeps the others", () => {
    const blocks = [
      null,
      1,
      "x",
      [],
      {},
      { type: 1 },
      { type: "text" },
      { type: "tool-call", id: 1 },
      text("a"),
    ];
    assert.deepEqual(
      conversationOf(events(user(...blocks), assistant(...blocks, call("1")), ["tool/result", {
        callId: "1",
        content: blocks,
      }])),
      [
        { role: "user", content: [text("a")] },
        { role: "assistant", content: [text("a"), call("1")] },
        { role: "tool", callId: "1", name: "t", content: [text("a")], isError: false },
      ],
    );
  });

  it("gives every call exactly one result right behind its message and lets roles alternate, whatever the session", () => {
    const id = fc.constantFrom("1", "2", "3");
    const block = fc.oneof(fc.string().map(text), id.map((one) => call(one)), fc.jsonValue());
    const event = fc.oneof(
      fc.array(block).map((content) => user(...content)),
      fc.array(block).map((content) => assistant(...content)),
      id.map((one) => result(one)),
      fc.jsonValue().map((data) => ["tool/result", data] as const),
    );
    fc.assert(fc.property(fc.array(event), (entries) => {
      const messages = conversationOf(events(...entries));
      const expected: string[] = [];
      for (const [index, message] of messages.entries()) {
        if (message.role === "tool") assert.equal(message.callId, expected.shift());
        else {
          assert.equal(expected.length, 0);
          assert.ok(message.content.length > 0);
          assert.notEqual(message.role, messages[index - 1]?.role);
          if (message.role === "assistant") {
            expected.push(...message.content.filter(isToolCall).map(({ id }) => id));
          }
        }
      }
      assert.equal(expected.length, 0);
    }));
  });
});
