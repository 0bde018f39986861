/**
 * Which steps answer which event: the script's, else the well-behaved ones.
 *
 * @module
 */
import { DEFAULT_EVENTS, DEFAULT_METHODS, DEFAULT_REQUEST } from "./default_handlers.ts";
import { DEMO_PROMPTS } from "./demo_prompts.ts";
import type { JsonObject } from "./json.ts";
import { promptText } from "./placeholders.ts";
import type { AgentScript, Handler, Step } from "./script.ts";

/** Events that are no method call. */
export type LifeEvent = "onStart" | "onNotJson" | "onNotMessage" | "onEof" | "onSigterm";

const NAMED: ReadonlyMap<string, "onInitialize" | "onSessionNew" | "onPrompt" | "onCancel"> = new Map([
  ["initialize", "onInitialize"],
  ["session/new", "onSessionNew"],
  ["session/prompt", "onPrompt"],
  ["session/cancel", "onCancel"],
]);

/** The handlers of one agent. Remembers how often each has been called. */
export class Handlers {
  readonly #script: AgentScript;
  readonly #calls: Map<Handler, number> = new Map();

  /** Handlers of a script that nothing has called yet. */
  constructor(script: AgentScript) {
    this.#script = script;
  }

  /** Steps for an event. */
  forEvent(event: LifeEvent): readonly Step[] {
    return this.#nextSteps(this.#script[event] ?? DEFAULT_EVENTS[event]);
  }

  /** Steps for a request or notification. */
  forMessage(message: JsonObject): readonly Step[] {
    return this.#nextSteps(this.#handlerOf(message));
  }

  #handlerOf(message: JsonObject): Handler {
    const method = message["method"] as string;
    const name = NAMED.get(method);
    const { onMethod = {}, onAnyRequest = DEFAULT_REQUEST } = this.#script;
    const scripted = name === undefined ? undefined : this.#script[name];
    if (scripted !== undefined) return scripted;
    if (Object.hasOwn(onMethod, method)) return onMethod[method] ?? [];
    if (method === "session/prompt") {
      const demo = DEMO_PROMPTS.get(promptText(message["params"]).trim());
      if (demo !== undefined) return demo;
    }
    return DEFAULT_METHODS.get(method) ?? (message["id"] === undefined ? [] : onAnyRequest);
  }

  #nextSteps(handler: Handler): readonly Step[] {
    if (!("turns" in handler)) return handler;
    const call = this.#calls.get(handler) ?? 0;
    this.#calls.set(handler, call + 1);
    return handler.turns[Math.min(call, handler.turns.length - 1)] ?? [];
  }
}
