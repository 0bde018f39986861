/**
 * Replies on their way to a peer that may not be reading.
 *
 * @module
 */
import { TransportLimitError } from "./errors.ts";

/** What a {@linkcode ReplyQueue} needs. */
export interface ReplyQueueOptions {
  /** Hands one line over; settles when it was taken or lost. */
  write(line: string): Promise<void>;
  /** Most bytes handed over and not taken yet. A positive integer. */
  readonly maxBytes: number;
}

/**
 * Counts the replies that the transport holds for us. Requests of ours are few and awaited, but how many replies we
 * owe is up to the peer: one that floods us with requests and reads nothing would fill our memory.
 */
export class ReplyQueue {
  readonly #options: ReplyQueueOptions;
  readonly #encoder = new TextEncoder();
  #queuedBytes = 0;

  /** Starts empty. */
  constructor(options: ReplyQueueOptions) {
    this.#options = options;
  }

  /**
   * Hands one reply over, or refuses it because of the replies in front of it. With none in front, any size goes.
   *
   * @returns The error to close the connection with, if the reply was refused.
   */
  push(line: string): TransportLimitError | undefined {
    const bytes = this.#encoder.encode(line).length;
    if (this.#queuedBytes > 0 && this.#queuedBytes + bytes > this.#options.maxBytes) {
      return new TransportLimitError("replies", this.#options.maxBytes);
    }
    this.#queuedBytes += bytes;
    const taken = (): void => {
      this.#queuedBytes -= bytes;
    };
    // A reply that cannot be written is lost with its pipe; the end of the stream says so to everyone who waits.
    this.#options.write(line).then(taken, taken);
    return undefined;
  }
}
