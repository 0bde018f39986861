import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Answer, Message, Tool } from "./conversation.ts";
import { type Plan, plan } from "./plan.ts";

const bash: Tool = {
  name: "bash",
  kind: "function",
  parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};

function message(role: Message["role"], text: string, rest: Partial<Message> = {}): Message {
  return { role, text, toolCalls: [], toolResults: [], ...rest };
}

const user = (text: string): Message => message("user", text);
const assistant = (text: string): Message => message("assistant", text);
const toolCall = message("assistant", "", { toolCalls: ["bash"] });
const toolResult = (text: string): Message => message("tool", "", { toolResults: [text] });

function planned(messages: readonly Message[], tools: readonly Tool[] = [bash]): Plan {
  return plan({ messages, tools, answerSchema: undefined });
}

function answer(messages: readonly Message[], tools?: readonly Tool[]): Answer {
  const decided = planned(messages, tools);
  assert.equal(decided.kind, "answer");
  return (decided as Plan & { kind: "answer" }).answer;
}

function says(...pieces: readonly string[]): Answer {
  return { kind: "text", pieces, end: "complete" };
}

describe("plan() for one prompt", () => {
  const rows: [fact: string, prompt: string, expected: Plan][] = [
    ["answers OK without a script", "hello", {
      kind: "answer",
      line: "",
      answer: says("OK."),
      delayMs: 0,
      cut: false,
    }],
    ["says what it is told, word by word", "SAY:one two  three", {
      kind: "answer",
      line: "SAY:one two  three",
      answer: says("one ", "two  ", "three"),
      delayMs: 0,
      cut: false,
    }],
    ["thinks before it says something", "THINK:hm SAY:x", {
      kind: "answer",
      line: "THINK:hm SAY:x",
      answer: { kind: "text", thinking: "hm", pieces: ["x"], end: "complete" },
      delayMs: 0,
      cut: false,
    }],
    ["breaks off at the token limit", "STOP:max_tokens", {
      kind: "answer",
      line: "STOP:max_tokens",
      answer: { kind: "text", pieces: ["This ", "answer ", "was ", "cut ", "sho"], end: "max-tokens" },
      delayMs: 0,
      cut: false,
    }],
    ["refuses with a text of its own choice", "SAY:No. STOP:refusal", {
      kind: "answer",
      line: "SAY:No. STOP:refusal",
      answer: { kind: "text", pieces: ["No."], end: "refusal" },
      delayMs: 0,
      cut: false,
    }],
    ["speaks slowly in made-up words", "SLOW:9:3", {
      kind: "answer",
      line: "SLOW:9:3",
      answer: says("w0 ", "w1 ", "w2 "),
      delayMs: 9,
      cut: false,
    }],
    ["speaks its own words slowly", "SLOW:9 SAY:a b", {
      kind: "answer",
      line: "SLOW:9 SAY:a b",
      answer: says("a ", "b"),
      delayMs: 9,
      cut: false,
    }],
    ["cuts the connection", "CUT SAY:a b", {
      kind: "answer",
      line: "CUT SAY:a b",
      answer: says("a ", "b"),
      delayMs: 0,
      cut: true,
    }],
    ["hangs whatever else stands there", "HANG HTTP:500 SAY:x", {
      kind: "hang",
      line: "HANG HTTP:500 SAY:x",
    }],
    ["fails before it says anything", "HTTP:503 SAY:x", {
      kind: "http-error",
      line: "HTTP:503 SAY:x",
      status: 503,
    }],
    ["calls a tool", "TOOL:bash:echo hi", {
      kind: "answer",
      line: "TOOL:bash:echo hi",
      answer: {
        kind: "tool-call",
        call: { kind: "function", name: "bash", arguments: { command: "echo hi" } },
      },
      delayMs: 0,
      cut: false,
    }],
    ["names what is on offer when the tool is not", "TOOL:fly:{}", {
      kind: "answer",
      line: "TOOL:fly:{}",
      answer: says("No ", "tool ", "fly ", "among ", "bash"),
      delayMs: 0,
      cut: false,
    }],
  ];
  for (const [fact, prompt, expected] of rows) {
    it(fact, () => assert.deepEqual(planned([user(prompt)]), expected));
  }

  it("speaks fifty words slowly unless told how many", () => {
    const slow = answer([user("SLOW:1")]);
    assert.equal(slow.kind === "text" ? slow.pieces.length : 0, 50);
  });

  it("answers a request for a tool plainly where no tools are offered", () => {
    assert.deepEqual(answer([user("TOOL:bash:ls")], []), says("OK."));
  });
});

describe("plan() within a conversation", () => {
  it("follows the newest of several user messages", () => {
    assert.deepEqual(answer([user("SAY:old"), user("SAY:new"), user("context")]), says("new"));
  });

  it("keeps nothing of a turn that ended with an answer", () => {
    assert.deepEqual(answer([user("SAY:old"), assistant("old"), user("hello")]), says("OK."));
  });

  it("does not listen to system messages, assistants or tools", () => {
    const messages = [message("system", "SAY:a"), toolCall, toolResult("SAY:b"), message("tool", "SAY:c")];
    assert.deepEqual(answer(messages), says("OK."));
  });

  it("repeats what the tool answered", () => {
    const messages = [user("TOOL:bash:ls"), toolCall, toolResult("a\n b ")];
    assert.deepEqual(answer(messages), says("Done: ", "a ", "b"));
  });

  it("says its own text after the tool's result", () => {
    const messages = [user("SAY:done TOOL:bash:ls"), toolCall, toolResult("a")];
    assert.deepEqual(answer(messages), says("done"));
  });

  it("sees a tool result that a user message brings", () => {
    const messages = [user("TOOL:bash:ls"), toolCall, message("user", "reminder", { toolResults: ["b"] })];
    assert.deepEqual(answer(messages), says("Done: ", "b"));
  });

  it("calls the tool again in the next turn", () => {
    const messages = [
      user("TOOL:bash:a"),
      toolCall,
      toolResult("x"),
      assistant("Done: x"),
      user("TOOL:bash:b"),
    ];
    assert.deepEqual(answer(messages), {
      kind: "tool-call",
      call: { kind: "function", name: "bash", arguments: { command: "b" } },
    });
  });

  it("goes on after a limit when asked to", () => {
    const messages = [user("STOP:max_tokens"), assistant("This answer was cut sho"), user("Please go on")];
    assert.deepEqual(answer(messages), says("OK."));
  });

  it("breaks off again after a limit that stays, until the next script", () => {
    const before = [user("STOP:max_tokens!"), assistant("cut sho"), user("Please go on")];
    assert.equal((answer(before) as Answer & { kind: "text" }).end, "max-tokens");
    assert.deepEqual(answer([...before, assistant("cut sho"), user("SAY:x")]), says("x"));
  });
});

describe("plan() with a demanded schema", () => {
  const answerSchema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };

  function shaped(prompt: string): Answer {
    const decided = plan({ messages: [user(prompt)], tools: [bash], answerSchema });
    return (decided as Plan & { kind: "answer" }).answer;
  }

  it("answers a value that fits, not a tool call", () => {
    assert.deepEqual(shaped("TOOL:bash:ls"), says('{"title":"text"}'));
  });

  it("says scripted JSON as it is", () => {
    assert.deepEqual(shaped('SAY:{"title": "mine"}'), says('{"title": "mine"}'));
  });

  it("does not say scripted text that is no JSON", () => {
    assert.deepEqual(shaped("SAY:hello"), says('{"title":"text"}'));
  });
});

describe("plan() with failures before", () => {
  it("fails as often as the script says, then answers", () => {
    const request = { messages: [user("HTTP:500*2 SAY:back")], tools: [], answerSchema: undefined };
    const kinds = [0, 1, 2].map((count) => plan(request, new Map([["HTTP:500*2 SAY:back", count]])).kind);
    assert.deepEqual(kinds, ["http-error", "http-error", "answer"]);
  });

  it("does not count failures of another line", () => {
    const request = { messages: [user("HTTP:500*1")], tools: [], answerSchema: undefined };
    assert.equal(plan(request, new Map([["HTTP:500*2", 9]])).kind, "http-error");
  });
});
