/**
 * One prompt on its way through a session: from its acceptance to the end of its last turn.
 *
 * @module
 */
import { AssistantOutputFold } from "../seam/assistant_output_fold.ts";
import { type ContentBlock, isTextBlock } from "../seam/content.ts";
import { isRecord } from "../seam/kind_of.ts";
import { OutputBudget } from "../seam/output_budget.ts";
import { SdkProtocolError } from "./errors.ts";
import { type Observation, readEvent } from "./events.ts";
import { RUNTIME_NOTIFICATIONS } from "./protocol.ts";

/** What a collector needs to know. */
export interface TurnCollectorOptions {
  /** The run's own session; whatever happens in others, its descendants among them, is ignored. */
  readonly sessionId: string;
  /** Most answer text kept, in UTF-8 bytes. */
  readonly maxOutputBytes: number;
  /** There is more answer text than is kept. Expected to close the connection, and so to call `closed`. */
  onOverflow(): void;
}

const IDLE = { kind: "idle" } as const;

type Item = Observation | typeof IDLE;

/**
 * Where the prompt stands. `receipt`: the runtime has not answered it, so what comes is held. `queue`: answered, but its
 * entry into the queue has not been seen, so what comes belongs to something else. `turn`: what comes is its.
 */
type Phase =
  | { readonly kind: "receipt"; readonly held: Item[] }
  | { readonly kind: "queue"; readonly messageId: string }
  | { readonly kind: "turn" }
  | { readonly kind: "over" };

/**
 * Finds the answer to one prompt among the notifications of a runtime, in whatever order receipt and notifications
 * come: the receipt may be the last thing to arrive.
 */
export class TurnCollector {
  /** Fulfils with the last turn's reason, undefined without one, once the session is idle; observed, so never unhandled. */
  readonly ended: Promise<unknown>;
  readonly #options: TurnCollectorOptions;
  readonly #fold = new AssistantOutputFold();
  readonly #budget: OutputBudget;
  readonly #settle: { resolve(reason: unknown): void; reject(error: unknown): void };
  #phase: Phase = { kind: "receipt", held: [] };
  #reason: unknown;
  #closedWith: unknown;

  /** Prepares for a prompt that is about to be sent. */
  constructor(options: TurnCollectorOptions) {
    this.#options = options;
    this.#budget = new OutputBudget(options.maxOutputBytes);
    let settle!: { resolve(reason: unknown): void; reject(error: unknown): void };
    this.ended = new Promise((resolve, reject) => settle = { resolve, reject });
    this.ended.catch(() => {});
    this.#settle = settle;
  }

  /** The answer so far. */
  collectOutput(): readonly ContentBlock[] {
    return this.#fold.collect() ?? [];
  }

  /** Takes one notification of the runtime. */
  notified(method: string, params: unknown): void {
    if (this.#phase.kind === "over") return;
    if (!isRecord(params) || params["sessionId"] !== this.#options.sessionId) return;
    if (method === RUNTIME_NOTIFICATIONS.sessionEvent) {
      const observation = readEvent(params["event"]);
      if (observation !== undefined) this.#take(observation);
    } else if (method === RUNTIME_NOTIFICATIONS.sessionStatus && params["status"] === "idle") {
      this.#take(IDLE);
    }
  }

  /** The runtime answered the prompt with the id of the queued message. */
  accepted(messageId: string): void {
    if (this.#phase.kind !== "receipt") return;
    const { held } = this.#phase;
    this.#phase = { kind: "queue", messageId };
    for (const item of held) this.#take(item);
    if (this.#closedWith !== undefined) this.#fail(this.#closedWith);
  }

  /** The connection is over. What was received before it still counts. */
  closed(error: unknown): void {
    this.#closedWith = error;
    // With the receipt still on its way through the microtasks, what is held comes first.
    if (this.#phase.kind !== "receipt") this.#fail(error);
  }

  #take(item: Item): void {
    switch (this.#phase.kind) {
      case "receipt":
        this.#phase.held.push(item);
        return;
      case "queue":
        if (item.kind === "queued" && item.messageIds.includes(this.#phase.messageId)) {
          this.#phase = { kind: "turn" };
        }
        return;
      case "turn":
        return this.#collect(item);
      case "over":
    }
  }

  #collect(item: Item): void {
    switch (item.kind) {
      case "text":
        return this.#stream(item.text);
      case "message":
        return this.#commit(item.content);
      case "turn-end":
        this.#reason = item.reason;
        return;
      case "malformed":
        return this.#fail(new SdkProtocolError(item.fault, item.payload));
      case "idle":
        this.#phase = { kind: "over" };
        return this.#settle.resolve(this.#reason);
      case "queued":
    }
  }

  #stream(text: string): void {
    this.#fold.pushText(this.#budget.take(text));
    if (this.#budget.exceeded) this.#options.onOverflow();
  }

  #commit(content: readonly ContentBlock[]): void {
    const budget = new OutputBudget(this.#options.maxOutputBytes);
    const kept = content.map((block) =>
      isTextBlock(block) ? { ...block, text: budget.take(block.text) } : block
    );
    this.#fold.push({ type: "assistant/message", data: { message: { content: kept } } });
    if (budget.exceeded) this.#options.onOverflow();
  }

  #fail(error: unknown): void {
    if (this.#phase.kind === "over") return;
    this.#phase = { kind: "over" };
    this.#settle.reject(error);
  }
}
