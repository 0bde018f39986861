/**
 * The host's private channel for raw failures.
 *
 * @module
 */
import { contain } from "./contain.ts";

/** A raw failure, for the host's own log. It may hold text of the child: never show it to a model. */
export interface HostFailure {
  /** Registered name of the provider concerned. */
  readonly provider: string;
  /** What was going on. */
  readonly operation: "start" | "run" | "dispose" | "listener";
  /** The `id` of the run concerned, as on its handle and in its events, once it is published. */
  readonly runId?: string;
  /** The original error. */
  readonly error: unknown;
}

/** Takes raw failures. What it throws is dropped, so that logging never changes an outcome. */
export type HostFailureSink = (failure: HostFailure) => void;

/** Makes a sink that never throws out of one that may, or out of none. */
export function containedSink(sink: HostFailureSink | undefined): HostFailureSink {
  if (sink === undefined) return () => {};
  // There is nowhere left to report the failure of the last resort to.
  return (failure) => contain(() => sink(failure), () => {});
}
