/**
 * A child's stdin.
 *
 * @module
 */
import type { Writable } from "node:stream";

/** Writes to a child that may stop reading, close its stdin or die at any moment. */
export class ChildInput {
  readonly #stream: Writable;
  readonly #waiting = new Set<(error: Error) => void>();
  #open = true;

  /** Takes the stream over. */
  constructor(stream: Writable) {
    this.#stream = stream;
    // EPIPE: the child closed its stdin or died. The writes hear of it; without a listener it would end the host.
    stream.on("error", (error) => this.#fail(error));
    stream.on("close", () => this.#fail(new Error("The child process closed its stdin")));
  }

  /** Writes; fulfils when the pipe took everything, rejects when it is broken or closed. */
  write(data: string): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      if (!this.#open) return reject(new Error("Cannot write to the child process: its stdin is closed"));
      this.#waiting.add(reject);
      this.#stream.write(data, (error) => {
        if (error) return this.#fail(error);
        this.#waiting.delete(reject);
        resolve();
      });
    });
    written.catch(() => {}); // a write that nobody waits for must not end the host either
    return written;
  }

  /** Takes no more writes. */
  refuse(): void {
    this.#open = false;
  }

  /** Closes it behind everything written. A child that does not read never sees that end. */
  end(): void {
    this.#open = false;
    this.#stream.end();
  }

  /** Closes it at once. Writes that wait are rejected. */
  destroy(): void {
    this.#open = false;
    this.#stream.destroy();
    this.#fail(new Error("The child process did not read its stdin before it was closed"));
  }

  #fail(error: Error): void {
    this.#open = false;
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}
