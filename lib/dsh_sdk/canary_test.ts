/**
 * Nothing a runtime controls reaches what a host shows to a model or prints of an error, except the assistant's text.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import type { RuntimeScript, RuntimeStep } from "../../fakes/dsh_runtime/script.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { JsonRpcResponseError } from "../json_rpc/errors.ts";
import type { SubagentRun } from "../seam/types.ts";
import type { DshSdkProviderSettings } from "./config.ts";
import { delegator } from "./delegation_fixtures_test.ts";
import { SdkProtocolError } from "./errors.ts";
import type { DshSdkHostFailure } from "./host_report.ts";

const token = () => `canary-${randomUUID()}`;

const accept: RuntimeStep = { do: "accept" };
const stderr = (text: string): RuntimeStep => ({ do: "stderr", text: `${text}\n` });
const end = (reason: NonNullable<Extract<RuntimeStep, { do: "end" }>["reason"]>): RuntimeStep => ({
  do: "end",
  reason,
});
const remoteError = (canary: string): RuntimeStep => ({
  do: "reply",
  error: { code: 12345, message: canary, data: { [canary]: canary, list: [canary] } },
});

interface Channel {
  readonly channel: string;
  script(canary: string): RuntimeScript;
  readonly config?: Partial<DshSdkProviderSettings>;
  /** Finds the canary where the host may look for it on purpose, to prove that it got that far. */
  arrived?(failures: readonly DshSdkHostFailure[]): unknown;
}

const remoteMessage = ([failure]: readonly DshSdkHostFailure[]) =>
  JsonRpcResponseError.is(failure?.error) && failure.error.remoteMessage;
const payload = ([failure]: readonly DshSdkHostFailure[]) =>
  SdkProtocolError.is(failure?.error) && JSON.stringify(failure.error.payload);
const tail = ([failure]: readonly DshSdkHostFailure[]) => failure?.stderrTail;

const channels: readonly Channel[] = [
  {
    channel: "the error of initialize",
    script: (canary) => ({ onInitialize: [stderr(canary), remoteError(canary)] }),
    arrived: remoteMessage,
  },
  {
    channel: "a server identity that is none",
    script: (canary) => ({
      onInitialize: [{
        do: "reply",
        result: { serverInfo: { name: canary, version: [canary] }, [canary]: 1 },
      }],
    }),
    arrived: payload,
  },
  {
    channel: "a server identity that is one",
    script: (canary) => ({
      onInitialize: [{ do: "reply", result: { serverInfo: { name: canary, version: canary } } }],
    }),
  },
  {
    channel: "stderr of a runtime that dies at the start",
    script: (canary) => ({ onStart: [stderr(canary), { do: "exit", code: 9 }] }),
    arrived: tail,
  },
  {
    channel: "stderr and stdout of a runtime that dies in mid-turn",
    script: (canary) => ({
      onPrompt: [accept, { do: "line", text: canary }, { do: "raw", text: `{"${canary}` }, stderr(canary), {
        do: "exit",
        code: 9,
      }],
    }),
    arrived: tail,
  },
  {
    channel: "the error of session/prompt",
    script: (canary) => ({ onPrompt: [remoteError(canary)] }),
    arrived: remoteMessage,
  },
  {
    channel: "a receipt that is none",
    script: (canary) => ({ onPrompt: [{ do: "reply", result: { messageId: { canary } } }] }),
    arrived: payload,
  },
  {
    channel: "a receipt with result and error",
    script: (canary) => ({ onPrompt: [{ do: "reply", result: canary, error: { message: canary } }] }),
  },
  {
    channel: "an event without a type",
    script: (canary) => ({
      onPrompt: [accept, { do: "event", type: { canary }, data: { canary } }, { do: "hang" }],
    }),
    arrived: payload,
  },
  {
    channel: "an assistant message that is none",
    script: (canary) => ({
      onPrompt: [accept, { do: "message", content: [{ text: canary, canary }] }, { do: "hang" }],
    }),
    arrived: payload,
  },
  {
    channel: "the end of a turn that is none",
    script: (canary) => ({
      onPrompt: [accept, end({ kind: "aborted", reason: { kind: canary } }), { do: "hang" }],
    }),
    arrived: payload,
  },
  {
    channel: "an unknown reason",
    script: (canary) => ({ onPrompt: [accept, end({ kind: canary, canary })] }),
  },
  {
    channel: "the error of a turn",
    script: (canary) => ({
      onPrompt: [accept, end({ kind: "error", error: { message: canary, code: canary, stack: canary } })],
    }),
  },
  {
    channel: "the words of a hook",
    script: (canary) => ({
      onPrompt: [accept, end({ kind: "aborted", reason: { kind: "hook", reason: canary } })],
    }),
  },
  {
    channel: "events, ids and requests around the answer",
    script: (canary) => ({
      onPrompt: [
        { do: "send", message: { jsonrpc: "2.0", id: canary, method: canary, params: { canary } } },
        { do: "send", message: { jsonrpc: "2.0", id: canary, error: { code: 1, message: canary } } },
        { do: "notify", method: canary, params: { canary } },
        accept,
        { do: "event", type: "tool/call", data: { id: canary, name: canary, arguments: canary } },
        { do: "event", type: "session/title", data: { title: canary } },
        { do: "event", type: canary, data: canary },
        { do: "event", type: "assistant/chunk", data: { chunk: { type: "reasoning-delta", text: canary } } },
        { do: "message", content: canary, sessionId: canary },
        { do: "status", status: canary },
        end("completed"),
      ],
    }),
  },
  {
    channel: "a line that is too long",
    script: (canary) => ({ onPrompt: [accept, { do: "raw", text: canary, times: 10_000 }, { do: "hang" }] }),
    config: { maxMessageBytes: 20_000 },
  },
  {
    channel: "the error of shutdown",
    script: (canary) => ({ onShutdown: [remoteError(canary)] }),
    arrived: remoteMessage,
  },
  {
    channel: "stderr of a runtime that does not answer shutdown",
    script: (canary) => ({ onShutdown: [stderr(canary)] }),
    config: { shutdownTimeoutMs: 300 },
    arrived: tail,
  },
];

/** Everything that a host, its log or its debugger prints of a value without asking for one property by name. */
function shown(value: unknown): string {
  const texts = [
    String(value),
    JSON.stringify(value),
    inspect(value, { depth: 50 }),
    inspect(value, { depth: 50, showHidden: true, getters: false }),
  ];
  for (const error of errorsIn(value)) {
    texts.push(error.message, error.stack ?? "", JSON.stringify({ ...error }));
  }
  return texts.join("\n");
}

/** An error with everything behind its `cause` and in its `errors`. */
function errorsIn(value: unknown): Error[] {
  if (!(value instanceof Error)) return [];
  const inner = value instanceof AggregateError ? value.errors as unknown[] : [];
  return [value, ...errorsIn(value.cause), ...inner.flatMap(errorsIn)];
}

describe("a canary goes no further than the private channel", () => {
  for (const { channel, script, config, arrived } of channels) {
    it(`from ${channel}`, async () => {
      using workplace = new Workplace();
      const canary = token();
      const { start, hostFailures } = delegator(
        workplace,
        script(canary),
        config === undefined ? {} : { config },
      );
      const seen: unknown[] = [];
      const keep = (error: unknown) => void seen.push(error);
      const run: SubagentRun | void = await start().catch(keep);
      if (run !== undefined) {
        seen.push(await run.result, run);
        await run.dispose().catch(keep);
      }
      assert.ok(seen.length > 0);
      for (const value of [...seen, ...hostFailures, ...hostFailures.map(({ error }) => error)]) {
        assert.ok(!shown(value).includes(canary), `shown: ${shown(value)}`);
      }
      if (arrived !== undefined) {
        assert.ok(String(arrived(hostFailures)).includes(canary), "the canary got here");
      }
    });
  }

  it("but the assistant's text is in the output, and nowhere else", async () => {
    using workplace = new Workplace();
    const canary = token();
    const { start, hostFailures } = delegator(workplace, {
      onPrompt: [accept, { do: "text", text: canary }, { do: "exit", code: 1 }],
    });
    const run = await start();
    const { output, ...rest } = await run.result;
    assert.deepEqual(output, [{ type: "text", text: canary }]);
    await run.dispose();
    for (const value of [rest, ...hostFailures, hostFailures[0]?.error]) {
      assert.ok(!shown(value).includes(canary));
    }
  });
});
