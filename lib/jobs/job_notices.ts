/**
 * Telling owners that their jobs settled: at least once, however long nobody listens.
 *
 * @module
 */
import type { JobClock } from "./job_clock.ts";
import type { JobNotice, JobNoticeListener } from "./jobs_types.ts";

/** Options of {@link JobNotices}. */
export interface JobNoticesOptions {
  /** When to try again. */
  readonly clock: JobClock;
  /** Milliseconds until a listener that failed gets its notices again. */
  readonly retryMs: number;
  /** Takes what a listener threw, or its promise rejected with. Must not throw. */
  readonly onListenerError: (notice: JobNotice, error: unknown) => void;
}

/** One `subscribe()`. */
interface Subscription {
  readonly owner: string;
  readonly listener: JobNoticeListener;
  /** The notices that it was given and has not answered. */
  readonly inFlight: Set<JobNotice>;
  cancelRetry: (() => void) | undefined;
}

/** The notices that nobody has taken yet, and who takes notices. */
export class JobNotices {
  readonly #options: JobNoticesOptions;
  readonly #pending: Map<string, Set<JobNotice>> = new Map();
  readonly #subscriptions: Map<string, Set<Subscription>> = new Map();

  /** Begins with neither. */
  constructor(options: JobNoticesOptions) {
    this.#options = options;
  }

  /** Gives a notice to every listener of its owner, now or once there is one, until one has taken it. */
  add(notice: JobNotice): void {
    entryOf(this.#pending, notice.job.owner).add(notice);
    for (const subscription of this.#subscriptions.get(notice.job.owner) ?? []) {
      void this.#deliver(subscription, notice);
    }
  }

  /** Takes back a notice that has become needless. */
  withdraw(notice: JobNotice): void {
    dropFrom(this.#pending, notice.job.owner, notice);
  }

  /** Takes back all notices of an owner. */
  forget(owner: string): void {
    this.#pending.delete(owner);
  }

  /** Adds a listener of one owner. Returns what ends that; calling it again does nothing. */
  subscribe(owner: string, listener: JobNoticeListener): () => void {
    const subscription: Subscription = { owner, listener, inFlight: new Set(), cancelRetry: undefined };
    entryOf(this.#subscriptions, owner).add(subscription);
    this.#deliverAll(subscription);
    return () => {
      dropFrom(this.#subscriptions, owner, subscription);
      subscription.cancelRetry?.();
    };
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const subscriptions of this.#subscriptions.values()) {
      for (const { cancelRetry } of subscriptions) cancelRetry?.();
    }
    this.#subscriptions.clear();
  }

  #deliverAll(subscription: Subscription): void {
    for (const notice of this.#pending.get(subscription.owner) ?? []) {
      void this.#deliver(subscription, notice);
    }
  }

  async #deliver(subscription: Subscription, notice: JobNotice): Promise<void> {
    if (subscription.inFlight.has(notice)) return;
    subscription.inFlight.add(notice);
    try {
      // Never within the call that settles a job or subscribes: a listener may use the jobs.
      await Promise.resolve();
      if (!this.#isOpen(subscription) || !this.#isPending(notice)) return;
      await subscription.listener(notice);
      this.withdraw(notice);
    } catch (error) {
      this.#options.onListenerError(notice, error);
      this.#retryLater(subscription);
    } finally {
      subscription.inFlight.delete(notice);
    }
  }

  #retryLater(subscription: Subscription): void {
    if (!this.#isOpen(subscription) || subscription.cancelRetry !== undefined) return;
    const { clock, retryMs } = this.#options;
    subscription.cancelRetry = clock.setTimer(
      () => {
        subscription.cancelRetry = undefined;
        this.#deliverAll(subscription);
      },
      retryMs,
      { keepsProcess: false },
    );
  }

  #isOpen(subscription: Subscription): boolean {
    return this.#subscriptions.get(subscription.owner)?.has(subscription) === true;
  }

  #isPending(notice: JobNotice): boolean {
    return this.#pending.get(notice.job.owner)?.has(notice) === true;
  }
}

function entryOf<T>(sets: Map<string, Set<T>>, key: string): Set<T> {
  let set = sets.get(key);
  if (set === undefined) sets.set(key, set = new Set());
  return set;
}

function dropFrom<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key);
  if (set?.delete(value) === true && set.size === 0) sets.delete(key);
}
