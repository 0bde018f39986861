/**
 * When a run is over, whatever it does.
 *
 * @module
 */

/** A signal that is aborted with another one, or when time is over. */
export class RunDeadline {
  readonly #controller: AbortController = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #forward: () => void = () => this.#controller.abort(this.#outer?.reason);
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /**
   * @param timeoutMs Milliseconds from now; `Infinity` for no limit.
   * @param outer Ends the run earlier.
   */
  constructor(timeoutMs: number, outer?: AbortSignal) {
    this.#outer = outer;
    if (outer?.aborted === true) this.#forward();
    else outer?.addEventListener("abort", this.#forward, { once: true });
    if (timeoutMs === Infinity) return;
    this.#timer = setTimeout(() => {
      this.#isOver = !this.signal.aborted;
      this.#controller.abort(new Error(`The program took more than ${timeoutMs} ms`));
    }, timeoutMs);
  }

  /** Aborted when the run is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it is over for want of time. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Lets go of timer and outer signal. */
  close(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#forward);
  }
}
