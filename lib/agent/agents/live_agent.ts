/**
 * An agent at work.
 *
 * @module
 */
import type { ContentBlock } from "../../seam/content.ts";
import { kindOf } from "../../seam/kind_of.ts";
import type { Agent, AgentOptions, AgentScope } from "../agent.ts";
import { Conversation } from "../loop/conversation.ts";
import { Inbox } from "../loop/inbox.ts";
import { runTurn } from "../loop/run_turn.ts";
import type { TurnPolicies } from "../loop/turn_policies.ts";
import type { ModelPort } from "../model/model_types.ts";
import type { SessionLog } from "../session/session_log.ts";
import { snapshotContent } from "../tools/tool_content.ts";

/** What an agent is made of. */
export interface LiveAgentParts {
  /** Identity. */
  readonly id: string;
  /** Deep-frozen. */
  readonly options: AgentOptions;
  /** What happened so far; every turn in it is closed. */
  readonly session: SessionLog;
  /** Opens what is registered for the agent alone. */
  readonly openScope: (agent: Agent) => AgentScope;
  /** Who answers. */
  readonly model: ModelPort;
  /** What may refuse prompts and end turns. */
  readonly policies: TurnPolicies;
  /** Most steps of a turn. */
  readonly maxSteps: number;
  /** Takes what a turn failed with. Never throws. */
  readonly onTurnError: (error: unknown) => void;
}

/** An agent with its loop: it sleeps until there is a prompt, then takes turns until there is none. */
export class LiveAgent implements Agent {
  readonly id: string;
  readonly cwd?: string;
  readonly options: AgentOptions;
  readonly session: SessionLog;
  readonly scope: AgentScope;
  readonly #parts: LiveAgentParts;
  readonly #inbox: Inbox = new Inbox();
  readonly #conversation: Conversation = new Conversation();
  /** How many events the conversation knows of. */
  #followed = 0;
  #turns: number;
  #isLocked = true;
  #isDisposed = false;
  #isRunning = false;
  /** Ends the turn that is going on, if there is one. */
  #turn: AbortController | undefined;
  /** Fulfils when the loop sleeps. */
  #loop: Promise<void> = Promise.resolve();
  #waiting: (() => void)[] = [];

  /** Makes an agent that takes no prompt before it is unlocked. */
  constructor(parts: LiveAgentParts) {
    const { id, options, session, openScope } = parts;
    this.id = id;
    this.options = options;
    this.session = session;
    if (session.header.cwd !== undefined) this.cwd = session.header.cwd;
    this.#parts = parts;
    this.#turns = session.events.filter(({ type }) => type === "turn/start").length;
    this.scope = openScope(this);
  }

  get status(): Agent["status"] {
    if (this.#isDisposed) return "disposed";
    return this.#isRunning ? "running" : "idle";
  }

  send(content: string | readonly ContentBlock[]): void {
    this.#inbox.send(this.#accept(content, "send"));
    this.#wake();
  }

  steer(content: string | readonly ContentBlock[]): void {
    this.#inbox.steer(this.#accept(content, "steer"));
    this.#wake();
  }

  cancel(reason: string = "agent cancelled"): void {
    this.#inbox.clear();
    this.#turn?.abort(new Error(reason));
    this.#announceIfIdle();
  }

  whenIdle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Lets the agent take prompts. */
  unlock(): void {
    this.#isLocked = false;
    this.#wake();
  }

  /** Ends the agent's work for good, and waits until it is still. */
  stop(): Promise<void> {
    this.#isDisposed = true;
    this.cancel("agent disposed");
    return this.#loop;
  }

  get #isIdle(): boolean {
    return !this.#isRunning && !this.#inbox.hasPrompts;
  }

  #accept(content: string | readonly ContentBlock[], method: string): readonly ContentBlock[] {
    if (this.#isDisposed) throw new Error(`Cannot ${method} to agent "${this.id}": it is disposed`);
    const blocks = snapshotContent(typeof content === "string" ? [{ type: "text", text: content }] : content);
    if (blocks !== undefined && blocks.length > 0) return blocks;
    throw new TypeError(
      `agent.${method}() takes text, or content blocks that are losslessly JSON-serializable, at least one; got ` +
        (Array.isArray(content) && content.length === 0 ? "none" : kindOf(content)),
    );
  }

  #wake(): void {
    if (this.#isLocked || this.#isDisposed || this.#isRunning || !this.#inbox.hasPrompts) return;
    this.#isRunning = true;
    this.#loop = this.#takeTurns();
  }

  async #takeTurns(): Promise<void> {
    // Whoever sends goes on first: what it sends at one go belongs to one turn, and nothing is written meanwhile.
    await Promise.resolve();
    while (this.#inbox.hasPrompts) await this.#takeTurn();
    this.#isRunning = false;
    this.#announceIfIdle();
  }

  async #takeTurn(): Promise<void> {
    const { model, policies, maxSteps, onTurnError } = this.#parts;
    const controller = new AbortController();
    this.#turn = controller;
    try {
      await runTurn({
        agent: this,
        model,
        policies,
        maxSteps,
        inbox: this.#inbox,
        turn: ++this.#turns,
        signal: controller.signal,
        conversation: () => this.#followedConversation(),
        abortedAs: () => this.#isDisposed ? "disposed" : "aborted",
        onError: onTurnError,
      });
    } finally {
      this.#turn = undefined;
    }
  }

  #followedConversation(): Conversation {
    for (const event of this.session.events.slice(this.#followed)) this.#conversation.push(event);
    this.#followed = this.session.length;
    return this.#conversation;
  }

  #announceIfIdle(): void {
    if (!this.#isIdle) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
