/**
 * The reading side of the agent: stdin cut into lines.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import process from "node:process";
import { closeDescriptor } from "./close_stream.ts";

/** What comes out of the input. */
export interface InputEvents {
  /** A line without its end. Blank lines do not count. */
  line(text: string): void;
  /** Stdin has ended or broken. */
  end(unfinished: string): void;
}

/** Stdin of the process. */
export class Input {
  #unfinished: Buffer[] = [];
  readonly #events: InputEvents;

  /** Takes over stdin; nothing is read before `start()`. */
  constructor(events: InputEvents) {
    this.#events = events;
  }

  /** Starts reading. */
  start(): void {
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      this.#events.end(Buffer.concat(this.#unfinished).toString());
    };
    process.stdin.on("data", (chunk: Buffer) => this.#take(chunk));
    process.stdin.on("end", end);
    process.stdin.on("error", end);
  }

  /** Stops reading, without closing. */
  pause(): void {
    process.stdin.pause();
  }

  /** Reads again. */
  resume(): void {
    process.stdin.resume();
  }

  /** Closes the descriptor. No end is reported for it. */
  close(): void {
    process.stdin.removeAllListeners();
    process.stdin.on("error", () => {}); // what breaks behind the close is no news
    process.stdin.destroy();
    closeDescriptor(0);
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#unfinished.push(chunk.subarray(from, at));
      const text = Buffer.concat(this.#unfinished).toString().replace(/\r$/, "");
      this.#unfinished = [];
      from = at + 1;
      if (text !== "") this.#events.line(text);
    }
    if (from < chunk.length) this.#unfinished.push(chunk.subarray(from));
  }
}
