/**
 * Who hears lifecycle events.
 *
 * @module
 */
import { contain } from "./contain.ts";
import type { SubagentEvents } from "./types.ts";

/** Takes the payload of one kind of event. A promise it returns is not awaited. */
export type SubagentListener<T extends keyof SubagentEvents> = (payload: SubagentEvents[T]) => void;

/** One `on()`: the same function may be subscribed more than once, so subscriptions are told apart by identity. */
interface Subscription {
  readonly call: (payload: never) => unknown;
}

const eventTypes: readonly (keyof SubagentEvents)[] = [
  "subagent/start",
  "subagent/end",
  "subagent/provider-added",
  "subagent/provider-removed",
];

/** The listeners by event. Those of one event are called in the order of their subscription. */
export class EventListeners {
  readonly #subscriptions: ReadonlyMap<keyof SubagentEvents, Set<Subscription>> = new Map(
    eventTypes.map((type) => [type, new Set<Subscription>()]),
  );

  /**
   * Subscribes a listener. Returns what ends the subscription; calling that again does nothing.
   *
   * @throws {TypeError} When there is no such event or the listener is no function.
   */
  on<T extends keyof SubagentEvents>(type: T, listener: SubagentListener<T>): () => void {
    const subscriptions = this.#subscriptions.get(type);
    if (subscriptions === undefined) {
      throw new TypeError(`Cannot listen: the event must be one of ${eventTypes.join(", ")}`);
    }
    if (typeof listener !== "function") {
      throw new TypeError(
        `Cannot listen to "${type}": the listener must be a function, got ${typeof listener}`,
      );
    }
    const subscription: Subscription = { call: listener };
    subscriptions.add(subscription);
    return () => void subscriptions.delete(subscription);
  }

  /** Tells every listener. What one throws, or rejects with, goes to `onError` and stops no other. */
  emit<T extends keyof SubagentEvents>(
    type: T,
    payload: SubagentEvents[T],
    onError: (error: unknown) => void,
  ): void {
    for (const call of this.#current(type)) contain(() => call(payload), onError);
  }

  /** Tells the listeners until one throws, and throws that. What one rejects with goes to `onError`. */
  emitOrThrow<T extends keyof SubagentEvents>(
    type: T,
    payload: SubagentEvents[T],
    onError: (error: unknown) => void,
  ): void {
    for (const call of this.#current(type)) {
      const outcome = call(payload);
      contain(() => outcome, onError);
    }
  }

  /** Those who were subscribed when the dispatch began, less those who left during it. */
  *#current<T extends keyof SubagentEvents>(type: T): Generator<(payload: SubagentEvents[T]) => unknown> {
    const subscriptions = this.#subscriptions.get(type) as Set<Subscription>;
    for (const subscription of [...subscriptions]) {
      if (subscriptions.has(subscription)) yield subscription.call as (payload: SubagentEvents[T]) => unknown;
    }
  }
}
