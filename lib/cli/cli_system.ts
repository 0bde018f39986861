/**
 * What the command needs of the world around it.
 *
 * @module
 */
import type { StopSignal } from "./exit_codes.ts";

/** One of the command's output streams. */
export interface CliStream {
  /** Whether a terminal shows what is written. */
  readonly isTerminal: boolean;
  /** Width of that terminal at this moment, if it is known. */
  readonly columns: number | undefined;
  /** Writes text. Fulfils when it was handed over; rejects when it cannot be, as after the reader went away. */
  write(text: string): Promise<void>;
}

/** The process the command runs in, or a test's stand-in. */
export interface CliSystem {
  /** Environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For the answer and nothing else. */
  readonly stdout: CliStream;
  /** For everything else. */
  readonly stderr: CliStream;
  /**
   * The absolute current directory.
   *
   * @throws {Error} When it does not exist any more.
   */
  currentDirectory(): string;
  /** Reads stdin to its end. Rejects when that is not possible, and when the signal is aborted. */
  readStdin(signal: AbortSignal): Promise<Uint8Array>;
  /** A clock that never goes back, in milliseconds. */
  now(): number;
  /** Calls back once after so many milliseconds, unless the returned function is called first. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back every so many milliseconds until the returned function is called. */
  every(milliseconds: number, callback: () => void): () => void;
  /** Hears stop signals, instead of being ended by them, until the returned function is called. */
  onStopSignal(listener: (signal: StopSignal) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}
