/**
 * An in-process agent as its owners, tools and listeners see it. Types only.
 *
 * @module
 */
import type { JsonValue } from "../schema/json_value.ts";
import type { ContentBlock } from "../seam/content.ts";
import type { PromptHost } from "./prompt/prompt_types.ts";
import type { OwnerScope } from "./scope/owner_scope.ts";
import type { SessionLog } from "./session/session_log.ts";
import type { ToolRegistryHost } from "./tools/tool_types.ts";

/** What an agent is made of besides its prompt and tools: JSON data that hosts may add to. */
export interface AgentOptions {
  /** Which model answers. */
  readonly model?: string;
  /** Most tokens of one answer. Default: the model's own limit. */
  readonly maxTokens?: number;
  /** How many delegations lead to this agent. @default {0} */
  readonly subagentDepth?: number;
  /** Whatever else a host's model understands. */
  readonly [name: string]: JsonValue | undefined;
}

/** A conversation with a model that uses tools. */
export interface Agent {
  /** Identity among the agents of one runtime. */
  readonly id: string;
  /** Absolute working directory of its session, so that it can be the parent of any child. */
  readonly cwd?: string;
  /** What it is made of; deep-frozen. */
  readonly options: AgentOptions;
  /** What happened in it. */
  readonly session: SessionLog;
  /** What is registered for it alone. */
  readonly scope: AgentScope;
  /** Whether it has work. */
  readonly status: "idle" | "running" | "disposed";
  /**
   * Gives it a prompt; a string is one text block. It is queued before the call returns, and what is queued when a turn
   * begins belongs to that turn.
   *
   * @throws {TypeError} When there is nothing in it, or something that is no content.
   * @throws {Error} When the agent is disposed.
   */
  send(content: string | readonly ContentBlock[]): void;
  /**
   * Gives the running turn something to go on with at its next step; the same as `send` when there is no turn.
   *
   * @throws As `send`.
   */
  steer(content: string | readonly ContentBlock[]): void;
  /**
   * Drops what is queued and ends the running turn as `aborted`. Nothing is waited for: not the model, not a tool. Later
   * prompts are as good as ever. Does nothing when there is no work.
   *
   * @param reason For tools and the model, as the message of their signal's reason. @default {"agent cancelled"}
   */
  cancel(reason?: string): void;
  /** Waits until queued and running work is done; fulfils at once when there is none. */
  whenIdle(): Promise<void>;
}

/** What is registered here is visible to one agent and dies with it. */
export interface AgentScope {
  /** Owner of everything the agent is made of. */
  readonly owner: OwnerScope;
  /** Its tools and the policies for them. */
  readonly tools: ToolRegistryHost;
  /** Its system prompt. */
  readonly prompt: PromptHost;
  /** When its turns end. */
  readonly turn: TurnPolicyHost;
}

/** Decides whether a turn goes on. `undefined` is no opinion. */
export type TurnStopPolicy = (
  turn: number,
) => { readonly action: "stop" } | undefined | PromiseLike<{ readonly action: "stop" } | undefined>;

/** Decides whether a prompt is given to the model. `undefined` is no objection. */
export type PromptPolicy = (
  content: readonly ContentBlock[],
) => { readonly action: "reject" } | undefined | PromiseLike<{ readonly action: "reject" } | undefined>;

/** Policies for the beginning and the end of turns. Those of all agents are asked before those of one. */
export interface TurnPolicyHost {
  /**
   * Adds a policy that may refuse prompts before they are in the session. A turn of which every prompt is refused ends
   * as `rejected`, without a step. What steers a running turn is part of it and not asked about. Returns what takes the
   * policy out.
   */
  onPrompt(policy: PromptPolicy): () => void;
  /** Adds a policy that may end a turn after a step, whatever else would let it go on. Returns what takes it out. */
  onTurnStop(policy: TurnStopPolicy): () => void;
}
