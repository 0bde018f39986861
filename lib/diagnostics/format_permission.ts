/**
 * The permission line.
 *
 * @module
 */
import { readOwn } from "./read_own.ts";
import {
  PERMISSION_KINDS,
  type PermissionDecision,
  type PermissionKind,
  type PermissionPolicy,
  type Unknown,
  wordOr,
} from "./vocabularies.ts";

/** One permission request that was answered without anybody to ask. */
export interface PermissionFacts {
  /** The configured policy. */
  readonly policy: PermissionPolicy;
  /** What the agent asked for. */
  readonly request: PermissionKind | Unknown;
  /** `allowed` only when an allow option was in fact selected. */
  readonly decision: PermissionDecision;
}

/** Maps the tool kind of a permission request to the closed list; everything else is `unknown`. */
export function permissionKind(kind: unknown): PermissionKind | Unknown {
  return wordOr(PERMISSION_KINDS, kind);
}

/**
 * Writes the fixed line for a permission decision, such as
 * `ACP unattended decision (policy: reject; request: execute; decision: denied)`.
 *
 * Each field is read once. A policy other than `allow` reads `reject`, a decision other than `allowed` reads
 * `denied`: a line never claims a permission that was not given. Never throws.
 */
export function formatPermission(facts: PermissionFacts): string {
  const policy = readOwn(facts, "policy") === "allow" ? "allow" : "reject";
  const request = permissionKind(readOwn(facts, "request"));
  const decision = readOwn(facts, "decision") === "allowed" ? "allowed" : "denied";
  return `ACP unattended decision (policy: ${policy}; request: ${request}; decision: ${decision})`;
}
