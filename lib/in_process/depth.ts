/**
 * How many delegations lead to an agent.
 *
 * @module
 */
import { isDepth, SubagentDepthError } from "../seam/depth_error.ts";
import { refusal } from "./refusal.ts";

/** What says how deep an agent is. A host without agents may pass an object of its own. */
export interface AgentWithDepth {
  /** What the agent is made of. */
  readonly options?: { readonly subagentDepth?: unknown } | undefined;
}

/** What else says how deep an agent is. */
export interface SessionWithDepth {
  /** The session of the agent. */
  readonly session?: { readonly header: { readonly delegationDepth?: number } } | undefined;
}

/**
 * Reads the depth of an agent: 0 for one that nobody delegated to, one more for each delegation on the way. Only
 * `undefined` counts as absent, so that a malformed value never switches a cap off.
 *
 * @throws {TypeError} When `options.subagentDepth` is given and no non-negative safe integer.
 */
export function depthOf(agent: AgentWithDepth): number {
  const depth = agent.options?.subagentDepth;
  if (depth === undefined) return 0;
  if (isDepth(depth)) return depth;
  throw refusal(new TypeError("agent subagentDepth must be a non-negative safe integer"));
}

/**
 * Reads the depth of an agent as {@link depthOf} does, but not less than what its session says: options are for hosts
 * to write, and may make an agent deeper, never shallower.
 *
 * @throws {TypeError} When `options.subagentDepth` is given and no non-negative safe integer.
 */
export function delegationDepthOf(agent: AgentWithDepth & SessionWithDepth): number {
  return Math.max(depthOf(agent), agent.session?.header.delegationDepth ?? 0);
}

/**
 * The depth of a child.
 *
 * @throws {RangeError} When there is no safe integer for it, capped or not.
 * @throws {SubagentDepthError} When it is past the cap.
 */
export function childDepthOf(parentDepth: number, maxDepth: number | undefined): number {
  const depth = parentDepth + 1;
  if (!Number.isSafeInteger(depth)) {
    throw refusal(new RangeError("subagent child depth exceeds the safe-integer range"));
  }
  if (maxDepth !== undefined && depth > maxDepth) throw new SubagentDepthError(depth, maxDepth);
  return depth;
}
