/**
 * What stands in for a runtime where a test needs one that misbehaves, or that nothing may reach.
 *
 * @module
 */
import type { Agent, AgentOptions } from "../agent/agent.ts";
import type { AgentHandle, AgentsHost, CreateAgentOptions } from "../agent/agents_types.ts";
import { deferred } from "../agent/agent_fixtures_test.ts";
import { openOwnerScope, type OwnerScope } from "../agent/scope/owner_scope.ts";
import type { SessionHeader } from "../agent/session/session_event.ts";
import { SessionLog } from "../agent/session/session_log.ts";

/** A parent that is no more than what a run looks at. */
export interface StubParent {
  readonly agent: Agent;
  readonly owner: OwnerScope;
}

/** Makes a parent. */
export function stubParent(options: AgentOptions = {}, header: Partial<SessionHeader> = {}): StubParent {
  const owner = openOwnerScope("agent parent");
  const session = new SessionLog({ id: "parent-session", ...header });
  const agent = { id: "parent", options, session, scope: { owner } } as unknown as Agent;
  return { agent, owner };
}

/** An agents service that does what the test says. */
export interface StubAgents extends AgentsHost {
  /** What it was asked for. */
  readonly requests: readonly (CreateAgentOptions & { readonly owner: OwnerScope })[];
}

/** Makes an agents service. @param create Default: waits for its owner to become inactive and refuses then. */
export function stubAgents(
  create: (owner: OwnerScope, options: CreateAgentOptions) => Promise<AgentHandle> = untilClosed,
): StubAgents {
  const requests: (CreateAgentOptions & { readonly owner: OwnerScope })[] = [];
  return {
    requests,
    create(owner, options = {}) {
      requests.push({ ...options, owner });
      return create(owner, options);
    },
    get: () => undefined,
    list: () => [],
    on: () => () => {},
  };
}

function untilClosed(owner: OwnerScope): Promise<AgentHandle> {
  return new Promise((_, reject) => {
    owner.addEffect("creation", () => reject(new Error("the owner was closed")));
  });
}

/** A published child that does what the test says. */
export interface StubChild {
  readonly handle: AgentHandle;
  /** What was done with it, in order. */
  readonly calls: readonly string[];
  /** Ends its work. */
  readonly settle: () => void;
  readonly session: SessionLog;
}

/** Makes a child. @param dispose Takes it down. */
export function stubChild(dispose: () => Promise<void> = () => Promise.resolve()): StubChild {
  const calls: string[] = [];
  const idle = deferred();
  const session = new SessionLog({ id: "child-session" });
  const agent = {
    id: "child",
    status: "idle",
    session,
    send: (content: unknown) => void calls.push(`send ${JSON.stringify(content)}`),
    whenIdle() {
      calls.push("whenIdle");
      return idle.promise;
    },
    cancel(reason?: string) {
      calls.push(`cancel ${reason}`);
      idle.resolve();
    },
  } as unknown as Agent;
  const handle: AgentHandle = {
    agent,
    dispose() {
      calls.push("dispose");
      return dispose();
    },
    [Symbol.asyncDispose]: dispose,
  };
  return { handle, calls, session, settle: () => idle.resolve() };
}

/** A signal that counts who listens to it. */
export interface CountedSignal {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** How many listeners there are. */
  readonly listeners: () => number;
}

/** Makes a signal. */
export function countedSignal(): CountedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners: Set<unknown> = new Set();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1]);
    remove(...args);
  };
  return { signal, abort: () => controller.abort(), listeners: () => listeners.size };
}
