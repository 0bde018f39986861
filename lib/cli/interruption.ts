/**
 * What may end a run from outside: a signal or the time limit.
 *
 * @module
 */
import { EXIT_CODES, type StopSignal } from "./exit_codes.ts";
import type { CliSystem } from "./cli_system.ts";

/** Why a run was told to stop. */
export type InterruptionCause =
  | { readonly kind: "signal"; readonly signal: StopSignal }
  | { readonly kind: "timeout"; readonly timeoutMs: number };

/**
 * Turns the first stop signal, or the end of the time limit, into an abort. A signal after the first one ends the
 * process at once: whoever presses Ctrl-C twice does not want to wait for the clean-up.
 */
export class Interruption {
  readonly #system: Pick<CliSystem, "after" | "exit" | "onStopSignal">;
  readonly #controller: AbortController = new AbortController();
  readonly #stopHearing: () => void;
  #stopTimer: () => void = () => {};
  #cause: InterruptionCause | undefined;
  #stopSignal: StopSignal | undefined;

  /** Hears signals from now on. */
  constructor(system: Pick<CliSystem, "after" | "exit" | "onStopSignal">) {
    this.#system = system;
    this.#stopHearing = system.onStopSignal((signal) => {
      if (this.#stopSignal !== undefined) return system.exit(EXIT_CODES[signal]);
      this.#stopSignal = signal;
      this.#interrupt({ kind: "signal", signal });
    });
  }

  /** Aborted once the run is to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What the run was stopped by, if it was: the first of them. */
  get cause(): InterruptionCause | undefined {
    return this.#cause;
  }

  /** The first stop signal that came, at whatever time; it decides the exit code. */
  get stopSignal(): StopSignal | undefined {
    return this.#stopSignal;
  }

  /** Starts the time limit. */
  limit(timeoutMs: number): void {
    this.#stopTimer = this.#system.after(timeoutMs, () => this.#interrupt({ kind: "timeout", timeoutMs }));
  }

  /** Lets go of the signals and the timer. */
  end(): void {
    this.#stopTimer();
    this.#stopHearing();
  }

  #interrupt(cause: InterruptionCause): void {
    this.#cause ??= cause;
    this.#controller.abort();
  }
}
