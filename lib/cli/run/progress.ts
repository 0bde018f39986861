/**
 * The one line that shows a person how a run is going.
 *
 * @module
 */
import type { AcpActivity } from "../../acp/activity.ts";
import type { CliStream, CliSystem } from "../cli_system.ts";

/** What the command is doing. */
export type ProgressPhase = "starting" | "working" | "ending";

/** What the line says. */
export interface ProgressFacts {
  /** What the command is doing. */
  readonly phase: ProgressPhase;
  /** Since the start, in milliseconds. */
  readonly elapsedMs: number;
  /** Size of the answer so far, in bytes of UTF-8. */
  readonly textBytes: number;
  /** How many permission requests were allowed. */
  readonly allowed: number;
  /** How many permission requests were denied. */
  readonly denied: number;
}

/** Counts only: nothing of what the child said. */
export function progressText({ phase, elapsedMs, textBytes, allowed, denied }: ProgressFacts): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const elapsed = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const parts = [`subagent ${phase}, ${elapsed}`];
  if (textBytes > 0) parts.push(`${textBytes} ${textBytes === 1 ? "byte" : "bytes"}`);
  const decisions = [
    ...(allowed > 0 ? [`${allowed} allowed`] : []),
    ...(denied > 0 ? [`${denied} denied`] : []),
  ];
  if (decisions.length > 0) parts.push(`permissions ${decisions.join(" and ")}`);
  return parts.join(", ");
}

/** How often the line is looked at, in milliseconds; it is written only when it would read differently. */
const REDRAW_MS = 200;

/** Carriage return, then "erase in line" for the whole line (ECMA-48, 8.3.41). */
const ERASE_LINE = "\r\x1b[2K";

/** What a {@linkcode ProgressLine} needs. */
export interface ProgressOptions {
  /** Where the line stands. */
  readonly stream: CliStream;
  /** Clock and timer. */
  readonly system: Pick<CliSystem, "every" | "now">;
  /** Whether there is a line at all. */
  readonly enabled: boolean;
}

/** Keeps one line of a terminal up to date, and leaves nothing of it behind. */
export class ProgressLine {
  readonly #stream: CliStream;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #stopTimer: () => void;
  #phase: ProgressPhase = "starting";
  #textBytes = 0;
  #allowed = 0;
  #denied = 0;
  #shown = "";

  /** Starts to show the line, if there is to be one. */
  constructor({ stream, system, enabled }: ProgressOptions) {
    this.#stream = stream;
    this.#now = () => system.now();
    this.#startedAt = system.now();
    this.#stopTimer = enabled ? system.every(REDRAW_MS, () => this.#draw()) : () => {};
  }

  /** Says what the command is doing now. */
  enter(phase: ProgressPhase): void {
    this.#phase = phase;
  }

  /** Counts. Nothing is written here: a child that sends a million pieces costs a million additions. */
  readonly observe = (activity: AcpActivity): void => {
    if (activity.kind === "text") this.countText(activity.bytes);
    else if (activity.decision.decision === "allowed") this.#allowed++;
    else this.#denied++;
  };

  /** Counts text that came another way. */
  readonly countText = (bytes: number): void => {
    this.#textBytes += bytes;
  };

  /** Takes the line away, so that something else can be written; it comes back while the command goes on. */
  erase(): void {
    if (this.#shown === "") return;
    this.#shown = "";
    this.#write(ERASE_LINE);
  }

  /** Takes the line away for good. */
  end(): void {
    this.#stopTimer();
    this.erase();
  }

  #draw(): void {
    const text = progressText({
      phase: this.#phase,
      elapsedMs: this.#now() - this.#startedAt,
      textBytes: this.#textBytes,
      allowed: this.#allowed,
      denied: this.#denied,
    });
    // A line that wraps cannot be erased as one, and the last column wraps on some terminals. A terminal that was never
    // given a size says 0.
    const line = text.slice(0, (this.#stream.columns || 80) - 1);
    if (line === this.#shown) return;
    this.#shown = line;
    this.#write(ERASE_LINE + line);
  }

  #write(text: string): void {
    // The line is a courtesy: a terminal that is gone changes nothing about the run.
    this.#stream.write(text).catch(() => {});
  }
}
