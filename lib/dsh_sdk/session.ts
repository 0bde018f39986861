/**
 * The conversation with one runtime: handshake, one prompt in one session, shutdown.
 *
 * @module
 */
import { TransportClosedError } from "../json_rpc/errors.ts";
import { JsonRpcPeer } from "../json_rpc/peer.ts";
import { JSON_RPC_METHOD_NOT_FOUND, JsonRpcReplyError } from "../json_rpc/reply_error.ts";
import type { ByteReceiver } from "../process/port.ts";
import type { ContentBlock } from "../seam/content.ts";
import { isRecord } from "../seam/kind_of.ts";
import { OutputLimitError } from "../seam/output_budget.ts";
import { SdkProtocolError } from "./errors.ts";
import { type InitializeParams, type PromptParams, RUNTIME_METHODS } from "./protocol.ts";
import { TurnCollector } from "./turn_collector.ts";

/** What a session needs to know. */
export interface SdkSessionOptions {
  /** Hands one line to the runtime. */
  write(line: string): Promise<void>;
  /** Largest line taken from the runtime, in bytes. */
  readonly maxMessageBytes: number;
  /** Most answer text kept, in UTF-8 bytes. */
  readonly maxOutputBytes: number;
  /** Makes the random part of ids. @default {a UUID without its dashes} */
  randomHex?(): string;
}

/** One session of one runtime, from the client's side, over whatever carries its lines. */
export class SdkSession implements ByteReceiver {
  readonly #options: SdkSessionOptions;
  readonly #peer: JsonRpcPeer;
  readonly #sessionId: string;
  readonly #turn: TurnCollector;
  #awaitsReceipt = false;
  #heldBytes = 0;

  /** Prepares a session; nothing is written yet. */
  constructor(options: SdkSessionOptions) {
    const { randomHex = () => globalThis.crypto.randomUUID().replaceAll("-", "") } = options;
    this.#options = options;
    this.#sessionId = `session-${randomHex()}`;
    this.#turn = new TurnCollector({
      sessionId: this.#sessionId,
      maxOutputBytes: options.maxOutputBytes,
      onOverflow: () => this.#peer.close(new OutputLimitError(options.maxOutputBytes)),
    });
    this.#peer = new JsonRpcPeer({
      write: options.write,
      maxMessageBytes: options.maxMessageBytes,
      nextId: () => `req_${randomHex()}`,
      onNotification: (method, params) => this.#turn.notified(method, params),
      onRequest: () => {
        throw new JsonRpcReplyError(JSON_RPC_METHOD_NOT_FOUND, "Method not found");
      },
      onClose: (error) => this.#turn.closed(error),
    });
  }

  /** The answer as far as it came. */
  collectOutput(): readonly ContentBlock[] {
    return this.#turn.collectOutput();
  }

  /** Takes bytes of the runtime. */
  data(chunk: Uint8Array): void {
    this.#peer.receive(chunk);
    this.#boundHeld(chunk.length);
  }

  /** The runtime's output is over: whatever is pending rejects. */
  end(): void {
    this.#peer.end();
  }

  /**
   * Shakes hands.
   *
   * @throws {SdkProtocolError} When the runtime does not say who it is.
   */
  async open(params: InitializeParams): Promise<void> {
    const result = await this.#peer.request(RUNTIME_METHODS.initialize, params);
    const server = isRecord(result) ? result["serverInfo"] : undefined;
    if (!isRecord(server) || typeof server["name"] !== "string" || typeof server["version"] !== "string") {
      throw new SdkProtocolError("no-server-identity", result);
    }
  }

  /**
   * Sends the prompt and waits until the session is idle again.
   *
   * @returns The reason of the last turn as it came; undefined when none ended.
   * @throws {SdkProtocolError} When the receipt or an event is not what the protocol says.
   * @throws {TransportClosedError} When the connection ends first, or the runtime said more than is kept.
   */
  async prompt(contentBlocks: readonly ContentBlock[]): Promise<unknown> {
    const params: PromptParams = { sessionId: this.#sessionId, contentBlocks };
    this.#awaitsReceipt = true;
    const receipt = await this.#peer.request(RUNTIME_METHODS.sessionPrompt, params);
    this.#awaitsReceipt = false;
    const messageId = isRecord(receipt) ? receipt["messageId"] : undefined;
    if (typeof messageId !== "string") throw new SdkProtocolError("no-message-id", receipt);
    this.#turn.accepted(messageId);
    return await this.#turn.ended;
  }

  /**
   * Asks the runtime to end itself and waits for its word that it will. A closed connection needs no asking.
   *
   * @throws {RequestTimeoutError} When it does not answer in time.
   * @throws {JsonRpcResponseError} When it refuses.
   */
  async shutdown(timeoutMs: number): Promise<void> {
    if (this.#peer.closed) return;
    try {
      await this.#peer.request(RUNTIME_METHODS.shutdown, {}, { timeoutMs });
    } catch (error) {
      // A runtime that ends at once need not answer.
      if (!TransportClosedError.is(error)) throw error;
    }
  }

  /** Lets go of everything pending. */
  close(): void {
    this.#peer.close();
  }

  // What comes before the receipt is held, so a runtime that never gives one must not go on talking for ever.
  #boundHeld(bytes: number): void {
    if (!this.#awaitsReceipt) return;
    const limitBytes = this.#options.maxMessageBytes + this.#options.maxOutputBytes;
    this.#heldBytes += bytes;
    if (this.#heldBytes <= limitBytes) return;
    this.#peer.close(
      new RangeError(
        `The DeepSeek Harness runtime sent more than ${limitBytes} bytes without an answer to session/prompt`,
      ),
    );
  }
}
