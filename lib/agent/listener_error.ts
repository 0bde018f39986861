/**
 * The host's private channel for what listeners throw.
 *
 * @module
 */
import { contain } from "../seam/contain.ts";
import type { AgentEvents } from "./agents_types.ts";

/** A listener that only listens threw, or the promise it returned rejected. */
export interface ListenerError {
  /** What it listened to. */
  readonly event: "session/event" | "tools/result" | keyof AgentEvents;
  /** What it threw. */
  readonly error: unknown;
}

/** Takes errors of listeners. What it throws is dropped, so that logging never changes an outcome. */
export type ListenerErrorSink = (failure: ListenerError) => void;

/** Calls a listener; what it throws or rejects with goes to the sink. Does not wait for a promise it returns. */
export function callListener(
  listener: () => unknown,
  event: ListenerError["event"],
  sink: ListenerErrorSink | undefined,
): void {
  contain(listener, (error) => {
    // There is nowhere left to report the failure of the last resort to.
    contain(() => sink?.({ event, error }), () => {});
  });
}
