/**
 * Nothing a child controls reaches a parent's model except the answer: a random token is put into every channel of the
 * child, and looked for in everything that a host may show.
 */
import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import process from "node:process";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import type { AgentScript, Handler, Step } from "../../fakes/acp_agent/script.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import { delegator } from "./delegation_fixtures_test.ts";

/** Makes a token and remembers it under the channel it goes through. */
class Canaries {
  readonly #tokens = new Map<string, string>();

  text(channel: string): string {
    const token = `canary-${randomUUID()}`;
    this.#tokens.set(channel, token);
    return token;
  }

  number(channel: string): number {
    const token = randomInt(1e12, 1e14);
    this.#tokens.set(channel, String(token));
    return token;
  }

  /** Asserts that no token is in a text. */
  absentFrom(text: string, where: string): void {
    for (const [channel, token] of this.#tokens) {
      assert.ok(!text.includes(token), `the token of ${channel} is in ${where}: ${text}`);
    }
  }
}

/** Every way a host may come to show an error. */
function* showings(error: unknown): Generator<readonly [where: string, text: string]> {
  yield ["String(error)", String(error)];
  yield ["inspect(error)", inspect(error, { depth: Infinity, showHidden: true })];
  yield ["JSON.stringify(error)", JSON.stringify(error, hidden) ?? ""];
  if (!(error instanceof Error)) return;
  yield ["error.stack", error.stack ?? ""];
  for (const name of Reflect.ownKeys(error)) {
    const value = (error as unknown as Record<PropertyKey, unknown>)[name];
    yield [`error.${String(name)}`, inspect(value, { depth: Infinity, showHidden: true })];
  }
  yield* showings(error.cause);
  if (error instanceof AggregateError) { for (const inner of error.errors) yield* showings(inner); }
}

// Serialisers of loggers follow what JSON.stringify leaves out of an Error.
function hidden(_name: string, value: unknown): unknown {
  return value instanceof Error
    ? { ...value, name: value.name, message: value.message, stack: value.stack, cause: value.cause }
    : value;
}

/** A script that puts a token into everything an agent can say, then ends as told. */
function talkative(
  canaries: Canaries,
  ending: (canaries: Canaries) => Partial<Record<Ending, Handler>>,
): AgentScript {
  const t = (channel: string) => canaries.text(channel);
  const noise = (where: string): readonly Step[] => [
    { do: "stderr", text: `${t(`stderr at ${where}`)}\n` },
    { do: "line", text: t(`stdout noise at ${where}`) },
    { do: "send", message: { level: "error", message: t(`foreign object at ${where}`) } },
    {
      do: "send",
      message: {
        jsonrpc: "2.0",
        id: t(`response id at ${where}`),
        error: {
          code: canaries.number(`response code at ${where}`),
          message: t(`response message at ${where}`),
        },
      },
    },
    {
      do: "notify",
      method: t(`notification method at ${where}`),
      params: { value: t(`notification params at ${where}`) },
    },
    {
      do: "request",
      method: t(`request method at ${where}`),
      params: { value: t(`request params at ${where}`) },
      id: t(`request id at ${where}`),
      wait: false,
    },
  ];
  const { onInitialize, onSessionNew, onPrompt = [{ do: "stop" }] } = ending(canaries);
  const before = (
    steps: readonly Step[],
    handler: Handler | undefined,
    usual: readonly Step[],
  ): Handler => [...steps, ...((handler ?? usual) as readonly Step[])];
  return {
    unchecked: ["session"],
    onStart: noise("start"),
    onInitialize: before(noise("initialize"), onInitialize, [{
      do: "reply",
      result: {
        protocolVersion: 1,
        agentInfo: { name: t("agent name"), version: t("agent version") },
        authMethods: [{ id: t("auth id"), name: t("auth name") }],
        _meta: { value: t("initialize _meta") },
      },
    }]),
    onSessionNew: before(noise("session/new"), onSessionNew, [{
      do: "reply",
      result: { sessionId: t("session id"), _meta: { value: t("session/new _meta") } },
    }]),
    onPrompt: [
      ...noise("prompt"),
      {
        do: "update",
        update: {
          sessionUpdate: t("update kind"),
          content: { type: "text", text: t("text of an unknown update") },
        },
      },
      {
        do: "update",
        update: { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: t("thought") } },
      },
      {
        do: "update",
        update: {
          sessionUpdate: "tool_call",
          toolCallId: t("tool call id"),
          title: t("tool title"),
          kind: "execute",
          rawInput: { command: t("tool input") },
          locations: [{ path: `/${t("tool path")}` }],
        },
      },
      {
        do: "update",
        update: {
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text: t("text of another session") },
        },
        sessionId: t("another session"),
      },
      {
        do: "ask",
        toolCall: {
          toolCallId: t("asked tool call"),
          title: t("asked title"),
          kind: t("asked kind"),
          rawInput: { path: t("asked input") },
        },
        options: [{ optionId: t("option id"), name: t("option name"), kind: t("option kind") }],
      },
      ...(onPrompt as readonly Step[]),
    ],
  };
}

type Ending = "onInitialize" | "onSessionNew" | "onPrompt";

const rawError = (canaries: Canaries): Step => ({
  do: "reply",
  error: {
    code: canaries.number("error code"),
    message: canaries.text("error message"),
    data: { details: canaries.text("error data"), nested: [{ deep: canaries.text("nested error data") }] },
  },
});

const endings:
  readonly (readonly [name: string, ending: (canaries: Canaries) => Partial<Record<Ending, Handler>>])[] = [
    ["a prompt error", (c) => ({ onPrompt: [rawError(c)] })],
    [
      "a malformed prompt response",
      (c) => ({ onPrompt: [{ do: "reply", result: c.text("both"), error: c.text("malformed error") }] }),
    ],
    ["an unknown stop reason", (c) => ({ onPrompt: [{ do: "stop", reason: c.text("stop reason") }] })],
    [
      "a stop reason that is an object",
      (c) => ({ onPrompt: [{ do: "stop", reason: { toString: c.text("object") } }] }),
    ],
    ["max_turn_requests", () => ({ onPrompt: [{ do: "stop", reason: "max_turn_requests" }] })],
    ["refusal", () => ({ onPrompt: [{ do: "stop", reason: "refusal" }] })],
    ["death by signal", () => ({ onPrompt: [{ do: "kill", signal: "SIGKILL" }] })],
    ["exit", () => ({ onPrompt: [{ do: "exit", code: 9 }] })],
    [
      "a line over the limit",
      (c) => ({ onPrompt: [{ do: "raw", text: c.text("endless line"), times: 100_000 }, { do: "hang" }] }),
    ],
    ["an initialize error", (c) => ({ onInitialize: [rawError(c)] })],
    [
      "an unknown protocol version",
      (c) => ({
        onInitialize: [{ do: "reply", result: { protocolVersion: c.text("version"), info: c.text("info") } }],
      }),
    ],
    ["exit at initialize", () => ({ onInitialize: [{ do: "exit", code: 3 }] })],
    ["a session/new error", (c) => ({ onSessionNew: [rawError(c)] })],
    [
      "a session without an id",
      (c) => ({ onSessionNew: [{ do: "reply", result: { session: c.text("wrong member") } }] }),
    ],
    [
      "a malformed session/new response",
      (c) => ({ onSessionNew: [{ do: "reply", error: c.text("error that is a string") }] }),
    ],
  ];

describe("no token of the child shows", () => {
  for (const [name, ending] of endings) {
    it(`after ${name}`, async () => {
      using workplace = new Workplace();
      const canaries = new Canaries();
      const failures: HostFailure[] = [];
      const { start, subagents, hostFailures } = delegator(workplace, talkative(canaries, ending), {
        config: {
          env: { SEAM_CANARY: canaries.text("environment value") },
          maxMessageBytes: 1024 * 1024,
          disposeEofGraceMs: 500,
        },
        request: { prompt: canaries.text("task"), label: canaries.text("label") },
      });
      const events: unknown[] = [];
      subagents.on("subagent/start", (event) => void events.push(event));
      subagents.on("subagent/end", (event) => void events.push(event));
      try {
        const run = await start();
        canaries.absentFrom(run.id, "run.id");
        const result = await run.result;
        canaries.absentFrom(inspect(result, { depth: Infinity }), "the result");
        await run.dispose();
      } catch (error) {
        for (const [where, text] of showings(error)) canaries.absentFrom(text, where);
      }
      canaries.absentFrom(inspect(events, { depth: Infinity }), "the lifecycle events");
      failures.push(...hostFailures);
      // The raw failure is the host's own, yet even its log shows no text of the child by accident.
      for (const { error } of failures) {
        for (const [where, text] of showings(error)) canaries.absentFrom(text, `host failure ${where}`);
      }
    });
  }

  it("when the program, its directory and its arguments are secrets", async () => {
    using workplace = new Workplace();
    const canaries = new Canaries();
    const { start } = delegator(workplace, {}, {
      config: { command: `/nonexistent/${canaries.text("command")}`, args: [canaries.text("argument")] },
    });
    const { start: startElsewhere } = delegator(workplace, {}, {
      request: { parent: { id: canaries.text("parent"), cwd: `/nonexistent/${canaries.text("directory")}` } },
    });
    for (const attempt of [start, startElsewhere]) {
      await assert.rejects(attempt(), (error: Error) => {
        canaries.absentFrom(error.message, "error.message");
        canaries.absentFrom(String(error.stack), "error.stack");
        canaries.absentFrom(JSON.stringify(error), "JSON.stringify(error)");
        return true;
      });
    }
  });

  it("while the child's own words are the answer, whole and unchanged", async () => {
    using workplace = new Workplace();
    const token = `canary-${randomUUID()}`;
    const { start } = delegator(workplace, {
      onPrompt: [{ do: "text", text: token }, { do: "exit", code: 1 }],
    });
    const run = await start();
    const { output, diagnostic } = await run.result;
    assert.deepEqual(output, [{ type: "text", text: token }]);
    assert.ok(!diagnostic?.includes(token));
    await run.dispose();
    assert.ok(process.exitCode === undefined || process.exitCode === 0);
  });
});
