#!/usr/bin/env node
/**
 * An ACP agent on the official SDK's `agent()`: a peer whose wire behaviour is not ours. It echoes the prompt in two
 * chunks, and understands these words as a whole prompt:
 *
 * | prompt | behaviour |
 * | --- | --- |
 * | `ask` | asks for permission and says what came of it |
 * | `refuse` | stop reason `refusal` |
 * | `limit` | some text, then stop reason `max_tokens` |
 * | `fail` | a JSON-RPC error |
 * | `crash` | some text, then exit code 3 |
 * | `hang` | some text, then nothing until `session/cancel` or `$/cancel_request` |
 *
 * @module
 */
import process from "node:process";
import { Readable, Writable } from "node:stream";
import {
  agent,
  type AgentContext,
  type AgentRequestContext,
  methods,
  ndJsonStream,
  type PromptRequest,
  type PromptResponse,
  PROTOCOL_VERSION,
  RequestError,
  type Stream,
} from "@agentclientprotocol/sdk";

/** One prompt at work. */
interface Turn {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly text: string;
  /** Aborts on `session/cancel`. */
  readonly cancelled: AbortSignal;
}

const WORDS: Readonly<Record<string, (turn: Turn) => Promise<PromptResponse>>> = {
  ask: async (turn) => {
    const { outcome } = await turn.client.request(methods.client.session.requestPermission, {
      sessionId: turn.sessionId,
      toolCall: { toolCallId: "call-1", title: "Run a command", kind: "execute", status: "pending" },
      options: [
        { optionId: "allow", name: "Allow", kind: "allow_once" },
        { optionId: "reject", name: "Reject", kind: "reject_once" },
      ],
    });
    const allowed = outcome.outcome === "selected" && outcome.optionId === "allow";
    await say(turn, allowed ? "Allowed." : "Not allowed.");
    return { stopReason: turn.cancelled.aborted ? "cancelled" : "end_turn" };
  },
  refuse: () => Promise.resolve({ stopReason: "refusal" }),
  limit: async (turn) => {
    await say(turn, "This answer stops in the mid");
    return { stopReason: "max_tokens" };
  },
  fail: () => Promise.reject(RequestError.internalError()),
  crash: async (turn) => {
    await say(turn, "This is as far as I");
    process.exit(3);
  },
  hang: async (turn) => {
    await say(turn, "Cancel me.");
    await aborted(turn.cancelled);
    return { stopReason: "cancelled" };
  },
};

async function echo(turn: Turn): Promise<PromptResponse> {
  const points = Array.from(turn.text);
  const middle = Math.ceil(points.length / 2);
  for (const half of [points.slice(0, middle), points.slice(middle)]) {
    if (half.length > 0) await say(turn, half.join(""));
  }
  return { stopReason: "end_turn" };
}

function say({ client, sessionId }: Turn, text: string): Promise<void> {
  return client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((fulfil) => signal.addEventListener("abort", () => fulfil(), { once: true }));
}

function stdio(): Stream {
  // Node's and the DOM's stream types describe the same objects, but do not fit each other.
  type Streams = Parameters<typeof ndJsonStream>;
  return ndJsonStream(
    Writable.toWeb(process.stdout) as unknown as Streams[0],
    Readable.toWeb(process.stdin) as unknown as Streams[1],
  );
}

/** Sessions by id, each with the cancellation of its running turn. */
const sessions = new Map<string, AbortController>();

async function prompt(
  { params, client, signal }: AgentRequestContext<PromptRequest>,
): Promise<PromptResponse> {
  const { sessionId } = params;
  if (!sessions.has(sessionId)) throw RequestError.sessionNotFound(sessionId);
  const cancellation = new AbortController();
  sessions.set(sessionId, cancellation);
  const text = params.prompt.map((block) => block.type === "text" ? block.text : "").join("");
  const cancelled = AbortSignal.any([cancellation.signal, signal]);
  const answer = Object.hasOwn(WORDS, text.trim()) ? WORDS[text.trim()] : undefined;
  return await (answer ?? echo)({ client, sessionId, text, cancelled });
}

const connection = agent({ name: "sdk-acp-agent" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "sdk-acp-agent", version: "1.0.0" },
    agentCapabilities: { loadSession: false },
    authMethods: [],
  }))
  .onRequest(methods.agent.session.new, () => {
    const sessionId = `session-${sessions.size + 1}`;
    sessions.set(sessionId, new AbortController());
    return { sessionId };
  })
  .onRequest(methods.agent.session.prompt, prompt)
  .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.abort())
  .connect(stdio());

void connection.closed.then(() => process.exit(0));
