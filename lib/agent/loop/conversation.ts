/**
 * From the events of a session to the conversation that a model is asked about.
 *
 * @module
 */
import type { ContentBlock, ToolCallBlock } from "../../seam/content.ts";
import { isRecord } from "../../seam/kind_of.ts";
import type { ModelMessage, ToolModelMessage } from "../model/model_types.ts";
import type { SessionEvent } from "../session/session_event.ts";

/** What stands for the result of a call that has none, because its turn was cut short. */
const NO_RESULT: readonly ContentBlock[] = Object.freeze([
  Object.freeze({ type: "text", text: "Error: the tool call was not carried out" }),
]);

type Entry =
  | { readonly role: "user"; readonly content: readonly ContentBlock[] }
  | { readonly role: "assistant"; readonly content: readonly ContentBlock[]; readonly calls: Call[] };

interface Call {
  readonly id: string;
  readonly name: string;
  result?: ToolModelMessage;
}

/**
 * Follows a session. What it gives is what every model API takes: each tool call is followed by exactly one result, no
 * result stands alone, and no message is empty. Events that it does not know, or that are not what they should be, as
 * in a seed from elsewhere, are left out.
 */
export class Conversation {
  readonly #entries: Entry[] = [];

  /** Takes the next event. */
  push({ type, data }: SessionEvent): void {
    if (!isRecord(data)) return;
    if (type === "user/message") this.#pushUser(data.message);
    else if (type === "assistant/message") this.#pushAssistant(data.message);
    else if (type === "tool/result") this.#pushResult(data);
  }

  /** The conversation so far, oldest message first. */
  messages(): ModelMessage[] {
    return this.#entries.flatMap((entry): ModelMessage[] => {
      if (entry.role === "user") return [{ role: "user", content: entry.content }];
      const results = entry.calls.map(({ id, name, result }): ModelMessage =>
        result ?? { role: "tool", callId: id, name, content: NO_RESULT, isError: true }
      );
      return [{ role: "assistant", content: entry.content }, ...results];
    });
  }

  #pushUser(message: unknown): void {
    const content = contentOf(message);
    if (content.length > 0) this.#entries.push({ role: "user", content });
  }

  #pushAssistant(message: unknown): void {
    const content = contentOf(message);
    if (content.length === 0) return;
    const calls = content.filter(isToolCall).map(({ id, name }): Call => ({ id, name }));
    this.#entries.push({ role: "assistant", content, calls });
  }

  #pushResult({ callId, content, isError }: Readonly<Record<string, unknown>>): void {
    const last = this.#entries.at(-1);
    if (last?.role !== "assistant") return;
    // Models repeat ids, even within a message: the first call without a result is the one.
    const call = last.calls.find(({ id, result }) => id === callId && result === undefined);
    if (call === undefined || !Array.isArray(content)) return;
    call.result = { role: "tool", callId: call.id, name: call.name, content, isError: isError === true };
  }
}

/** The conversation of a whole session. */
export function conversationOf(events: Iterable<SessionEvent>): ModelMessage[] {
  const conversation = new Conversation();
  for (const event of events) conversation.push(event);
  return conversation.messages();
}

function contentOf(message: unknown): readonly ContentBlock[] {
  return isRecord(message) && Array.isArray(message.content) ? message.content as ContentBlock[] : [];
}

/** Tells whether a block is a whole tool call. */
export function isToolCall(block: ContentBlock): block is ToolCallBlock {
  const { type, id, name, arguments: args } = block as Partial<ToolCallBlock>;
  return type === "tool-call" && typeof id === "string" && typeof name === "string" &&
    typeof args === "string";
}
