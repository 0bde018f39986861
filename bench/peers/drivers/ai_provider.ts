/**
 * What both drivers of `@mcpc-tech/acp-ai-provider` share.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { DriverOptions } from "./driver.ts";

/** What is used of the provider, after its declarations. */
interface AcpAiProvider {
  createACPProvider(config: {
    command: string;
    args: string[];
    session: { cwd: string; mcpServers: [] };
  }): { languageModel(): unknown; readonly tools: unknown; cleanup(): void };
}

/** A part of a stream of the AI SDK. */
export interface StreamPart {
  /** `text-delta`, `abort`, `error` and others. */
  readonly type: string;
  /** Of a `text-delta`. */
  readonly text?: string;
  /** Of an `error`. */
  readonly error?: unknown;
}

/** What is used of the AI SDK. */
export interface AiSdk {
  /** Fulfils with the whole answer. */
  generateText(options: Readonly<Record<string, unknown>>): Promise<{ readonly text: string }>;
  /** Streams the answer. */
  streamText(options: Readonly<Record<string, unknown>>): { readonly fullStream: AsyncIterable<StreamPart> };
}

/** A model that is an agent, and what calls it. */
export interface AgentModel {
  /** The AI SDK. */
  readonly ai: AiSdk;
  /** What both of its calls are given. One attempt: by default a dead agent would be tried three times. */
  readonly call: Readonly<Record<string, unknown>>;
  /** Aborts the call. */
  abort(): void;
  /** The provider's own clean-up. */
  cleanup(): void;
}

/** Makes a model of the agent. */
export async function agentModel(
  { agent: { command, args }, packages }: DriverOptions,
  prompt: string,
): Promise<AgentModel> {
  const load = (path: string) => import(pathToFileURL(join(packages, "node_modules", path)).href);
  const { createACPProvider }: AcpAiProvider = await load("@mcpc-tech/acp-ai-provider/index.mjs");
  const ai: AiSdk = await load("ai/dist/index.mjs");
  const provider = createACPProvider({
    command,
    args: [...args],
    session: { cwd: process.cwd(), mcpServers: [] },
  });
  const cancellation = new AbortController();
  const call = {
    model: provider.languageModel(),
    tools: provider.tools,
    prompt,
    maxRetries: 0,
    abortSignal: cancellation.signal,
  };
  return { ai, call, abort: () => cancellation.abort(), cleanup: () => provider.cleanup() };
}
