/**
 * The scripted model's mind: what it does about one request, without a socket in sight.
 *
 * @module
 */
import type { Answer, Message, ModelRequest } from "./conversation.ts";
import { exampleOf } from "./schema_example.ts";
import { readScript, type Script } from "./script.ts";
import { chooseTool } from "./tool_choice.ts";

/** What the model does about one request. `line` is the scripted line behind it, empty when there is none. */
export type Plan =
  | { readonly kind: "hang"; readonly line: string }
  | { readonly kind: "http-error"; readonly line: string; readonly status: number }
  | {
    readonly kind: "answer";
    readonly line: string;
    readonly answer: Answer;
    /** Pause after each piece, in milliseconds. */
    readonly delayMs: number;
    /** Drop the connection after the first piece. */
    readonly cut: boolean;
  };

/** What the planner needs of a request. */
export type PlanRequest = Pick<ModelRequest, "messages" | "tools" | "answerSchema">;

const DEFAULT_TEXT = "OK.";
const TEXT_OF_STOP = {
  "max-tokens": "This answer was cut sho",
  refusal: "I cannot help with that.",
} as const;
const DEFAULT_WORDS = 50;
const MAX_REPEATED_RESULT = 300;

/**
 * Decides what the model does.
 *
 * @param failuresBefore How many requests were answered with an HTTP error so far, by scripted line.
 */
export function plan(request: PlanRequest, failuresBefore: ReadonlyMap<string, number> = new Map()): Plan {
  const { script, toolResults } = currentTurn(request.messages);
  const line = script?.line ?? "";
  if (script?.hang) return { kind: "hang", line };
  if (script?.http && (failuresBefore.get(line) ?? 0) < script.http.times) {
    return { kind: "http-error", line, status: script.http.status };
  }
  return {
    kind: "answer",
    line,
    answer: answerTo(request, script, toolResults),
    delayMs: script?.slow?.delayMs ?? 0,
    cut: script?.cut ?? false,
  };
}

interface Turn {
  readonly script: Script | undefined;
  readonly toolResults: readonly string[];
}

/** The turn begins behind the last assistant message that ended one: a text, and no tool called. */
function currentTurn(messages: readonly Message[]): Turn {
  const turn = messages.slice(lastIndex(messages, endsTurn) + 1);
  const prompt = lastIndex(turn, isScripted);
  if (prompt >= 0) {
    return {
      script: scriptIn(turn[prompt]),
      toolResults: turn.slice(prompt).flatMap((one) => one.toolResults),
    };
  }
  // No script of its own: the agent asks the model to go on, and only a `!` still holds.
  const earlier = scriptIn(messages[lastIndex(messages, isScripted)]);
  return { script: earlier?.stop?.always ? earlier : undefined, toolResults: [] };
}

function endsTurn({ role, text, toolCalls }: Message): boolean {
  return role === "assistant" && text !== "" && toolCalls.length === 0;
}

function isScripted(message: Message): boolean {
  return scriptIn(message) !== undefined;
}

function scriptIn(message: Message | undefined): Script | undefined {
  return message?.role === "user" ? readScript(message.text) : undefined;
}

function lastIndex<T>(list: readonly T[], test: (one: T) => boolean): number {
  return list.map(test).lastIndexOf(true);
}

function answerTo(
  { tools, answerSchema }: PlanRequest,
  script: Script | undefined,
  results: readonly string[],
): Answer {
  const thinking = script?.think === undefined ? {} : { thinking: script.think };
  if (answerSchema !== undefined) {
    const text = isJson(script?.say) ? script.say : JSON.stringify(exampleOf(answerSchema));
    return { kind: "text", ...thinking, pieces: [text], end: "complete" };
  }
  // Agents ask for titles and summaries in requests that offer no tools; those get a plain answer.
  if (script?.tool !== undefined && results.length === 0 && tools.length > 0) {
    const { name, argument } = script.tool;
    const call = chooseTool(name, argument, tools);
    if (call !== undefined) return { kind: "tool-call", ...thinking, call };
    const offered = tools.map((tool) => tool.name).join(", ");
    return { kind: "text", ...thinking, pieces: words(`No tool ${name} among ${offered}`), end: "complete" };
  }
  return {
    kind: "text",
    ...thinking,
    pieces: pieces(script, results),
    end: script?.stop?.reason ?? "complete",
  };
}

function pieces(script: Script | undefined, results: readonly string[]): readonly string[] {
  const { say, stop, slow, tool } = script ?? {};
  if (slow !== undefined && (say === undefined || slow.words !== undefined)) {
    return Array.from({ length: slow.words ?? DEFAULT_WORDS }, (_, index) => `w${index} `);
  }
  if (say !== undefined) return words(say);
  if (stop !== undefined) return words(TEXT_OF_STOP[stop.reason]);
  if (tool !== undefined && results.length > 0) {
    return words(`Done: ${results.join(" | ").replace(/\s+/g, " ").trim()}`.slice(0, MAX_REPEATED_RESULT));
  }
  return words(DEFAULT_TEXT);
}

function words(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [""];
}

function isJson(text: string | undefined): text is string {
  try {
    JSON.parse(text ?? "");
    return true;
  } catch {
    return false;
  }
}
