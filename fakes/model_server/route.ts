/**
 * Which path asks for what.
 *
 * @module
 */
import { anthropicMessages } from "./anthropic_messages.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai_chat.ts";
import { openaiResponses } from "./openai_responses.ts";
import { CREATED_AT, type Protocol } from "./protocol.ts";

/** What a request asks for. */
export type Route =
  | { readonly kind: "model"; readonly protocol: Protocol }
  | { readonly kind: "fixed"; readonly body: unknown }
  | { readonly kind: "journal" }
  | { readonly kind: "reset" }
  | { readonly kind: "unknown" };

const PROTOCOLS: readonly Protocol[] = [anthropicMessages, openaiChat, openaiResponses, gemini];

const MODELS = [
  "fake-model",
  "gpt-5",
  "claude-sonnet-4-5",
  "claude-haiku-4-5",
  "gemini-2.5-pro",
  "qwen3-coder-plus",
];

/** Finds out what a request asks for. Base paths differ between agents, so only the end of a path counts. */
export function routeOf(method: string, path: string): Route {
  if (method === "POST") {
    const protocol = PROTOCOLS.find((one) => one.matches(path));
    if (protocol !== undefined) return { kind: "model", protocol };
    if (path === "/_reset") return { kind: "reset" };
    if (path.endsWith("/messages/count_tokens")) return { kind: "fixed", body: { input_tokens: 10 } };
    if (path.endsWith(":countTokens")) return { kind: "fixed", body: { totalTokens: 10 } };
  }
  if (method === "GET") {
    if (path === "/_journal") return { kind: "journal" };
    if (path.endsWith("/models")) return { kind: "fixed", body: modelList() };
    const [, name] = /\/models\/([^/:]+)$/.exec(path) ?? [];
    if (name !== undefined) return { kind: "fixed", body: modelNamed(decodeURIComponent(name)) };
  }
  return { kind: "unknown" };
}

// One shape that the clients of all three vendors find their fields in.
function modelNamed(id: string): unknown {
  return {
    id,
    name: `models/${id}`,
    object: "model",
    type: "model",
    display_name: id,
    created: CREATED_AT,
    created_at: new Date(CREATED_AT * 1000).toISOString(),
    owned_by: "fake",
    context_length: 200_000,
    supportedGenerationMethods: ["generateContent", "countTokens"],
  };
}

function modelList(): unknown {
  const data = MODELS.map(modelNamed);
  return { object: "list", data, models: data, has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) };
}
