/**
 * Delegating to a child in this process, for hosts that do it by hand.
 *
 * @module
 */
import type { Agent } from "../agent/agent.ts";
import type { AgentsHost } from "../agent/agents_types.ts";
import type { OwnerScope } from "../agent/scope/owner_scope.ts";
import type { SessionEvent } from "../agent/session/session_event.ts";
import type { SubagentResult, SubagentStartRequest } from "../seam/types.ts";
import { RunDrive } from "./run_drive.ts";
import { acceptRunRequest } from "./run_request.ts";
import { OLDER_RULES } from "./run_rules.ts";

/** One delegation of an in-process agent. */
export interface InProcessRunRequest extends Omit<SubagentStartRequest, "label" | "parent"> {
  /** Who delegates: a living agent. */
  readonly parent: Agent;
}

/** What a run is made with. */
export interface InProcessRunOptions {
  /** Where the child is made. */
  readonly agents: AgentsHost;
  /** Events that the child's session begins with, such as the parent's completed turns. @default a fresh session */
  readonly seed?: readonly SessionEvent[];
  /** Makes ids of children and their sessions. @default random UUIDs */
  readonly newId?: () => string;
}

/** A run that may not have a child yet. Whoever holds it disposes of it, on every path. */
export interface InProcessRun extends AsyncDisposable {
  /** Id of the child agent. */
  readonly id: string;
  /** Fulfils when the child is published and can be found by its id; rejects when it never will be. */
  readonly started: Promise<void>;
  /**
   * Settles when the child is still: cancelled or disposed of before the child was published, it is `aborted`; it
   * rejects when the child could not be made for another reason. A rejection that nobody waits for does no harm.
   */
  readonly result: Promise<SubagentResult>;
  /** The child, once it is published. */
  readonly localAgent: Agent | undefined;
  /** Ends the child's work, or its creation. @param reason For the child's session. @default "subagent cancelled" */
  cancel(reason?: string): void;
  /** Cancels what is unsettled, takes the child down and waits until it is gone. Idempotent: one shared promise. */
  dispose(): Promise<void>;
}

/**
 * Starts a child of an in-process agent and gives its run back at once; the child is made afterwards. It lives in a
 * scope of its own under the parent's, so that it ends with the parent, and it is cancelled and ended with `owner` as
 * well. Its tools are the global ones as they are at any moment, less what `request.toolFilter` hides: it inherits no
 * restriction of its parent.
 *
 * @param owner The scope of whoever provides such children.
 * @throws {TypeError} When a field is malformed or not what JSON carries without loss.
 * @throws {RangeError} When the child's depth is no safe integer.
 * @throws {SubagentDepthError} When the child's depth is past `request.maxDepth`.
 * @throws {OutputSchemaError} When `request.outputSchema` is outside the supported subset of JSON Schema.
 * @throws {InactiveScopeError} When `owner` is not active.
 */
export function startInProcessRun(
  owner: OwnerScope,
  request: InProcessRunRequest,
  { agents, seed, newId = () => globalThis.crypto.randomUUID() }: InProcessRunOptions,
): InProcessRun {
  const plan = acceptRunRequest(request, { seed, rules: OLDER_RULES, newId });
  const drive = new RunDrive(plan, { owner, agents, rules: OLDER_RULES, newId });
  return Object.freeze({
    id: drive.id,
    started: drive.started,
    result: drive.result,
    get localAgent() {
      return drive.agent;
    },
    cancel: (reason?: string) => drive.cancel(reason),
    dispose: drive.dispose,
    [Symbol.asyncDispose]: drive.dispose,
  });
}
