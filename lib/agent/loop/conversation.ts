/**
 * From the events of a session to the conversation that a model is asked about.
 *
 * @module
 */
import type { ContentBlock, ToolCallBlock } from "../../seam/content.ts";
import { isRecord } from "../../seam/kind_of.ts";
import type { ModelMessage, ToolModelMessage } from "../model/model_types.ts";
import type { SessionEvent } from "../session/session_event.ts";
import { isContentBlock } from "../tools/tool_content.ts";

/** What stands for the result of a call that has none in the session. Nobody knows whether it was carried out. */
const NO_RESULT: readonly ContentBlock[] = Object.freeze([
  Object.freeze({ type: "text", text: "Error: the result of the tool call is not known" }),
]);

interface Entry {
  readonly role: "user" | "assistant";
  readonly content: readonly ContentBlock[];
  readonly calls: readonly Call[];
}

interface Call {
  readonly id: string;
  readonly name: string;
  result?: ToolModelMessage;
}

/**
 * Follows a session. What it gives is what every model API takes: each tool call is followed by exactly one result, no
 * result stands alone, no message of a user or an assistant is empty, and none follows another one of the same role:
 * what was said twice in a row, as after a turn that failed, is one message. Events that it does not know are left out,
 * and so is whatever is not what it should be, as in a seed from elsewhere.
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

  /** The conversation so far, oldest message first; the messages are frozen. */
  messages(): ModelMessage[] {
    const messages: ModelMessage[] = [];
    for (const { role, content, calls } of this.#entries) {
      const before = messages.at(-1)?.role === role ? messages.pop()?.content ?? [] : [];
      messages.push(Object.freeze({
        role,
        content: before.length === 0 ? content : Object.freeze([...before, ...content]),
      }));
      for (const { id, name, result } of calls) {
        messages.push(
          result ?? Object.freeze({ role: "tool", callId: id, name, content: NO_RESULT, isError: true }),
        );
      }
    }
    return messages;
  }

  #pushUser(message: unknown): void {
    const content = contentOf(message);
    if (content.length > 0) this.#entries.push({ role: "user", content, calls: [] });
  }

  #pushAssistant(message: unknown): void {
    const content = contentOf(message);
    if (content.length === 0) return;
    const calls = content.filter(isToolCall).map(({ id, name }): Call => ({ id, name }));
    this.#entries.push({ role: "assistant", content, calls });
  }

  #pushResult({ callId, content, isError }: Readonly<Record<string, unknown>>): void {
    // Models repeat ids, even within a message: the first call without a result is the one.
    const call = this.#entries.at(-1)?.calls.find(({ id, result }) => id === callId && result === undefined);
    if (call === undefined || !Array.isArray(content)) return;
    call.result = Object.freeze({
      role: "tool",
      callId: call.id,
      name: call.name,
      content: blocksOf(content),
      isError: isError === true,
    });
  }
}

/** The conversation of a whole session. */
export function conversationOf(events: Iterable<SessionEvent>): ModelMessage[] {
  const conversation = new Conversation();
  for (const event of events) conversation.push(event);
  return conversation.messages();
}

function contentOf(message: unknown): readonly ContentBlock[] {
  return isRecord(message) && Array.isArray(message.content) ? blocksOf(message.content) : [];
}

/** Usually all of it: what an agent writes down has been looked at. */
function blocksOf(content: readonly unknown[]): readonly ContentBlock[] {
  return Object.freeze(
    content.filter((block) =>
      isContentBlock(block) && (block.type !== "tool-call" || isToolCall(block))
    ) as ContentBlock[],
  );
}

/** Tells whether a block is a whole tool call. */
export function isToolCall(block: ContentBlock): block is ToolCallBlock {
  const { type, id, name, arguments: args } = block as Partial<ToolCallBlock>;
  return type === "tool-call" && typeof id === "string" && typeof name === "string" &&
    typeof args === "string";
}
