/**
 * What a well-behaved agent refuses before any handler runs.
 *
 * @module
 */
import { asText, atPointer, isObject, type Json, type JsonObject } from "./json.ts";
import type { Check } from "./script.ts";

/** What the checks look at. */
export interface AgentState {
  /** Whether `initialize` has been answered with a result. */
  readonly initialized: boolean;
  /** Session ids that have been given out. */
  readonly sessions: ReadonlySet<string>;
}

/** Methods that need a session which this process has given out. */
const NEED_SESSION: ReadonlySet<string> = new Set([
  "session/prompt",
  "session/set_mode",
  "session/set_config_option",
]);

const BLOCK_TYPES: ReadonlySet<Json | undefined> = new Set([
  "text",
  "image",
  "audio",
  "resource_link",
  "resource",
]);

/** Whether the params of a method have what it needs; methods without a row are not looked at. */
const PARAMS: ReadonlyMap<string, (params: Json | undefined) => boolean> = new Map([
  ["initialize", (params: Json | undefined) => {
    const version = atPointer(params, "/protocolVersion");
    return Number.isInteger(version) && Number(version) >= 0 && Number(version) <= 65535;
  }],
  ["session/new", (params: Json | undefined) => {
    const cwd = atPointer(params, "/cwd");
    const absolute = typeof cwd === "string" && (cwd.startsWith("/") || /^[A-Za-z]:[\\/]/.test(cwd));
    return absolute && Array.isArray(atPointer(params, "/mcpServers"));
  }],
  ["session/prompt", (params: Json | undefined) => {
    const prompt = atPointer(params, "/prompt");
    return typeof atPointer(params, "/sessionId") === "string" && Array.isArray(prompt) &&
      (prompt as readonly Json[]).every((block) => BLOCK_TYPES.has(atPointer(block, "/type")));
  }],
]);

/** Whether a value is a JSON-RPC message at all. */
export function isMessage(value: Json): value is JsonObject {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return false;
  return typeof value["method"] === "string" || value["id"] !== undefined;
}

/** The error that a request gets without being handled, if any. */
export function refusal(
  request: JsonObject,
  state: AgentState,
  unchecked: readonly Check[],
): Json | undefined {
  const method = asText(request["method"]);
  const params = request["params"];
  const checks = (check: Check) => !unchecked.includes(check);
  if (checks("initialize-first") && !state.initialized && method !== "initialize") {
    return { code: -32600, message: "Invalid request" };
  }
  if (checks("params") && PARAMS.get(method)?.(params) === false) {
    return { code: -32602, message: "Invalid params" };
  }
  const sessionId = atPointer(params, "/sessionId") ?? null;
  if (checks("session") && NEED_SESSION.has(method) && !state.sessions.has(asText(sessionId))) {
    return { code: -32002, message: "Resource not found", data: { sessionId } };
  }
  return undefined;
}
