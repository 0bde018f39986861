/**
 * From the events of a child to its final answer.
 *
 * @module
 */
import type { ContentBlock } from "./content.ts";
import { isRecord } from "./kind_of.ts";

/** An event of a child's session. Events of other types than the two that count are welcome and ignored. */
export interface AssistantOutputEvent {
  /** `assistant/message` commits a message, `assistant/chunk` streams a part of one. */
  readonly type: string;
  /** `{ message: { content } }` of a message; `{ chunk: { type: "text-delta", text } }` of a chunk that counts. */
  readonly data?: unknown;
}

/** After how many pieces text is joined into one flat string. */
const piecesPerJoin = 1024;

/**
 * Picks the final answer: the last committed message that is not empty, else all the text that was streamed.
 *
 * Memory stays in proportion to the text: pieces are joined now and then, so that millions of tiny ones become
 * neither a list as long nor a rope as deep.
 */
export class AssistantOutputFold {
  #message: readonly ContentBlock[] | undefined;
  #joined: string[] = [];
  #pieces: string[] = [];

  /**
   * Takes an event. A message with content replaces the one before; one without is ignored. Blocks of every kind are
   * content: a message of reasoning alone counts.
   */
  push(event: AssistantOutputEvent): void {
    if (!isRecord(event) || !isRecord(event.data)) return;
    const { message, chunk } = event.data;
    if (event.type === "assistant/message" && isRecord(message)) {
      const { content } = message;
      if (Array.isArray(content) && content.length > 0) this.#message = [...content] as ContentBlock[];
    } else if (event.type === "assistant/chunk" && isRecord(chunk) && chunk.type === "text-delta") {
      const { text } = chunk;
      if (typeof text === "string") this.pushText(text);
    }
  }

  /** Takes streamed text. It is kept for good: no message, step or turn resets it. */
  pushText(text: string): void {
    if (text === "") return;
    this.#pieces.push(text);
    if (this.#pieces.length >= piecesPerJoin) this.#join();
  }

  /** The final answer as it stands, or `undefined` when there is none. May be asked at any time. */
  collect(): readonly ContentBlock[] | undefined {
    if (this.#message !== undefined) return this.#message;
    if (this.#pieces.length > 0) this.#join();
    if (this.#joined.length === 0) return undefined;
    const text = this.#joined.join("");
    this.#joined = [text];
    return [{ type: "text", text }];
  }

  #join(): void {
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }
}

/** Picks the final answer out of a child's own events, or `undefined` when there is none. */
export function finalAssistantOutput(
  events: Iterable<AssistantOutputEvent>,
): readonly ContentBlock[] | undefined {
  const fold = new AssistantOutputFold();
  for (const event of events) fold.push(event);
  return fold.collect();
}
