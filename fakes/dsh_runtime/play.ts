/**
 * From the recorded wire of a real runtime to a script that plays it again.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject } from "../acp_agent/json.ts";
import type { AgentScript, Step } from "../acp_agent/script.ts";

/** One line of a recording. */
export interface RecordedLine {
  /** Milliseconds since the runtime was started. */
  readonly t: number;
  /** `>` from the client, `<` from the runtime; `>!` something that is no message. */
  readonly dir: string;
  /** The message. */
  readonly m?: JsonObject;
}

/** Reads a recording: one JSON object a line. */
export function readRecording(path: string | URL): RecordedLine[] {
  const lines = readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as RecordedLine);
}

/** What the runtime said from one request of the client to the next. */
interface Passage {
  readonly method: string;
  readonly id: Json;
  readonly steps: Step[];
}

/**
 * Makes the script that plays a recording, without its pauses.
 *
 * The live client drives it as the recorded one did: what the recorded runtime said behind a request is said again
 * behind that request of the live client. Ids of requests and of the session become the live ones. Only the first
 * session is the live client's; what concerns others is said as it stands, prompted by nobody.
 */
export function playedRuntime(recording: readonly RecordedLine[]): AgentScript {
  const session = sessionOf(recording.find(({ m }) => m?.["method"] === "session/prompt")?.m);
  const passages: Passage[] = [];
  for (const { dir, m: message } of recording) {
    if (message === undefined) continue;
    if (dir === ">" && isRequestOf(message, session)) {
      passages.push({ method: message["method"] as string, id: message["id"] ?? null, steps: [] });
    } else if (dir === "<") {
      const passage = passages.at(-1);
      if (passage === undefined) throw new TypeError("The runtime spoke before the client did");
      passage.steps.push(replay(message, passages, session));
    }
  }
  const of = (method: string) =>
    passages.filter((passage) => passage.method === method).map(({ steps }) => steps);
  return {
    unchecked: ["initialize-first", "params", "session"],
    onInitialize: of("initialize")[0] ?? [],
    onPrompt: { turns: of("session/prompt") },
    onMethod: { shutdown: [...of("shutdown")[0] ?? [], { do: "exit", code: 0 }] },
    onNotJson: [],
    onNotMessage: [],
  };
}

function isRequestOf(message: JsonObject, session: Json | undefined): boolean {
  if (message["id"] === undefined || typeof message["method"] !== "string") return false;
  return message["method"] !== "session/prompt" || sessionOf(message) === session;
}

function replay(message: JsonObject, passages: readonly Passage[], session: Json | undefined): Step {
  const { id, method, params, result, error } = message;
  const asked = passages.find((passage) => passage.id === id);
  if (method === undefined && asked !== undefined) {
    return {
      do: "reply",
      to: asked.method,
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error }),
    };
  }
  if (!isObject(params) || params["sessionId"] !== session) return { do: "send", message };
  return { do: "send", message: { ...message, params: { ...params, sessionId: { $sessionId: true } } } };
}

function sessionOf(message: JsonObject | undefined): Json | undefined {
  const params = message?.["params"];
  return isObject(params) ? params["sessionId"] : undefined;
}
