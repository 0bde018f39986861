/**
 * The agents of a runtime. Types only.
 *
 * @module
 */
import type { Agent, AgentOptions, AgentScope } from "./agent.ts";
import type { OwnerScope } from "./scope/owner_scope.ts";
import type { SessionEvent } from "./session/session_event.ts";
import type { SessionLog } from "./session/session_log.ts";

/** What is known of a new agent's session from the beginning. */
export interface AgentSessionMeta {
  /** Absolute working directory. */
  readonly cwd?: string;
  /** Id of the session that delegates to the new one. */
  readonly parentSession?: string;
  /** How many events of the seed came from the parent; left out when there are none. */
  readonly seedLength?: number;
  /** How many delegations lead to the new session. */
  readonly delegationDepth?: number;
  /** What brings the session about, such as `subagent`. */
  readonly origin?: string;
}

/** A new agent. */
export interface CreateAgentOptions {
  /** Identity of the agent. @default a fresh UUID */
  readonly agentId?: string;
  /** Identity of its session. @default a fresh UUID */
  readonly sessionId?: string;
  /** What is known of its session. @default {{}} */
  readonly meta?: AgentSessionMeta;
  /** Events that its session begins with: counted from 0, every turn in them closed. @default {[]} */
  readonly seed?: readonly SessionEvent[];
  /** What it is made of. @default {{}} */
  readonly agentOptions?: AgentOptions;
  /** Aborted: the agent is not created. Means nothing once it is. */
  readonly signal?: AbortSignal;
  /** Registers what belongs to the agent before anybody knows of it. What it throws undoes everything. */
  setup?(child: AgentScope): void | PromiseLike<void>;
}

/** A published agent, for whoever owns it. */
export interface AgentHandle extends AsyncDisposable {
  /** The agent. */
  readonly agent: Agent;
  /**
   * Ends the agent: stops it and waits until it is still, takes it out of the registry, detaches its session, unwinds
   * its scope. Idempotent: one shared promise.
   */
  dispose(): Promise<void>;
}

/** What happens to agents, by name. */
export interface AgentEvents {
  /** A session is in the store. */
  readonly "session/created": SessionLog;
  /** An agent is in the registry. */
  readonly "agent/created": Agent;
  /** An agent is about to take prompts. */
  readonly "agent/session-start": Agent;
  /** An agent left the registry; for every `agent/created`. */
  readonly "agent/disposed": Agent;
  /** A session left the store; for every `session/created`. */
  readonly "session/disposed": SessionLog;
}

/** The agents of a runtime. */
export interface AgentsHost {
  /**
   * Makes an agent, or nothing: its session enters the store, it enters the registry, then `session/created`,
   * `agent/created`, `agent/session-start`; only then does it take prompts and the promise fulfils. The owner and the
   * signal are looked at between all of these; once one is no longer active, everything is undone and every
   * notification that was begun is paired with its `…/disposed`.
   *
   * @param owner Ends the agent when it closes.
   * @throws {InactiveScopeError} When the owner is or becomes inactive before the agent is published.
   * @throws {TypeError} When the owner is no scope, or an option is wrong or unknown.
   * @throws {RangeError} When a turn of the seed is open, or its events do not count from 0 without a gap.
   * @throws {Error} When an agent or a session of that id exists, or the signal is aborted.
   * @throws What `setup` throws.
   */
  create(owner: OwnerScope, options?: CreateAgentOptions): Promise<AgentHandle>;
  /** The agent of this id, from `session/created` until it is disposed. */
  get(id: string): Agent | undefined;
  /** The agents there are, oldest first. */
  list(): readonly Agent[];
  /** Tells a listener of what happens to agents. Returns what ends that. What it throws stops nothing. */
  on<Type extends keyof AgentEvents>(type: Type, listener: (subject: AgentEvents[Type]) => void): () => void;
}
