import assert from "node:assert/strict";
import { memoryUsage } from "node:process";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { AssistantOutputFold, finalAssistantOutput } from "./assistant_output_fold.ts";
import type { AssistantOutputEvent } from "./assistant_output_fold.ts";

const message = (...content: unknown[]): AssistantOutputEvent => ({
  type: "assistant/message",
  data: { message: { content } },
});
const chunk = (type: string, text: unknown): AssistantOutputEvent => ({
  type: "assistant/chunk",
  data: { chunk: { type, text } },
});
const text = (value: string) => ({ type: "text", text: value });

describe("finalAssistantOutput()", () => {
  const cases: readonly (readonly [string, readonly unknown[], unknown])[] = [
    ["gives undefined when there was nothing", [], undefined],
    ["gives the last message", [message(text("a")), message(text("b"))], [text("b")]],
    ["keeps the message before an empty one", [message(text("a")), message()], [text("a")]],
    ["counts a message of reasoning alone", [message(text("a")), message({ type: "reasoning", text: "r" })], [
      {
        type: "reasoning",
        text: "r",
      },
    ]],
    ["counts a message of a tool call alone", [
      message({ type: "tool-call", id: "1", name: "x", arguments: "{}" }),
    ], [{
      type: "tool-call",
      id: "1",
      name: "x",
      arguments: "{}",
    }]],
    ["prefers a message to streamed text", [
      chunk("text-delta", "s"),
      message(text("a")),
      chunk("text-delta", "t"),
    ], [
      text("a"),
    ]],
    ["joins streamed text when no message has content", [
      chunk("text-delta", "a"),
      message(),
      chunk("text-delta", "b"),
    ], [
      text("ab"),
    ]],
    ["ignores an empty delta", [chunk("text-delta", "")], undefined],
    ["ignores reasoning deltas", [chunk("reasoning-delta", "r")], undefined],
    ["ignores tool call deltas", [chunk("tool-call-delta", "r")], undefined],
    ["ignores block marks", [chunk("block-start", "r"), chunk("block-end", "r")], undefined],
    ["ignores usage and finish", [chunk("usage", "r"), chunk("finish", "r")], undefined],
    ["ignores other events", [{ type: "turn/end", data: { message: { content: [text("x")] } } }], undefined],
    [
      "ignores a delta whose text is no string",
      [chunk("text-delta", 7), chunk("text-delta", undefined)],
      undefined,
    ],
    [
      "ignores content that is no array",
      [{ type: "assistant/message", data: { message: { content: "x" } } }],
      undefined,
    ],
    [
      "ignores events without the data of their type",
      [
        null,
        "text",
        {},
        { type: "assistant/message" },
        { type: "assistant/message", data: null },
        { type: "assistant/message", data: {} },
        { type: "assistant/chunk", data: { chunk: null } },
        { type: "assistant/chunk", data: { message: { content: [text("x")] } } },
        { type: "assistant/message", data: { chunk: { type: "text-delta", text: "x" } } },
      ],
      undefined,
    ],
  ];
  for (const [name, events, expected] of cases) {
    it(name, () => assert.deepEqual(finalAssistantOutput(events as AssistantOutputEvent[]), expected));
  }
});

/** Collects garbage, in each of the three runtimes. */
function collectGarbage(): void {
  const { Bun } = globalThis as { readonly Bun?: { gc(now: boolean): void } };
  if (Bun !== undefined) return Bun.gc(true);
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

describe("AssistantOutputFold", () => {
  it("pushText() is the same as a text delta", () => {
    const fold = new AssistantOutputFold();
    fold.pushText("a");
    fold.push(chunk("text-delta", "b"));
    fold.pushText("");
    fold.pushText("c");
    assert.deepEqual(fold.collect(), [text("abc")]);
  });

  it("collect() may be asked at any time and resets nothing", () => {
    const fold = new AssistantOutputFold();
    assert.equal(fold.collect(), undefined);
    fold.pushText("a");
    assert.deepEqual(fold.collect(), [text("a")]);
    fold.pushText("b");
    assert.deepEqual(fold.collect(), [text("ab")]);
    assert.deepEqual(fold.collect(), [text("ab")]);
  });

  it("keeps a message apart from the array that it came in", () => {
    const content = [text("a")];
    const fold = new AssistantOutputFold();
    fold.push(message(...content));
    const event = { type: "assistant/message", data: { message: { content } } };
    fold.push(event);
    content.push(text("later"));
    assert.deepEqual(fold.collect(), [text("a")]);
  });

  it("joins any pieces to what they are together", () => {
    const pieces = fc.tuple(fc.array(fc.string({ unit: "binary" }), { maxLength: 40 }), fc.nat(120));
    fc.assert(fc.property(pieces, ([some, times]) => {
      const all = new Array(times).fill(some).flat() as string[];
      const fold = new AssistantOutputFold();
      all.forEach((piece) => fold.pushText(piece));
      const joined = all.join("");
      assert.deepEqual(fold.collect(), joined === "" ? undefined : [text(joined)]);
    }));
  });

  for (const count of [1023, 1024, 1025, 2048, 100_000]) {
    it(`keeps ${count} pieces in their order`, () => {
      const fold = new AssistantOutputFold();
      for (let index = 0; index < count; index++) fold.pushText(`${index},`);
      assert.deepEqual(fold.collect(), [
        text(Array.from({ length: count }, (_, index) => `${index},`).join("")),
      ]);
    });
  }

  it("holds millions of tiny pieces in little more than their text", () => {
    const [pieces, pieceLength] = [2_000_000, 12];
    collectGarbage();
    const before = memoryUsage().heapUsed;
    const fold = new AssistantOutputFold();
    for (let index = 0; index < pieces; index++) fold.pushText(String(index).padStart(pieceLength, "x"));
    collectGarbage();
    const held = memoryUsage().heapUsed - before;
    // A list of the pieces takes more than three times their text, a rope of them more still.
    assert.ok(held < 1.5 * pieces * pieceLength, `${held} bytes`);
    const [block] = fold.collect() ?? [];
    assert.ok(block?.type === "text" && (block.text as string).length === pieces * pieceLength);
  });
});
