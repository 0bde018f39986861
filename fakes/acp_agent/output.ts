/**
 * The writing side of the agent: lines in a settable framing, repetitions in large buffers, back-pressure.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import process from "node:process";
import { closeDescriptor } from "./close_stream.ts";
import { Latch } from "./latch.ts";

/** Takes bytes; fulfils once more may come. */
export interface Sink {
  /** Takes bytes. Never rejects: what cannot be written is dropped. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Bytes that one write carries in a repetition. */
const BUFFER_BYTES = 256 * 1024;

interface DenoStream {
  write(bytes: Uint8Array): Promise<number>;
}

/** One of the process's output streams. */
export class OutputStream implements Sink {
  /** Opens when the reader has closed its end. */
  readonly broken: Latch = new Latch();
  readonly #name: "stdout" | "stderr";
  #opened = false;
  #closed = false;

  /** One output stream of the process. It is opened by the first write, since opening costs start-up time. */
  constructor(name: "stdout" | "stderr") {
    this.#name = name;
  }

  /** Writes, and waits until the system has the bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#closed || this.broken.isOpen || bytes.length === 0) return;
    try {
      await this.#writeAll(bytes);
    } catch {
      this.broken.open();
    }
  }

  /** Closes the descriptor. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeDescriptor(this.#name === "stdout" ? 1 : 2);
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    const deno = (globalThis as { Deno?: Record<"stdout" | "stderr", DenoStream> }).Deno;
    if (deno === undefined) {
      if (!this.#opened) process[this.#name].on("error", () => this.broken.open());
      this.#opened = true;
      await new Promise<void>((fulfil, reject) => {
        process[this.#name].write(bytes, (error) => error ? reject(error) : fulfil());
      });
      return;
    }
    // Deno's process.stdout blocks the whole process while the pipe is full; its own streams do not.
    for (let at = 0; at < bytes.length;) at += await deno[this.#name].write(bytes.subarray(at));
  }
}

/** Gathers bytes instead of writing them. */
export class GatheringSink implements Sink {
  readonly #parts: Uint8Array[] = [];

  /** Keeps bytes. */
  write(bytes: Uint8Array): Promise<void> {
    this.#parts.push(bytes);
    return Promise.resolve();
  }

  /** Everything so far. */
  gathered(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** What surrounds each line. */
export interface Framing {
  /** In front of it. */
  readonly before: string;
  /** Behind it. */
  readonly after: string;
}

/** A part of a repetition: fixed, or different each time. */
export type Repeated = string | ((index: number) => string);

/**
 * Writes a text so many times, in large buffers, until `stopped` says so.
 *
 * @param unit The text, or what makes it for each repetition.
 */
export async function writeRepeated(
  sink: Sink,
  unit: Repeated | Uint8Array,
  times: number,
  stopped: () => boolean = () => false,
): Promise<void> {
  if (typeof unit !== "function") return await writeSame(sink, Buffer.from(unit), times, stopped);
  let text = "";
  for (let index = 0; index < times && !stopped(); index++) {
    text += unit(index);
    if (text.length >= BUFFER_BYTES || index === times - 1) {
      await sink.write(Buffer.from(text));
      text = "";
    }
  }
}

async function writeSame(sink: Sink, unit: Buffer, times: number, stopped: () => boolean): Promise<void> {
  if (unit.length === 0) return;
  const perWrite = Math.min(times, Math.max(1, Math.floor(BUFFER_BYTES / unit.length)));
  const buffer = Buffer.alloc(unit.length * perWrite, unit);
  for (let left = times; left > 0 && !stopped(); left -= perWrite) {
    await sink.write(left >= perWrite ? buffer : buffer.subarray(0, left * unit.length));
  }
}
