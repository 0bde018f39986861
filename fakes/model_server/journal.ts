/**
 * What the server writes down, in order of arrival.
 *
 * @module
 */
import type { ModelRequest } from "./conversation.ts";
import type { Plan } from "./plan.ts";
import type { ProtocolName } from "./protocol.ts";

/** One thing that happened to the server. */
export type JournalEntry =
  /** A request to the model arrived; `id` counts them from 1. */
  | {
    readonly kind: "model-request";
    readonly id: number;
    readonly protocol: ProtocolName;
    readonly request: ModelRequest;
    readonly plan: Plan;
  }
  /** That request is over; `complete` is false when the connection went before the answer was sent whole. */
  | { readonly kind: "model-request-closed"; readonly id: number; readonly complete: boolean }
  /** Another request, and how it was answered. */
  | {
    readonly kind: "other-request";
    readonly method: string;
    readonly path: string;
    readonly status: number;
  }
  /** Somebody took the server for a proxy and wanted a tunnel to this target; refused. */
  | { readonly kind: "connect-refused"; readonly target: string }
  /** Somebody wanted another protocol, a web socket for one; refused. */
  | { readonly kind: "upgrade-refused"; readonly path: string };
