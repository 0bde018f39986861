/**
 * What two generations of in-process runs do differently.
 *
 * @module
 */
import type { Agent, AgentOptions } from "../agent/agent.ts";
import type { AgentSessionMeta } from "../agent/agents_types.ts";
import type { OwnerScope } from "../agent/scope/owner_scope.ts";
import type { SubagentResult } from "../seam/types.ts";
import { depthOf } from "./depth.ts";
import { olderOutcome, type RunFacts } from "./run_outcome.ts";

/** The rules of one generation. Everything that is not here is the same for both. */
export interface RunRules<Parent> {
  /**
   * How many delegations lead to the parent.
   *
   * @throws {TypeError} When what it says about that is malformed.
   */
  depthOf(parent: Parent): number;
  /** What the child is made of where the request does not say. */
  inherited(parent: Parent): AgentOptions;
  /** What is known of the child's session from the beginning, its seed aside. */
  metaOf(parent: Parent, childDepth: number): AgentSessionMeta;
  /** Id of the child's session. */
  sessionIdOf(agentId: string, newId: () => string): string;
  /** Whose end is the end of the child. @throws Whatever; it is the run's to report. */
  ownerOf(parent: Parent): OwnerScope;
  /** What becomes of a tool filter that the registry refuses. */
  toolFilterFault(error: unknown): unknown;
  /** Whether a cancelled run settles at once; else when the child is still. */
  readonly settlesOnCancel: boolean;
  /** The result. */
  outcome(facts: RunFacts): SubagentResult;
}

/** The rules of the older driver. */
export const OLDER_RULES: RunRules<Agent> = {
  depthOf,
  inherited: ({ options: { model } }) => model === undefined ? {} : { model },
  metaOf: ({ session: { header } }) => ({
    ...(header.cwd === undefined ? {} : { cwd: header.cwd }),
    parentSession: header.id,
  }),
  sessionIdOf: (_, newId) => newId(),
  ownerOf: ({ scope }) => scope.owner,
  toolFilterFault: (error) => error,
  settlesOnCancel: false,
  outcome: olderOutcome,
};
