/**
 * Who owns what: a tree of scopes, each of which ends with everything that was opened under it.
 *
 * @module
 */
import { sharedDisposal } from "../../seam/shared_disposal.ts";
import { InactiveScopeError } from "./inactive_scope_error.ts";

/**
 * Where a scope is in its life. `closing` begins in the call of `close()`, before it returns; `closed` means that
 * everything it owned is gone, or failed to go.
 */
export type OwnerScopeState = "active" | "closing" | "closed";

/** Undoes what an effect did. Called at most once. */
export type ScopeCleanup = () => PromiseLike<void> | void;

/** Something that a scope owns. */
export interface ScopeEffect {
  /**
   * Runs the cleanup, unless it ran or is running, and waits until it is done. Every call gives the same promise,
   * and it rejects with what the cleanup throws. The scope holds on to the effect until then.
   */
  remove(): Promise<void>;
}

/** A node of structured concurrency. */
export interface OwnerScope {
  /** What it is the scope of, for people who read an error. */
  readonly label: string;
  /** Where it is in its life. */
  readonly state: OwnerScopeState;
  /** Labels of the effects it holds, oldest first. */
  readonly effects: readonly string[];
  /** The scopes opened under it that are not closed yet, oldest first. */
  readonly children: readonly OwnerScope[];
  /**
   * Makes the scope the owner of something.
   *
   * @param label What it is, for people who read an error.
   * @param cleanup Undoes it. One that returns a promise of a `close()` or `remove()` which waits for this very
   * cleanup is not waited for. One that waits for such a promise by itself never ends: start the closing and return.
   * @throws {InactiveScopeError} When the scope is not active.
   * @throws {TypeError} When the cleanup is no function.
   */
  addEffect(label: string, cleanup: ScopeCleanup): ScopeEffect;
  /**
   * Opens a scope that closes before this one does.
   *
   * @throws {InactiveScopeError} When the scope is not active.
   */
  openChild(label: string): OwnerScope;
  /**
   * Ends the scope. At once, it and everything below it is no longer active. Then its children close, newest first
   * and side by side; what is already closing is waited for. Then its effects are removed one after the other, newest
   * first. Every call gives the same promise, which settles when all that is done.
   *
   * A cleanup that fails stops no other. When one did, the promise rejects with its error; when several did, with an
   * `AggregateError` of all of them, those of children included.
   */
  close(): Promise<void>;
}

/** Opens a scope that nobody owns. */
export function openOwnerScope(label: string): OwnerScope {
  return new Scope(label);
}

interface CleanupFailure {
  readonly label: string;
  readonly error: unknown;
}

interface HeldEffect extends ScopeEffect {
  readonly label: string;
}

class Scope implements OwnerScope {
  readonly label: string;
  readonly close: () => Promise<void> = sharedDisposal(() => this.#unwind());
  #state: OwnerScopeState = "active";
  readonly #parent: Scope | undefined;
  readonly #children: Set<Scope> = new Set();
  readonly #effects: Set<HeldEffect> = new Set();
  readonly #failures: CleanupFailure[] = [];

  constructor(label: string, parent?: Scope) {
    this.label = label;
    this.#parent = parent;
  }

  get state(): OwnerScopeState {
    return this.#state;
  }

  get effects(): readonly string[] {
    return Array.from(this.#effects, (effect) => effect.label);
  }

  get children(): readonly OwnerScope[] {
    return [...this.#children];
  }

  addEffect(label: string, cleanup: ScopeCleanup): ScopeEffect {
    assertActive(this, `add effect "${label}"`);
    if (typeof cleanup !== "function") {
      throw new TypeError(
        `Cannot add effect "${label}": the cleanup must be a function, got ${typeof cleanup}`,
      );
    }
    const effect: HeldEffect = {
      label,
      remove: sharedDisposal(async () => {
        try {
          const outcome = cleanup();
          // Waiting for what waits for this cleanup would never end.
          if (outcome !== effect.remove() && !this.#isClosing(outcome)) await outcome;
        } finally {
          this.#effects.delete(effect);
        }
      }),
    };
    this.#effects.add(effect);
    return Object.freeze({ remove: effect.remove });
  }

  openChild(label: string): OwnerScope {
    assertActive(this, `open child scope "${label}"`);
    const child = new Scope(label, this);
    this.#children.add(child);
    return child;
  }

  async #unwind(): Promise<void> {
    this.#deactivate();
    const children = [...this.#children].reverse();
    // What is being removed by now counts too, even if that is over when the children are closed.
    const effects = [...this.#effects].reverse();
    // Without children, cleanups begin in the call of close().
    if (children.length > 0) await Promise.allSettled(children.map((child) => child.close()));
    for (const child of children) this.#failures.push(...child.#failures);
    for (const { label, remove } of effects) {
      try {
        await remove();
      } catch (error) {
        this.#failures.push({ label, error });
      }
    }
    this.#state = "closed";
    if (this.#parent !== undefined) this.#parent.#children.delete(this);
    if (this.#failures.length > 0) throw closeError(this.label, this.#failures);
  }

  /** Goes all the way down before the first cleanup runs, so that none of them finds an active scope to add to. */
  #deactivate(): void {
    this.#state = "closing";
    for (const child of this.#children) {
      if (child.#state === "active") child.#deactivate();
    }
  }

  /** Tells whether a promise is that of this scope's closing, or of one that waits for it. */
  #isClosing(promise: unknown): boolean {
    if (this.#state !== "active" && promise === this.close()) return true;
    return this.#parent !== undefined && this.#parent.#isClosing(promise);
  }
}

/**
 * Refuses to do something on behalf of a scope that has ended or is about to.
 *
 * @param action What was to be done, as the words after "Cannot".
 * @throws {InactiveScopeError} When the scope is not active.
 */
export function assertActive(scope: OwnerScope, action: string): void {
  if (scope.state === "active") return;
  throw new InactiveScopeError(`Cannot ${action}: inactive context "${scope.label}" is ${scope.state}`);
}

/** One failure stays what it is, so that whoever waits for a closing is able to recognise it. */
function closeError(label: string, failures: readonly CleanupFailure[]): unknown {
  const [first] = failures;
  if (failures.length === 1) return first?.error;
  const labels = failures.map((failure) => `"${failure.label}"`).join(", ");
  return new AggregateError(
    failures.map(({ error }) => error),
    `Cannot close scope "${label}" completely: ${failures.length} cleanups failed (${labels})`,
  );
}
