/**
 * A model that does what a script says.
 *
 * @module
 */
import type { ContentBlock } from "../seam/content.ts";
import { joinText } from "../seam/content.ts";
import type { FinishChunk, ModelChunk, ModelPort, ModelRequest } from "./model/model_types.ts";
import {
  type AgentRuntime,
  type AgentRuntimeOptions,
  createAgentRuntime,
  type RuntimeFailure,
} from "./runtime.ts";
import type { Agent } from "./agent.ts";

/** One answer: pieces that are there, or a stream of them. */
export type ScriptedAnswer = Iterable<unknown> | AsyncIterable<unknown>;

/** A model with a memory. */
export interface ScriptedModel extends ModelPort {
  /** What it was asked, oldest first. */
  readonly requests: readonly ModelRequest[];
}

/** Makes a model that gives each question to the script, with its number from 1. */
export function scriptedModel(
  script: (request: ModelRequest, count: number) => ScriptedAnswer | PromiseLike<ScriptedAnswer>,
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *stream(request) {
      requests.push(request);
      yield* await script(request, requests.length) as AsyncIterable<ModelChunk>;
    },
  };
}

/** A model that gives these answers one after the other. */
export function answers(...list: readonly ScriptedAnswer[]): ScriptedModel {
  return scriptedModel((_, count) => {
    const answer = list[count - 1];
    if (answer === undefined) throw new Error(`No answer ${count} in the script`);
    return answer;
  });
}

/** The end of an answer. */
export function finish(reason: FinishChunk["reason"] = "stop"): FinishChunk {
  return { type: "finish", reason };
}

/** An answer in words. */
export function say(...pieces: readonly string[]): readonly ModelChunk[] {
  return [...pieces.map((text) => ({ type: "text-delta", text }) as const), finish()];
}

/** An answer that calls tools; arguments that are text stand as they are. */
export function callTools(
  ...calls: readonly (readonly [name: string, args: unknown, id?: string])[]
): readonly ModelChunk[] {
  const chunks = calls.map(([name, args, id], index) => ({
    type: "tool-call",
    id: id ?? `call-${index + 1}`,
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  } as const));
  return [...chunks, finish("tool-calls")];
}

/** An answer that never goes on behind these pieces, whatever is asked of it. */
export async function* stuck(...chunks: readonly ModelChunk[]): AsyncGenerator<ModelChunk> {
  yield* chunks;
  await new Promise(() => {});
}

/** A runtime with one agent. */
export interface Bench extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  readonly agent: Agent;
  readonly failures: readonly RuntimeFailure[];
}

/** Makes a runtime with one agent. */
export async function bench(
  model: ModelPort,
  options: Omit<AgentRuntimeOptions, "model" | "onFailure"> = {},
): Promise<Bench> {
  const failures: RuntimeFailure[] = [];
  const runtime = createAgentRuntime({
    ...options,
    model,
    onFailure: (failure) => void failures.push(failure),
  });
  const { agent } = await runtime.agents.create(runtime.owner, {
    agentId: "agent-1",
    sessionId: "session-1",
  });
  return { runtime, agent, failures, [Symbol.asyncDispose]: () => runtime.dispose() };
}

/** The events of an agent's session in short: the type, and what tells it apart from others of that type. */
export function trace({ session }: Agent): string[] {
  return session.events.map(({ type, data }) => {
    const detail = DETAILS[type]?.(data as unknown as EventFacts);
    return detail === undefined ? type : `${type} ${detail}`;
  });
}

interface EventFacts {
  readonly turn: number;
  readonly step: number;
  readonly reason: string;
  readonly finishReason: string;
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
  readonly content: readonly ContentBlock[];
  readonly message: { readonly content: readonly ContentBlock[] };
  readonly chunk: { readonly type: string };
}

const DETAILS: Readonly<Record<string, (facts: EventFacts) => string | number>> = {
  "turn/start": ({ turn }) => turn,
  "turn/end": ({ turn, reason }) => `${turn} ${reason}`,
  "step/start": ({ turn, step }) => `${turn}.${step}`,
  "step/end": ({ turn, step, finishReason }) => `${turn}.${step} ${finishReason}`,
  "user/message": ({ message }) => joinText(message.content),
  "assistant/message": ({ message }) => joinText(message.content),
  "assistant/chunk": ({ chunk }) => chunk.type,
  "tool/call": ({ callId, name, arguments: args }) => `${callId} ${name} ${args}`,
  "tool/result": ({ callId, content }) => `${callId} ${joinText(content)}`,
};

/** The trace without pieces and headers. */
export function outline(agent: Agent): string[] {
  return trace(agent).filter((line) => !line.startsWith("assistant/chunk") && line !== "request/header");
}
