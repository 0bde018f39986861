/**
 * Permission requests are answered by configuration; no human is asked.
 *
 * @module
 */
import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { type PermissionFacts, permissionKind } from "../diagnostics/format_permission.ts";
import type { PermissionPolicy } from "../diagnostics/vocabularies.ts";
import { ALLOW_OPTION_KINDS, isRecord, PERMISSION_CANCELLED } from "./protocol.ts";

/** An answer for the wire, and what is remembered of it. */
export interface PermissionAnswer {
  /** The result of `session/request_permission`. */
  readonly response: RequestPermissionResponse;
  /** The closed facts that a diagnostic may show. */
  readonly decision: PermissionFacts;
}

/**
 * Answers one `session/request_permission`.
 *
 * `allow` selects the first option, in the agent's order, whose kind is `allow_once` or `allow_always`. Without such
 * an option, and always under `reject`, the answer is the outcome `cancelled`: an option that rejects is never
 * selected, since agents attach lasting effects to `reject_always`. Of the request only the tool kind is remembered,
 * and only if it is one of the protocol's.
 */
export function answerPermission(policy: PermissionPolicy, params: unknown): PermissionAnswer {
  const optionId = policy === "allow" ? firstAllowOption(params) : undefined;
  const request = requestedKind(params);
  return optionId === undefined
    ? { response: PERMISSION_CANCELLED, decision: { policy, request, decision: "denied" } }
    : {
      response: { outcome: { outcome: "selected", optionId } },
      decision: { policy, request, decision: "allowed" },
    };
}

function firstAllowOption(params: unknown): string | undefined {
  if (!isRecord(params) || !Array.isArray(params["options"])) return undefined;
  for (const option of params["options"] as readonly unknown[]) {
    if (!isRecord(option) || typeof option["optionId"] !== "string") continue;
    if (ALLOW_OPTION_KINDS.includes(option["kind"] as string)) return option["optionId"];
  }
  return undefined;
}

function requestedKind(params: unknown): PermissionFacts["request"] {
  const toolCall = isRecord(params) ? params["toolCall"] : undefined;
  return permissionKind(isRecord(toolCall) ? toolCall["kind"] : undefined);
}
