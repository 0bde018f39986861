/**
 * The well-behaved agent, in the step language: what happens when the script has no handler.
 *
 * @module
 */
import type { LifeEvent } from "./handlers.ts";
import type { Step } from "./script.ts";

/** Handlers of methods. A notification without one is ignored. */
export const DEFAULT_METHODS: ReadonlyMap<string, readonly Step[]> = new Map<string, readonly Step[]>([
  ["initialize", [{
    do: "reply",
    result: {
      protocolVersion: 1,
      agentInfo: { name: "scripted-acp-agent", version: "1.0.0" },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
      },
      authMethods: [],
    },
  }]],
  ["session/new", [{ do: "reply", result: { sessionId: { $sessionId: true } } }]],
  ["session/prompt", [{ do: "echo" }, { do: "stop" }]],
  ["session/cancel", [{ do: "endTurns" }]],
  ["$/cancel_request", [{ do: "endTurns", error: { code: -32800, message: "Request cancelled" } }]],
]);

/** Any other request. */
export const DEFAULT_REQUEST: readonly Step[] = [
  { do: "reply", error: { code: -32601, message: "Method not found" } },
];

/** Everything that is no method call. `onSigterm` has no say without a script: the signal kills. */
export const DEFAULT_EVENTS: Readonly<Record<LifeEvent, readonly Step[]>> = {
  onStart: [],
  onNotJson: [
    { do: "send", message: { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } } },
  ],
  onNotMessage: [
    {
      do: "send",
      message: { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid request" } },
    },
  ],
  onEof: [{ do: "wait", for: "idle" }, { do: "exit", code: 0 }],
  onSigterm: [],
};
