/**
 * The end of a child's output, also when the child does not live to close it.
 *
 * @module
 */
import type { ByteReceiver } from "./port.ts";

/** Bounds of the wait for what a dead child left in its pipe, in milliseconds. */
export interface ChildOutputOptions {
  /** How long the pipe must be silent to count as drained. @default {100} */
  readonly quietMs?: number;
  /** The longest the drain may take, whatever still comes. */
  readonly boundMs: number;
}

const QUIET_LOOKS = 3;

// Node, Deno and Bun have it. Where it is missing, another host's children are not read in this event loop either.
const afterReads: (look: () => void) => void = globalThis.setImmediate ?? ((look) => void setTimeout(look));

/**
 * Passes a child's output on and ends it once.
 *
 * A descendant that inherited the pipe may hold it open long after the child died, so its end cannot be waited for.
 * What the child itself wrote is in the pipe by the time its exit is seen, and a pipe that nobody else holds ends by
 * itself right behind it. Only for the others it takes silent looks in a row, each behind a turn of the event loop, to
 * say that all of it was read.
 */
export class ChildOutput implements ByteReceiver {
  readonly #target: ByteReceiver;
  readonly #quietMs: number;
  readonly #boundMs: number;
  #state: "open" | "draining" | "ended" = "open";
  #chunks = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Wraps the receiver that wants the output. */
  constructor(target: ByteReceiver, { quietMs = 100, boundMs }: ChildOutputOptions) {
    this.#target = target;
    this.#quietMs = quietMs;
    this.#boundMs = boundMs;
  }

  /** Takes one chunk. */
  data(chunk: Uint8Array): void {
    this.#chunks++;
    if (this.#state !== "ended") this.#target.data(chunk);
  }

  /** The pipe itself is over. */
  end(): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    clearTimeout(this.#timer);
    this.#target.end();
  }

  /** The child is dead: its output ends when the pipe is, or when it is drained. */
  processEnded(): void {
    if (this.#state !== "open") return;
    this.#state = "draining";
    this.#look(this.#chunks, 0, this.#boundMs);
  }

  #look(seen: number, quietLooks: number, leftMs: number): void {
    if (this.#state === "ended") return;
    if (quietLooks === QUIET_LOOKS || leftMs <= 0) return this.end();
    this.#timer = setTimeout(() => {
      // On a busy host late timers follow each other closely; an immediate runs behind the reads in between. With 40
      // children ending at once, timers alone lost the last words of one in two hundred.
      afterReads(() => {
        const quiet = this.#chunks === seen;
        this.#look(this.#chunks, quiet ? quietLooks + 1 : 0, leftMs - this.#quietMs);
      });
    }, Math.min(this.#quietMs, leftMs));
  }
}
