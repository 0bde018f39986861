/**
 * What ends the making of an agent early.
 *
 * @module
 */
import { contain } from "../../seam/contain.ts";
import { assertActive, type OwnerScope } from "../scope/owner_scope.ts";

/** Watches the scope of an agent in the making, and the signal of whoever makes it. */
export class CreationEnd {
  readonly #scope: OwnerScope;
  readonly #signal: AbortSignal | undefined;
  readonly #action: string;
  #end: () => void = () => {};
  readonly #ended: Promise<void> = new Promise((resolve) => {
    this.#end = resolve;
  });

  /** @param action What is made, as the words behind "Cannot". */
  constructor(scope: OwnerScope, signal: AbortSignal | undefined, action: string) {
    this.#scope = scope;
    this.#signal = signal;
    this.#action = action;
    scope.addEffect("the creation", () => this.#end());
    signal?.addEventListener("abort", this.#end, { once: true });
  }

  /** @throws {InactiveScopeError} When the scope is not active. @throws {Error} When the signal is aborted. */
  assertNone(): void {
    assertActive(this.#scope, this.#action);
    if (this.#signal?.aborted !== true) return;
    throw new Error(`Cannot ${this.#action}: the creation was aborted`, { cause: this.#signal.reason });
  }

  /** Waits for something no longer than until the end, which is then thrown. */
  async before(work: PromiseLike<void> | void): Promise<void> {
    const settled = Promise.resolve(work);
    // When the end comes first, nobody waits for it any more.
    settled.catch(() => {});
    await Promise.race([settled, this.#ended.then(() => this.assertNone())]);
  }

  /** Stops watching the signal. */
  forget(): void {
    contain(() => this.#signal?.removeEventListener("abort", this.#end), () => {});
  }
}
