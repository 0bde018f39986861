/**
 * Finding out who delegates.
 *
 * @module
 */
import type { AgentsHost } from "../agent/agents_types.ts";
import type { OwnerScope } from "../agent/scope/owner_scope.ts";
import { SubagentError } from "../seam/errors.ts";
import type { SubagentParent } from "../seam/types.ts";
import type { HostParent, RunParent } from "./seam_rules.ts";

/** What a runtime is to its children. `AgentRuntime` is one. */
export interface ChildRuntime {
  /** Its agents. */
  readonly agents: AgentsHost;
  /** The scope that everything in it lives in. */
  readonly owner: OwnerScope;
}

/**
 * Tells a living agent of the runtime from a host that has none.
 *
 * @throws {SubagentError} `INVALID_REQUEST` when it is an agent and not a living one of this runtime: a child would
 * belong to nobody who ends it.
 */
export function runParentOf(parent: SubagentParent, { agents, owner }: ChildRuntime): RunParent {
  const agent = agents.get(parent.id);
  if (agent !== undefined && agent === parent) return { kind: "agent", agent };
  if (!looksLikeAgent(parent)) return { kind: "host", host: parent as HostParent, owner };
  throw new SubagentError(
    "INVALID_REQUEST",
    "subagent request parent must be a living agent of the provider's own runtime, " +
      "got one that is disposed or belongs to another runtime",
  );
}

function looksLikeAgent(parent: SubagentParent): boolean {
  return "session" in parent || "scope" in parent;
}
