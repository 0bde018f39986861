/**
 * Deciding whether an engine goes on.
 *
 * @module
 */

/** How long an engine may compute. */
export interface MeterLimits {
  /** Milliseconds of computing, all in all. They are looked at about once in a millisecond, whatever the program does. */
  readonly computeMs: number;
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
}

/** Why an engine stopped in the middle of its program. */
export type SandboxStop = "timeout" | "memory" | "crash" | "calls" | "output";

/** An engine stopped in the middle of its program. */
export class SandboxStopped extends Error {
  /** Why. */
  readonly kind: SandboxStop;

  /** Says why. */
  constructor(kind: SandboxStop, options?: ErrorOptions) {
    super(`The sandbox was stopped: ${kind}`, options);
    this.kind = kind;
  }
}

/** Stops an engine: when its time is over, or when it is told to. An engine that is stopped stays so. */
export class Meter {
  readonly #now: () => number;
  #leftMs: number;
  #deadline = Infinity;
  #stopped: SandboxStopped | undefined;

  /** Makes the meter of a new engine. */
  constructor({ computeMs, now }: MeterLimits) {
    this.#leftMs = computeMs;
    this.#now = now;
  }

  /** Why the engine is no more, if so. */
  get stopped(): SandboxStopped | undefined {
    return this.#stopped;
  }

  /** Stops the engine with its next tick. Gives why it is stopped, which is an earlier reason if there was one. */
  stop(kind: SandboxStop, options?: ErrorOptions): SandboxStopped {
    return this.#stopped ??= new SandboxStopped(kind, options);
  }

  /** Is called by the engine again and again while it computes. @throws {SandboxStopped} */
  tick(): void {
    if (this.#stopped === undefined && this.#now() >= this.#deadline) this.stop("timeout");
    if (this.#stopped !== undefined) throw this.#stopped;
  }

  /** Does something on the program's time. */
  spend<T>(action: () => T): T {
    const begun = this.#now();
    this.#deadline = begun + this.#leftMs;
    try {
      return action();
    } finally {
      this.#leftMs -= this.#now() - begun;
      this.#deadline = Infinity;
    }
  }
}
