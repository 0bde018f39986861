/**
 * Local cancellation of a published run.
 *
 * @module
 */
import { brandError } from "../diagnostics/error_brand.ts";

/** A one-way switch that can be waited for. */
export class Cancellation {
  /** Rejects with {@linkcode LocalCancellationError} once cancellation is requested; observed, so never unhandled. */
  readonly requested: Promise<never>;
  readonly #reject: (reason: LocalCancellationError) => void;
  readonly #onRequest: () => void;
  #isRequested = false;

  /** Calls `onRequest` on the first request only. */
  constructor(onRequest: () => void) {
    this.#onRequest = onRequest;
    let reject!: (reason: LocalCancellationError) => void;
    this.requested = new Promise((_, rejectRequested) => reject = rejectRequested);
    this.requested.catch(() => {});
    this.#reject = reject;
  }

  /** Whether cancellation was requested. */
  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** Requests cancellation; later calls do nothing. Bound, so that it can be a listener. */
  readonly request = (): void => {
    if (this.#isRequested) return;
    this.#isRequested = true;
    this.#onRequest();
    this.#reject(new LocalCancellationError());
  };
}

/** What a cancelled attempt rejects with. It never leaves the settlement. */
export class LocalCancellationError extends Error {
  static {
    brandError(this, "LocalCancellationError");
  }

  /** Says what happened. */
  constructor() {
    super("The run was cancelled locally");
  }
}
