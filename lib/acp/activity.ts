/**
 * What a host may watch of a run while it is under way: counts and closed facts, never text of the child.
 *
 * @module
 */
import type { PermissionFacts } from "../diagnostics/format_permission.ts";

/** One thing that happened in a session. */
export type AcpSessionActivity =
  | {
    /** The answer grew. */
    readonly kind: "text";
    /** By how many bytes of UTF-8. */
    readonly bytes: number;
  }
  | {
    /** A permission request was answered. */
    readonly kind: "permission";
    /** What was decided. */
    readonly decision: PermissionFacts;
  };

/** One thing that happened in a run. */
export type AcpActivity = AcpSessionActivity & {
  /** Id that the run has, or will have once it is published. */
  readonly runId: string;
};

/** Takes what happens, synchronously. What it throws goes to the host's failure sink as a `listener` failure. */
export type AcpActivityListener = (activity: AcpActivity) => void;
