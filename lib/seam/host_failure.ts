/**
 * The host's private channel for raw failures.
 *
 * @module
 */

/** A raw failure, for the host's own log. It may hold text of the child: never show it to a model. */
export interface HostFailure {
  /** Registered name of the provider concerned. */
  readonly provider: string;
  /** What was going on. */
  readonly operation: "start" | "run" | "dispose" | "listener";
  /** The run concerned, once it is published. */
  readonly runId?: string;
  /** The original error. */
  readonly error: unknown;
}

/** Takes raw failures. What it throws is dropped, so that logging never changes an outcome. */
export type HostFailureSink = (failure: HostFailure) => void;
