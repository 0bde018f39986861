/**
 * The agents of a runtime.
 *
 * @module
 */
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import { aFunction, checkedOptions, objectWith, type OptionCheck } from "../../seam/checked_options.ts";
import { isRecord, kindOf } from "../../seam/kind_of.ts";
import { sharedDisposal } from "../../seam/shared_disposal.ts";
import type { Agent, AgentOptions, AgentScope } from "../agent.ts";
import type { AgentEvents, AgentHandle, AgentsHost, CreateAgentOptions } from "../agents_types.ts";
import { checkedFunction } from "../checked_function.ts";
import { callListener, type ListenerErrorSink } from "../listener_error.ts";
import { Registrations } from "../registrations.ts";
import { assertActive, type OwnerScope } from "../scope/owner_scope.ts";
import { assertBalanced } from "../session/session_seed.ts";
import { SessionLog } from "../session/session_log.ts";
import { CreationEnd } from "./creation_end.ts";
import { LiveAgent, type LiveAgentParts } from "./live_agent.ts";

/** What agents are made with. */
export interface AgentsParts extends Pick<LiveAgentParts, "model" | "policies" | "maxSteps"> {
  /** Opens what is registered for one agent alone, under its scope. */
  readonly openScope: (owner: OwnerScope, agent: Agent) => AgentScope;
  /** Makes an id, fresh at every call. */
  readonly newId: () => string;
  /** Takes what a turn failed with. Never throws. */
  readonly onTurnError: (agent: Agent, error: unknown) => void;
  /** Takes what listeners throw. */
  readonly onListenerError?: ListenerErrorSink | undefined;
}

type Listener = (subject: never) => unknown;

const anId: OptionCheck = {
  expected: "a string that is not empty",
  accepts: (value) => typeof value === "string" && value !== "",
};
/** Looked at where it is copied. */
const data: OptionCheck = { expected: "JSON data", accepts: () => true };

const CREATE_OPTIONS: Readonly<Record<keyof CreateAgentOptions, OptionCheck>> = {
  agentId: anId,
  sessionId: anId,
  meta: { expected: "an object", accepts: isRecord },
  seed: data,
  agentOptions: data,
  signal: objectWith("addEventListener"),
  setup: aFunction,
};

/** Makes agents and knows those that live. */
export class Agents implements AgentsHost {
  readonly #parts: AgentsParts;
  readonly #agents: Map<string, Agent> = new Map();
  readonly #sessions: Map<string, SessionLog> = new Map();
  /** Ids of agents and sessions on their way: nobody else may take them. */
  readonly #reserved: Set<string> = new Set();
  readonly #listeners: Map<keyof AgentEvents, Registrations<Listener>> = new Map([
    ["session/created", new Registrations()],
    ["agent/created", new Registrations()],
    ["agent/session-start", new Registrations()],
    ["agent/disposed", new Registrations()],
    ["session/disposed", new Registrations()],
  ]);

  /** Begins without agents. */
  constructor(parts: AgentsParts) {
    this.#parts = parts;
  }

  get(id: string): Agent | undefined {
    return this.#agents.get(id);
  }

  list(): readonly Agent[] {
    return [...this.#agents.values()];
  }

  /** The sessions of living agents, oldest first. */
  sessions(): readonly SessionLog[] {
    return [...this.#sessions.values()];
  }

  on<Type extends keyof AgentEvents>(type: Type, listener: (subject: AgentEvents[Type]) => void): () => void {
    const listeners = this.#listeners.get(type);
    if (listeners === undefined) {
      const known = [...this.#listeners.keys()].join(", ");
      throw new TypeError(`agents.on(): the event must be one of ${known}, got ${JSON.stringify(type)}`);
    }
    return listeners.add(checkedFunction(listener, `agents.on("${type}")`) as Listener);
  }

  async create(owner: OwnerScope, options: CreateAgentOptions = {}): Promise<AgentHandle> {
    if (!isRecord(owner) || typeof owner.openChild !== "function") {
      throw new TypeError(
        `agents.create() takes the scope that owns the agent, such as runtime.owner; got ${kindOf(owner)}`,
      );
    }
    const { newId } = this.#parts;
    const {
      agentId = newId(),
      sessionId = newId(),
      signal,
      setup,
      meta = {},
      seed = [],
      agentOptions: givenOptions = {},
    } = checkedOptions("agents.create()", options, CREATE_OPTIONS);
    const agentOptions = snapshotOptions(givenOptions);
    const session = new SessionLog({ ...meta, id: sessionId }, {
      seed,
      ...this.#listenerErrors(),
    });
    assertBalanced(session.events);
    const release = this.#reserve(agentId, sessionId);
    let scope: OwnerScope | undefined;
    try {
      assertActive(owner, `create agent "${agentId}"`);
      scope = owner.openChild(`agent "${agentId}"`);
      const end = new CreationEnd(scope, signal, `create agent "${agentId}"`);
      try {
        return await this.#publish({ agentId, agentOptions, session, scope, setup, end });
      } finally {
        end.forget();
      }
    } catch (error) {
      // What the closing fails with is the owner's to report; what is told here is why there is no agent.
      await scope?.close().catch(() => {});
      throw error;
    } finally {
      release();
    }
  }

  async #publish(
    { agentId, agentOptions, session, scope, setup, end }: {
      readonly agentId: string;
      readonly agentOptions: AgentOptions;
      readonly session: SessionLog;
      readonly scope: OwnerScope;
      readonly setup: CreateAgentOptions["setup"];
      readonly end: CreationEnd;
    },
  ): Promise<AgentHandle> {
    const { openScope, onTurnError, ...parts } = this.#parts;
    end.assertNone();
    const agent: LiveAgent = new LiveAgent({
      ...parts,
      id: agentId,
      options: agentOptions,
      session,
      openScope: (self) => openScope(scope, self),
      onTurnError: (error) => onTurnError(agent, error),
    });
    if (setup !== undefined) await end.before(setup(agent.scope));
    end.assertNone();

    // Added in this order, so that they are undone in the other one: the work stops before anybody hears of the end.
    const told = { session: false, agent: false };
    this.#sessions.set(session.id, session);
    scope.addEffect("the session", () => {
      this.#sessions.delete(session.id);
      if (told.session) this.#tell("session/disposed", session);
    });
    this.#agents.set(agentId, agent);
    scope.addEffect("the place in the registry", () => {
      this.#agents.delete(agentId);
      if (told.agent) this.#tell("agent/disposed", agent);
    });
    scope.addEffect("the agent's work", () => agent.stop());

    told.session = true;
    this.#tell("session/created", session);
    end.assertNone();
    told.agent = true;
    this.#tell("agent/created", agent);
    end.assertNone();
    this.#tell("agent/session-start", agent);
    end.assertNone();
    agent.unlock();

    const dispose = sharedDisposal(async () => {
      await agent.stop();
      await scope.close();
    });
    return Object.freeze({ agent, dispose, [Symbol.asyncDispose]: dispose });
  }

  #reserve(agentId: string, sessionId: string): () => void {
    const keys = [`agent "${agentId}"`, `session "${sessionId}"`];
    const taken = keys.find((key) => this.#reserved.has(key)) ??
      (this.#agents.has(agentId) ? keys[0] : this.#sessions.has(sessionId) ? keys[1] : undefined);
    if (taken !== undefined) throw new Error(`Cannot create agent "${agentId}": ${taken} exists already`);
    for (const key of keys) this.#reserved.add(key);
    return () => {
      for (const key of keys) this.#reserved.delete(key);
    };
  }

  #tell<Type extends keyof AgentEvents>(type: Type, subject: AgentEvents[Type]): void {
    for (const listener of this.#listeners.get(type) ?? []) {
      callListener(() => listener(subject as never), type, this.#parts.onListenerError);
    }
  }

  #listenerErrors(): { readonly onListenerError?: ListenerErrorSink } {
    const { onListenerError } = this.#parts;
    return onListenerError === undefined ? {} : { onListenerError };
  }
}

function snapshotOptions(options: unknown): AgentOptions {
  const copy: unknown = snapshotFrozenJsonValue(options);
  if (isRecord(copy)) return copy as AgentOptions;
  throw new TypeError("agent options must be a losslessly JSON-serializable object");
}
