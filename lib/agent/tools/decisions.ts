/**
 * Reading what policies decide. Each field is read once, and what is decided is our own copy.
 *
 * @module
 */
import { isRecord } from "../../seam/kind_of.ts";
import { snapshotContent } from "./tool_content.ts";
import type { ApprovalDecision, PostDecision, PreDecision } from "./tool_types.ts";

/** Takes over what a pre-execute listener returned. @throws {TypeError} When it is no decision. */
export function checkedPreDecision(value: unknown): PreDecision {
  const decision = readPreDecision(value);
  if (decision !== undefined) return decision;
  throw new TypeError(
    "tools/pre-execute returned an invalid decision; " +
      "expected { kind: 'allow' }, { kind: 'deny', reason } or { kind: 'ask', reason? }",
  );
}

/** Takes over what an approval port answered. @throws {TypeError} When it is no decision. */
export function checkedApproval(value: unknown): ApprovalDecision {
  const decision = readPreDecision(value);
  if (decision !== undefined && decision.kind !== "ask") return decision;
  throw new TypeError(
    "tool approval returned an invalid decision; expected { kind: 'allow' } or { kind: 'deny', reason }",
  );
}

/** Takes over what a post-execute listener returned. @throws {TypeError} When it is no decision. */
export function checkedPostDecision(value: unknown): PostDecision {
  const decision = readPostDecision(value);
  if (decision !== undefined) return decision;
  throw new TypeError(
    "tools/post-execute returned an invalid decision; " +
      "expected { kind: 'accept', content? } or { kind: 'block', feedback }",
  );
}

/** Takes over what a guard returned. @throws {TypeError} When it is neither a reason nor `undefined`. */
export function checkedGuardResult(value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new TypeError("tool guard returned an invalid result; expected a string or undefined");
}

function readPreDecision(value: unknown): PreDecision | undefined {
  if (!isRecord(value)) return undefined;
  const { kind } = value;
  if (kind === "allow") return Object.freeze({ kind });
  if (kind !== "deny" && kind !== "ask") return undefined;
  const { reason } = value;
  if (typeof reason === "string") return Object.freeze({ kind, reason });
  return kind === "ask" && reason === undefined ? Object.freeze({ kind }) : undefined;
}

function readPostDecision(value: unknown): PostDecision | undefined {
  if (!isRecord(value)) return undefined;
  const { kind } = value;
  if (kind === "accept") {
    const given = value.content;
    if (given === undefined) return Object.freeze({ kind });
    const content = snapshotContent(given);
    return content && Object.freeze({ kind, content });
  }
  if (kind !== "block") return undefined;
  const feedback = snapshotContent(value.feedback);
  return feedback && Object.freeze({ kind, feedback });
}
