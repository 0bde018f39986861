/**
 * From the script of a runtime to that of the scripted agent, whose step language has all that a runtime needs but the
 * words of its protocol.
 *
 * @module
 */
import { isObject, type Json } from "../acp_agent/json.ts";
import type { AgentScript, Handler, Step } from "../acp_agent/script.ts";
import type { RuntimeHandler, RuntimeScript, RuntimeStep } from "./script.ts";

const PROMPT_TEXT: Json = { $param: "/contentBlocks/0/text" };
/** The id of a prompt's request, which is unique, also serves as the id of its message. */
const MESSAGE_ID: Json = { $requestId: true };

const WELL_BEHAVED: Required<Omit<RuntimeScript, "record" | "onStart" | "onEof" | "onSigterm">> = {
  onInitialize: [{
    do: "reply",
    result: { serverInfo: { name: "deepseek-harness-sdk-runtime", version: "0.0.1" } },
  }],
  onPrompt: [
    { do: "accept" },
    { do: "text", text: PROMPT_TEXT },
    { do: "message", content: [{ type: "text", text: PROMPT_TEXT }] },
    { do: "end" },
  ],
  onShutdown: [{ do: "reply", result: {} }, { do: "exit", code: 0 }],
};

/** A real runtime has one code for everything. */
const UNKNOWN_METHOD: readonly Step[] = [
  { do: "reply", error: { code: -32603, message: "unknown runtime method" } },
];

/** Fields of the protocol's own steps; the common ones are checked by the agent. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  accept: ["receipt"],
  receipt: [],
  text: ["text", "sessionId", "times"],
  message: ["content", "sessionId"],
  event: ["type", "data", "sessionId", "times"],
  status: ["status", "sessionId"],
  end: ["reason"],
};

const HANDLERS = ["onStart", "onInitialize", "onPrompt", "onShutdown", "onEof", "onSigterm"] as const;

/**
 * Makes the script of the agent that plays the runtime.
 *
 * @throws {TypeError} When a handler or a field of a protocol step is misspelt.
 */
export function runtimeAgent(script: RuntimeScript): AgentScript {
  for (const field of Object.keys(script)) {
    if (field !== "record" && !(HANDLERS as readonly string[]).includes(field)) {
      throw new TypeError(`Unknown field "${field}" in the script`);
    }
  }
  const { record, onStart, onEof, onSigterm } = script;
  const { onInitialize, onPrompt, onShutdown } = { ...WELL_BEHAVED, ...script };
  const given = { onStart, onEof, onSigterm };
  return {
    ...(record === undefined ? {} : { record }),
    // The checks are those of ACP; a runtime does without.
    unchecked: ["initialize-first", "params", "session"],
    onInitialize: expandHandler(onInitialize),
    onPrompt: expandHandler(onPrompt),
    onMethod: {
      shutdown: expandHandler(onShutdown),
      // Without a say here these would be the words of ACP that they are.
      "session/new": UNKNOWN_METHOD,
      "session/cancel": UNKNOWN_METHOD,
    },
    onAnyRequest: UNKNOWN_METHOD,
    onNotJson: [],
    onNotMessage: [],
    ...Object.fromEntries(
      Object.entries(given).flatMap(([name, handler]) =>
        handler === undefined ? [] : [[name, expandHandler(handler)]]
      ),
    ),
  };
}

function expandHandler(handler: RuntimeHandler): Handler {
  return "turns" in handler
    ? { turns: handler.turns.map((steps) => new Expansion().steps(steps)) }
    : new Expansion().steps(handler);
}

/** One handler's steps on their way; counts its events, as a session numbers them. */
class Expansion {
  #seq = 0;

  /** Expands steps in their order. */
  steps(steps: readonly RuntimeStep[]): Step[] {
    return steps.flatMap((step) => this.#step(step));
  }

  #step(step: RuntimeStep): Step[] {
    checkFields(step);
    switch (step.do) {
      case "accept":
        return [
          this.#event("agent/inbox/spliced", {
            target: "next-turn",
            start: 0,
            inserted: [{
              id: MESSAGE_ID,
              role: "user",
              content: { $param: "/contentBlocks" },
              source: { kind: "user" },
            }],
          }),
          status("running"),
          this.#event("turn/start", { turn: 1 }),
          this.#event("agent/inbox/spliced", {
            target: "next-turn",
            start: 0,
            removedCount: 1,
            inserted: [],
          }),
          ...(step.receipt === false ? [] : [receipt()]),
        ];
      case "receipt":
        return [receipt()];
      case "text": {
        const { text, sessionId, times } = step;
        const chunk: Json = { type: "text-delta", index: 0, text };
        return [this.#event("assistant/chunk", { turn: 1, step: 1, chunk }, sessionId, times)];
      }
      case "message":
        return [this.#event("assistant/message", {
          turn: 1,
          step: 1,
          message: {
            id: "message-of-assistant",
            role: "assistant",
            content: typeof step.content === "string" ? [{ type: "text", text: step.content }] : step.content,
            source: { kind: "model", provider: "fake", model: "fake" },
          },
        }, step.sessionId)];
      case "event":
        return [this.#event(step.type, step.data ?? {}, step.sessionId, step.times)];
      case "status":
        return [status(step.status, step.sessionId)];
      case "end": {
        const { reason = "completed" } = step;
        const turnEnd = { turn: 1, reason: typeof reason === "string" ? { kind: reason } : reason };
        return [this.#event("turn/end", turnEnd), status("idle")];
      }
      case "burst":
      case "repeat":
        return [{ ...step, steps: this.steps(step.steps) }];
      default:
        return [step];
    }
  }

  #event(type: Json, data: Json, sessionId: Json = { $sessionId: true }, times = 1): Step {
    const event: Json = { type, seq: this.#seq++, time: 0, data };
    return notification("session.event", { sessionId, event }, times);
  }
}

function status(status: Json, sessionId: Json = { $sessionId: true }): Step {
  return notification("session.status", { sessionId, status }, 1);
}

function receipt(): Step {
  return { do: "reply", to: "session/prompt", result: { messageId: MESSAGE_ID } };
}

function notification(method: string, params: Json, times: number): Step {
  return { do: "send", message: { jsonrpc: "2.0", method, params }, times };
}

function checkFields(step: RuntimeStep): void {
  if (!isObject(step) || typeof step.do !== "string" || !Object.hasOwn(FIELDS, step.do)) return;
  const known = FIELDS[step.do] ?? [];
  const wrong = Object.keys(step).find((field) => field !== "do" && !known.includes(field));
  if (wrong !== undefined) throw new TypeError(`Unknown field "${wrong}" in step "${step.do}"`);
}
