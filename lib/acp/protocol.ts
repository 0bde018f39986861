/**
 * The few words of the Agent Client Protocol this provider speaks. They are our own constants so that importing the
 * library never loads the protocol's SDK; a test holds them equal to the SDK's.
 *
 * @module
 */
import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";

/** The protocol version we ask for, and the only one we accept. */
export const PROTOCOL_VERSION = 1;

/** Methods of the agent that a client calls. */
export const AGENT_METHODS = {
  initialize: "initialize",
  sessionNew: "session/new",
  sessionPrompt: "session/prompt",
  sessionCancel: "session/cancel",
} as const;

/** Methods of the client that an agent calls and we answer. */
export const CLIENT_METHODS = {
  sessionUpdate: "session/update",
  sessionRequestPermission: "session/request_permission",
} as const;

/** Kinds of a permission option that grant. */
export const ALLOW_OPTION_KINDS: readonly string[] = ["allow_once", "allow_always"];

/** Answer to a permission request that grants nothing. */
export const PERMISSION_CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** Tells whether a value from the wire is an object with members to look at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
