/**
 * What in-process runs do behind the seam.
 *
 * @module
 */
import type { Agent, AgentOptions } from "../agent/agent.ts";
import type { OwnerScope } from "../agent/scope/owner_scope.ts";
import type { JsonValue } from "../schema/json_value.ts";
import { SubagentError } from "../seam/errors.ts";
import { type AgentWithDepth, delegationDepthOf } from "./depth.ts";
import { seamOutcome } from "./run_outcome.ts";
import type { RunRules } from "./run_rules.ts";

/** Who delegates: an agent of this runtime, or a host without agents. */
export type RunParent =
  | { readonly kind: "agent"; readonly agent: Agent }
  | { readonly kind: "host"; readonly host: HostParent; readonly owner: OwnerScope };

/** What a host without agents may say of itself. */
export interface HostParent extends AgentWithDepth {
  /** Its identity; the child's session names it. */
  readonly id: string;
  /** Working directory of its children. */
  readonly cwd?: string | undefined;
}

/** The rules of the seam. */
export const SEAM_RULES: RunRules<RunParent> = {
  depthOf: (parent) => delegationDepthOf(parent.kind === "agent" ? parent.agent : parent.host),
  inherited: (parent) => parent.kind === "agent" ? routeOf(parent.agent.options) : {},
  metaOf: (parent, delegationDepth) => {
    const { id: parentSession, cwd } = parent.kind === "agent" ? parent.agent.session.header : parent.host;
    return { ...(cwd === undefined ? {} : { cwd }), parentSession, origin: "subagent", delegationDepth };
  },
  // One id, so that whoever has that of the run finds both.
  sessionIdOf: (agentId) => agentId,
  ownerOf: (parent) => parent.kind === "agent" ? parent.agent.scope.owner : parent.owner,
  // What the registry says lists tools that the parent's model may not know of.
  toolFilterFault: (cause) =>
    new SubagentError(
      "INVALID_REQUEST",
      'subagent request toolFilter must name tools of this runtime in "allow" or "deny"',
      { cause },
    ),
  settlesOnCancel: true,
  outcome: seamOutcome,
};

/** Which model answers, and how much: what a child takes over unless its request says otherwise. */
function routeOf(options: AgentOptions): AgentOptions {
  const route: Record<string, JsonValue> = {};
  for (const field of ["provider", "model", "maxTokens"]) {
    const value = options[field];
    if (value !== undefined) route[field] = value;
  }
  return route;
}
