/**
 * A stand-in for the process, for the tests of this folder. It holds no test itself.
 *
 * @module
 */
import { type Deferred, deferred } from "../../fakes/test_support/deferred.ts";
import type { CliStream, CliSystem } from "./cli_system.ts";
import type { StopSignal } from "./exit_codes.ts";

/** A stream that keeps what is written. */
export class FakeStream implements CliStream {
  readonly #order: string[];
  /** As a test sets it. */
  isTerminal = false;
  /** As a test sets it. */
  columns: number | undefined = undefined;
  /** What was written, one entry for each call. */
  readonly writes: string[] = [];
  /** Set to make every write fail with it. */
  fault: Error | undefined = undefined;

  /** A stream that also keeps what is written in a list it may share with others. */
  constructor(order: string[] = []) {
    this.#order = order;
  }

  /** Everything that was written. */
  get text(): string {
    return this.writes.join("");
  }

  /** Keeps the text. */
  write(text: string): Promise<void> {
    if (this.fault !== undefined) return Promise.reject(this.fault);
    this.writes.push(text);
    this.#order.push(text);
    return Promise.resolve();
  }
}

interface FakeTimer {
  dueAt: number;
  readonly everyMs: number | undefined;
  readonly callback: () => void;
}

/** A process whose clock stands still until a test moves it. */
export class FakeCliSystem implements CliSystem {
  /** As a test sets it. */
  environment: Record<string, string | undefined> = {};
  /** What was written to both streams, in order. */
  readonly writes: string[] = [];
  /** Keeps what is written. */
  readonly stdout: FakeStream = new FakeStream(this.writes);
  /** Keeps what is written. */
  readonly stderr: FakeStream = new FakeStream(this.writes);
  /** What stdin holds, or why it cannot be read; undefined until {@linkcode FakeCliSystem.endStdin}. */
  stdin: Uint8Array | Error | undefined = undefined;
  /** Codes of the exits that did not happen. */
  readonly exits: number[] = [];
  /** The current directory, or why there is none. */
  directory: string | Error = "/";
  readonly #stdinAwaited: Deferred<void> = deferred();
  #now = 0;
  #stdinEnded: (bytes: Uint8Array) => void = () => {
    throw new Error("Nobody reads stdin");
  };
  readonly #timers: Set<FakeTimer> = new Set();
  readonly #listeners: Set<(signal: StopSignal) => void> = new Set();

  /** Fulfils once somebody waits for the end of stdin. */
  get stdinAwaited(): Promise<void> {
    return this.#stdinAwaited.promise;
  }

  /** How many timers and signal listeners there are. */
  get held(): number {
    return this.#timers.size + this.#listeners.size;
  }

  /** Moves the clock and calls what becomes due, in order. */
  advance(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (let next = this.#nextDue(until); next !== undefined; next = this.#nextDue(until)) {
      this.#now = next.dueAt;
      if (next.everyMs === undefined) this.#timers.delete(next);
      else next.dueAt += next.everyMs;
      next.callback();
    }
    this.#now = until;
  }

  /** Sends a stop signal. */
  send(signal: StopSignal): void {
    if (this.#listeners.size === 0) throw new Error(`Nobody listens: ${signal} would have ended the process`);
    for (const listener of [...this.#listeners]) listener(signal);
  }

  /** The directory a test set. */
  currentDirectory(): string {
    if (typeof this.directory === "string") return this.directory;
    throw this.directory;
  }

  /** Gives what a test set. */
  readStdin(signal: AbortSignal): Promise<Uint8Array> {
    if (this.stdin instanceof Error) return Promise.reject(this.stdin);
    if (this.stdin !== undefined) return Promise.resolve(this.stdin);
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.#stdinEnded = resolve;
      this.#stdinAwaited.resolve();
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  /** Ends stdin for who reads it. */
  endStdin(text: string): void {
    this.#stdinEnded(new TextEncoder().encode(text));
  }

  /** The clock. */
  now(): number {
    return this.#now;
  }

  /** Calls back once. */
  after(milliseconds: number, callback: () => void): () => void {
    return this.#timer({ dueAt: this.#now + milliseconds, everyMs: undefined, callback });
  }

  /** Calls back again and again. */
  every(milliseconds: number, callback: () => void): () => void {
    return this.#timer({ dueAt: this.#now + milliseconds, everyMs: milliseconds, callback });
  }

  /** Hears {@linkcode FakeCliSystem.send}. */
  onStopSignal(listener: (signal: StopSignal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notes the code. */
  exit(code: number): void {
    this.exits.push(code);
  }

  #timer(timer: FakeTimer): () => void {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  #nextDue(until: number): FakeTimer | undefined {
    return [...this.#timers].filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}
