import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type RawClient, withAgent } from "../test_support/raw_client.ts";
import { withFolder } from "../test_support/temp_folder.ts";
import { atPointer, type Json, type JsonObject } from "./json.ts";
import { readRecord } from "./record.ts";
import type { AgentScript, Step } from "./script.ts";

const SELECTED = (optionId: string): Json => ({ outcome: { outcome: "selected", optionId } });
const CANCELLED: Json = { outcome: { outcome: "cancelled" } };

function answer(client: RawClient, request: JsonObject, result: Json): void {
  client.send({ jsonrpc: "2.0", id: request["id"] ?? null, result });
}

/** Text of all agent message chunks so far. */
function said(client: RawClient): string {
  return client.messages.map((message) => atPointer(message, "/params/update/content/text") ?? "").join("");
}

/** Opens a session and prompts it; gives the prompt's id. */
async function start(client: RawClient): Promise<number> {
  return client.prompt(await client.open(), "go");
}

describe("steps that ask", () => {
  it("request sends any method with its params and waits for the answer", async () => {
    const steps: Step[] = [
      {
        do: "request",
        method: "fs/read_text_file",
        params: { sessionId: { $sessionId: true }, path: "/x" },
        as: "r",
      },
      { do: "text", text: { $answer: "r" } },
      { do: "stop" },
    ];
    await withAgent({ onPrompt: steps }, async (client) => {
      const prompt = await start(client);
      const request = await client.call("fs/read_text_file");
      assert.deepEqual(request, {
        jsonrpc: "2.0",
        id: 0,
        method: "fs/read_text_file",
        params: { sessionId: "session-1", path: "/x" },
      });
      const reply = { jsonrpc: "2.0", id: 0, error: { code: -32601, message: "Method not found" } };
      client.send(reply);
      await client.response(prompt);
      assert.deepEqual(JSON.parse(said(client)), reply);
    });
  });

  for (const method of ["terminal/create", "elicitation/create", "craft/drain", "_vendor/x"]) {
    it(`request sends ${method} without params and without waiting`, async () => {
      await withAgent(
        { onPrompt: [{ do: "request", method, wait: false }, { do: "stop" }] },
        async (client) => {
          await client.response(await start(client));
          assert.deepEqual(client.messages[2], { jsonrpc: "2.0", id: 0, method });
        },
      );
    });
  }

  it("request takes an id of its own, even the same twice", async () => {
    const asking: Step = { do: "request", method: "_x", id: "mine", wait: false };
    const script: AgentScript = {
      onPrompt: [asking, asking, { do: "wait", for: "answers" }, { do: "stop" }],
    };
    await withAgent(script, async (client) => {
      const prompt = await start(client);
      for (const request of [await client.call("_x"), await client.call("_x")]) {
        assert.equal(request["id"], "mine");
        answer(client, request, {});
      }
      await client.response(prompt);
    });
  });

  it("request takes the steps of its outcome", async () => {
    const script: AgentScript = {
      onPrompt: [
        { do: "request", method: "_a", on: { result: [{ do: "text", text: "result " }] } },
        { do: "request", method: "_b", on: { error: [{ do: "text", text: "error " }] } },
        { do: "request", method: "_c", on: { result: [{ do: "text", text: "never" }] } },
        { do: "stop" },
      ],
    };
    await withAgent(script, async (client) => {
      const prompt = await start(client);
      answer(client, await client.call("_a"), {});
      for (const method of ["_b", "_c"]) {
        const { id = null } = await client.call(method);
        client.send({ jsonrpc: "2.0", id, error: { code: 1, message: "no" } });
      }
      await client.response(prompt);
      assert.equal(said(client), "result error ");
    });
  });

  for (
    const { outcome, result, text } of [
      { outcome: "the chosen option", result: SELECTED("allow"), text: "allowed" },
      { outcome: "cancelled", result: CANCELLED, text: "cancelled" },
      { outcome: "an option without a case", result: SELECTED("reject"), text: "other" },
    ]
  ) {
    it(`ask takes the steps for ${outcome}`, async () => {
      const on = {
        allow: [{ do: "text", text: "allowed" }],
        cancelled: [{ do: "text", text: "cancelled" }],
        "*": [{ do: "text", text: "other" }],
      } satisfies Record<string, Step[]>;
      await withAgent({ onPrompt: [{ do: "ask", on }, { do: "stop" }] }, async (client) => {
        const prompt = await start(client);
        answer(client, await client.call("session/request_permission"), result);
        await client.response(prompt);
        assert.equal(said(client), text);
      });
    });
  }

  it("ask writes kind and title into a tool call and offers allow and reject", async () => {
    await withAgent({ onPrompt: [{ do: "ask", kind: "edit", title: "T" }] }, async (client) => {
      await start(client);
      assert.deepEqual((await client.call("session/request_permission"))["params"], {
        sessionId: "session-1",
        toolCall: { toolCallId: "call-1", title: "T", kind: "edit", status: "pending" },
        options: [
          { optionId: "allow", name: "Allow", kind: "allow_once" },
          { optionId: "reject", name: "Reject", kind: "reject_once" },
        ],
      });
    });
  });

  it("ask takes a whole tool call, options, session and id, right or wrong", async () => {
    const ask: Step = { do: "ask", toolCall: { toolCallId: 5 }, options: [], sessionId: "other", id: null };
    await withAgent({ onPrompt: [ask] }, async (client) => {
      await start(client);
      assert.deepEqual(await client.call("session/request_permission"), {
        jsonrpc: "2.0",
        id: null,
        method: "session/request_permission",
        params: { sessionId: "other", toolCall: { toolCallId: 5 }, options: [] },
      });
    });
  });

  it("ask asks twice at once, and each answer finds its question", async () => {
    const script: AgentScript = {
      onPrompt: [
        { do: "ask", as: "one", wait: false },
        { do: "ask", as: "two", wait: false },
        { do: "wait", for: "answers" },
        { do: "text", text: { $text: [{ $answer: "one" }, { $answer: "two" }] } },
        { do: "stop" },
      ],
    };
    await withAgent(script, async (client) => {
      const prompt = await start(client);
      const one = await client.call("session/request_permission");
      const two = await client.call("session/request_permission");
      answer(client, two, SELECTED("reject"));
      answer(client, one, CANCELLED);
      await client.response(prompt);
      const answers = JSON.parse(said(client)) as JsonObject[];
      assert.deepEqual(answers.map(({ result }) => result), [CANCELLED, SELECTED("reject")]);
    });
  });

  it("ask asks with no prompt running", async () => {
    const onSessionNew: Step[] = [{ do: "reply", result: { sessionId: "s" } }, { do: "ask", sessionId: "s" }];
    await withAgent({ onSessionNew }, async (client) => {
      assert.equal(await client.open(), "s");
      const request = await client.call("session/request_permission");
      assert.equal(atPointer(request as Json, "/params/sessionId"), "s");
    });
  });

  it("ask repeated floods with distinct ids while stdin is not read", async () => {
    await withFolder(async (folder) => {
      const times = 5_000;
      const gate = join(folder, "gate");
      const record = join(folder, "record");
      const script: AgentScript = {
        record,
        onPrompt: [
          { do: "pauseStdin" },
          { do: "ask", times, wait: false },
          { do: "waitForFile", path: gate },
          { do: "resumeStdin" },
          { do: "wait", for: "answers" },
          { do: "stop" },
        ],
      };
      await withAgent(script, async (client) => {
        const prompt = await start(client);
        await client.until(() => client.lines.length === times + 2 || undefined);
        const ids = client.messages.slice(2).map((message) => (message as JsonObject)["id"]);
        assert.deepEqual(ids, Array.from({ length: times }, (_, index) => index));
        for (const id of ids) answer(client, { id }, CANCELLED);
        const answersSeen = () => readRecord(record).filter(({ event }) => event === "message").length - 3;
        assert.ok(answersSeen() < times, "a paused agent leaves answers in the pipe");
        writeFileSync(gate, "");
        await client.response(prompt);
        assert.equal(answersSeen(), times);
      });
    });
  });
});

describe("steps that wait and steer", () => {
  it("wait for cancel answers a cancel by itself, with updates in between", async () => {
    const script: AgentScript = {
      onPrompt: [
        { do: "text", text: "a" },
        { do: "wait", for: "cancel" },
        { do: "text", text: "b" },
        { do: "stop", reason: "cancelled" },
      ],
    };
    await withAgent(script, async (client) => {
      const prompt = await start(client);
      await client.call("session/update");
      client.notify("session/cancel", { sessionId: "another" });
      client.notify("session/cancel", { sessionId: "session-1" });
      assert.deepEqual((await client.response(prompt))["result"], { stopReason: "cancelled" });
      assert.equal(said(client), "ab");
      assert.equal(client.messages.filter((message) => atPointer(message, "/id") === prompt).length, 1);
    });
  });

  it("wait for cancel goes on at once when the cancel came before it", async () => {
    await withFolder(async (folder) => {
      const gate = join(folder, "gate");
      const script: AgentScript = {
        onPrompt: [{ do: "waitForFile", path: gate }, { do: "wait", for: "cancel" }, {
          do: "stop",
          reason: "refusal",
        }],
        onCancel: [{ do: "notify", method: "_seen" }],
      };
      await withAgent(script, async (client) => {
        const prompt = await start(client);
        client.notify("session/cancel", { sessionId: "session-1" });
        await client.call("_seen");
        writeFileSync(gate, "");
        assert.deepEqual((await client.response(prompt))["result"], { stopReason: "refusal" });
      });
    });
  });

  it("wait for eof goes on when stdin has ended", async () => {
    const script: AgentScript = {
      onPrompt: [{ do: "wait", for: "eof" }, { do: "stop" }, { do: "exit" }],
      onEof: [],
    };
    await withAgent(script, async (client) => {
      const prompt = await start(client);
      client.notify("_nothing", {});
      client.endInput();
      await client.response(prompt);
    });
  });

  it("wait for idle outlasts handlers that are at work", async () => {
    const script: AgentScript = {
      onPrompt: [{ do: "repeat", times: 20, steps: [{ do: "text", text: "a" }] }, { do: "stop" }],
      onEof: [{ do: "wait", for: "idle" }, { do: "line", text: "idle" }, { do: "exit" }],
    };
    await withAgent(script, async (client) => {
      await start(client);
      client.endInput();
      await client.until(() => client.stdoutEnded || undefined);
      assert.equal(client.lines.length, 2 + 20 + 1 + 1);
      assert.equal(client.lines.at(-1), "idle");
    });
  });

  it("wait for idle does not wait for a handler that hangs", async () => {
    await withAgent({ onPrompt: [{ do: "stop" }, { do: "hang" }] }, async (client) => {
      await client.response(await start(client));
      client.endInput();
      assert.deepEqual(await client.ending, { code: 0, signal: null });
    });
  });

  it("sleep waits so many milliseconds", async () => {
    await withAgent({ onPrompt: [{ do: "sleep", ms: 300 }, { do: "stop" }] }, async (client) => {
      const sessionId = await client.open();
      const before = performance.now();
      await client.response(client.prompt(sessionId, "go"));
      assert.ok(performance.now() - before >= 295);
    });
  });

  it("waitForMessage waits until a method has come so many times", async () => {
    const script: AgentScript = {
      onSessionNew: [
        { do: "reply", result: { sessionId: { $sessionId: true } } },
        { do: "waitForMessage", method: "_poke", count: 2 },
        { do: "notify", method: "_twice" },
      ],
      onMethod: { _poke: [{ do: "notify", method: "_poked" }] },
    };
    await withAgent(script, async (client) => {
      await client.open();
      client.notify("_poke", {});
      await client.call("_poked");
      assert.equal(client.lines.some((line) => line.includes("_twice")), false);
      client.notify("_poke", {});
      await client.call("_twice");
    });
  });

  it("hang never answers, while other handlers do", async () => {
    const script: AgentScript = { onPrompt: { turns: [[{ do: "hang" }], [{ do: "stop" }]] } };
    await withAgent(script, async (client) => {
      const sessionId = await client.open();
      const first = client.prompt(sessionId, "one");
      await client.response(client.prompt(sessionId, "two"));
      assert.equal(client.messages.some((message) => atPointer(message, "/id") === first), false);
    });
  });

  it("repeat takes its steps so many times", async () => {
    const steps: Step[] = [{
      do: "repeat",
      times: 3,
      steps: [{ do: "text", text: "a" }, { do: "line", text: "noise" }],
    }];
    await withAgent({ onPrompt: [...steps, { do: "stop" }] }, async (client) => {
      await client.response(await start(client));
      const kinds = client.lines.slice(2, 8).map((line) => line === "noise" ? "noise" : "text");
      assert.deepEqual(kinds, ["text", "noise", "text", "noise", "text", "noise"]);
    });
  });

  it("repeat without end goes on through a cancel that is ignored, and ends with the turn otherwise", async () => {
    const endless: Step = { do: "repeat", steps: [{ do: "text", text: "a" }] };
    await withAgent(
      { onPrompt: [endless], onCancel: [{ do: "notify", method: "_seen" }] },
      async (client) => {
        await start(client);
        client.notify("session/cancel", { sessionId: "session-1" });
        await client.call("_seen");
        const seen = client.lines.length;
        await client.until(() => client.lines.length > seen + 100 || undefined);
      },
    );
    await withAgent(
      { onPrompt: [endless], onMethod: { _after: [{ do: "notify", method: "_quiet" }] } },
      async (client) => {
        const prompt = await start(client);
        client.notify("session/cancel", { sessionId: "session-1" });
        assert.deepEqual((await client.response(prompt))["result"], { stopReason: "cancelled" });
        client.notify("_after", {});
        await client.call("_quiet");
        const last = client.lines.slice(-2).map((line) => JSON.parse(line) as JsonObject);
        assert.deepEqual(last.map(({ id, method }) => id ?? method), [prompt, "_quiet"]);
      },
    );
  });

  it("endTurns ends the turns of its session only, with a reason of choice", async () => {
    const script: AgentScript = {
      onPrompt: [{ do: "hang" }],
      onCancel: [{ do: "endTurns", reason: "end_turn" }],
    };
    await withAgent(script, async (client) => {
      const first = await client.open();
      const second = await client.request("session/new", { cwd: "/", mcpServers: [] });
      const other = client.prompt(String(atPointer(second as Json, "/result/sessionId")), "go");
      const prompts = [client.prompt(first, "go"), client.prompt(first, "go")];
      client.notify("session/cancel", { sessionId: first });
      for (const prompt of prompts) {
        assert.deepEqual((await client.response(prompt))["result"], { stopReason: "end_turn" });
      }
      assert.equal(client.messages.some((message) => atPointer(message, "/id") === other), false);
    });
  });

  it("endTurns drops the steps that a turn has left", async () => {
    const script: AgentScript = {
      onPrompt: [{ do: "hang" }, { do: "text", text: "late" }, { do: "exit", code: 9 }],
      onMethod: { _after: [{ do: "notify", method: "_quiet" }] },
    };
    await withAgent(script, async (client) => {
      const prompt = await start(client);
      client.notify("session/cancel", { sessionId: "session-1" });
      await client.response(prompt);
      client.notify("_after", {});
      await client.call("_quiet");
      assert.equal(said(client), "");
    });
  });

  it("endTurns answers with an error if told so", async () => {
    const error = { code: -32603, message: "aborted" };
    await withAgent({ onPrompt: [{ do: "hang" }], onCancel: [{ do: "endTurns", error }] }, async (client) => {
      const prompt = await start(client);
      client.notify("session/cancel", { sessionId: "session-1" });
      assert.deepEqual((await client.response(prompt))["error"], error);
    });
  });

  it("endTurns leaves a turn alone that has its answer already", async () => {
    const script: AgentScript = {
      onPrompt: [{ do: "stop" }, { do: "hang" }],
      onMethod: { _after: [{ do: "notify", method: "_quiet" }] },
    };
    await withAgent(script, async (client) => {
      const prompt = await start(client);
      await client.response(prompt);
      client.notify("session/cancel", { sessionId: "session-1" });
      client.notify("_after", {});
      await client.call("_quiet");
      assert.equal(client.messages.filter((message) => atPointer(message, "/id") === prompt).length, 1);
    });
  });
});
