/**
 * One run of a child in this process, from its ownership to its result.
 *
 * @module
 */
import type { Agent, AgentScope } from "../agent/agent.ts";
import type { AgentHandle, AgentsHost } from "../agent/agents_types.ts";
import { PERSONA_SECTION } from "../agent/prompt/section_names.ts";
import type { OwnerScope, ScopeEffect } from "../agent/scope/owner_scope.ts";
import type { SessionEvent } from "../agent/session/session_event.ts";
import { contain } from "../seam/contain.ts";
import { sharedDisposal } from "../seam/shared_disposal.ts";
import type { SubagentResult } from "../seam/types.ts";
import type { RunPlan } from "./run_request.ts";
import type { RunRules } from "./run_rules.ts";
import { attachStructuredRuntime, type StructuredCapture } from "./structured_runtime.ts";

/** What a run needs besides its plan. */
export interface RunDriveParts<Parent> {
  /** Whose end cancels the run: the provider's. */
  readonly owner: OwnerScope;
  /** Where the child is made. */
  readonly agents: AgentsHost;
  /** The rules that count. */
  readonly rules: RunRules<Parent>;
  /** Makes an id, fresh at every call. */
  readonly newId: () => string;
}

/** A run under way. */
export class RunDrive<Parent> {
  /** Id of the child. */
  readonly id: string;
  /** Fulfils when the child is published; rejects when it will not be. Never unhandled. */
  readonly started: Promise<void>;
  /** The result. Rejects when the child could not be made and nobody asked for that. Never unhandled. */
  readonly result: Promise<SubagentResult>;
  /** Cancels, takes everything back and waits until it is gone. One shared promise. */
  readonly dispose: () => Promise<void> = sharedDisposal(() => this.#dispose());
  readonly #takeDown: () => Promise<void> = sharedDisposal(() => this.#end());
  readonly #plan: RunPlan<Parent>;
  readonly #parts: RunDriveParts<Parent>;
  readonly #hold: ScopeEffect;
  #runOwner: RunOwner | undefined;
  readonly #creation: Promise<AgentHandle>;
  readonly #cancelRequested: Promise<void>;
  #requestCancel: () => void = () => {};
  #isCancelled = false;
  #handle: AgentHandle | undefined;
  #capture: StructuredCapture | undefined;

  /**
   * Begins the run.
   *
   * @throws {InactiveScopeError} When the provider's scope is not active; nothing happened then.
   */
  constructor(plan: RunPlan<Parent>, parts: RunDriveParts<Parent>) {
    const { id } = plan;
    this.id = id;
    this.#plan = plan;
    this.#parts = parts;
    this.#cancelRequested = new Promise((resolve) => {
      this.#requestCancel = resolve;
    });
    this.#hold = parts.owner.addEffect("subagent-inprocess.run()", () => this.#unload());
    this.#listen();
    this.#runOwner = openRunOwner(() => parts.rules.ownerOf(plan.parent).openChild(`subagent run ${id}`));
    if (this.#isCancelled) this.cancel();
    this.#creation = this.#create();
    this.started = this.#creation.then(() => {});
    this.result = this.#settle();
    // A host may wait for either, for both or for neither; none of that may end its process.
    for (const promise of [this.started, this.result]) promise.catch(() => {});
  }

  /** The child, once it is published. */
  get agent(): Agent | undefined {
    return this.#handle?.agent;
  }

  /** What happened in the child so far, without what it was seeded with. */
  get events(): readonly SessionEvent[] {
    return this.agent?.session.events.slice(this.#plan.seed?.length ?? 0) ?? [];
  }

  /** Asks for the end: of the child's work once it is published, else of its creation. */
  cancel(reason: string = "subagent cancelled"): void {
    this.#isCancelled = true;
    this.#requestCancel();
    if (this.#handle !== undefined) this.#handle.agent.cancel(reason);
    // What the closing fails with is for `dispose()` to report, which gets the same promise.
    else this.#closeRunOwner().catch(() => {});
  }

  readonly #onAbort = (): void => this.cancel();

  #unload(): Promise<void> {
    this.cancel("subagent provider disposed");
    return this.#takeDown();
  }

  async #dispose(): Promise<void> {
    this.#stopListening();
    this.cancel("subagent disposed during creation");
    await this.#hold.remove();
    // Why there is no child is the result's to tell.
    await this.#creation.catch(() => {});
  }

  /** Ends a child in its own order, so that it is still before anything of it is taken apart; then its scope. */
  async #end(): Promise<void> {
    try {
      await this.#handle?.dispose();
    } catch (error) {
      await this.#closeRunOwner().catch(() => {});
      throw error;
    }
    await this.#closeRunOwner();
  }

  #closeRunOwner(): Promise<void> {
    return this.#runOwner?.kind === "open" ? this.#runOwner.scope.close() : Promise.resolve();
  }

  #listen(): void {
    const { signal } = this.#plan;
    try {
      if (signal?.aborted === true) this.#isCancelled = true;
      else signal?.addEventListener("abort", this.#onAbort, { once: true });
    } catch (error) {
      // It was no AbortSignal. The caller gets no run, so nothing may be left that only a run would take back.
      void this.#hold.remove();
      throw error;
    }
  }

  #stopListening(): void {
    contain(() => this.#plan.signal?.removeEventListener("abort", this.#onAbort), () => {});
  }

  async #create(): Promise<AgentHandle> {
    const { agents, rules, newId } = this.#parts;
    const { id, parent, depth, agentOptions, seed } = this.#plan;
    // Not before whoever starts the run has it in hand, and with it the means to cancel.
    await Promise.resolve();
    const runOwner = this.#activeRunOwner();
    const seedLength = seed?.length ?? 0;
    const handle = await agents.create(runOwner, {
      agentId: id,
      sessionId: rules.sessionIdOf(id, newId),
      meta: { ...rules.metaOf(parent, depth), ...(seedLength === 0 ? {} : { seedLength }) },
      ...(seed === undefined ? {} : { seed }),
      agentOptions,
      setup: (child) => this.#setUp(child),
    });
    // The scope may have been closed after the last look that was taken during the creation.
    this.#activeRunOwner();
    this.#handle = handle;
    return handle;
  }

  #activeRunOwner(): OwnerScope {
    const runOwner = this.#runOwner;
    if (runOwner?.kind === "failed") {
      throw asError(runOwner.error, "subagent run owner setup failed with a non-Error value");
    }
    if (runOwner?.scope.state === "active") return runOwner.scope;
    throw new Error("subagent run owner became inactive before child creation");
  }

  #setUp(child: AgentScope): void {
    const { persona, toolFilter, schema } = this.#plan;
    if (persona !== undefined) child.prompt.section({ ...PERSONA_SECTION, text: persona });
    if (toolFilter !== undefined) {
      try {
        child.tools.restrict(toolFilter);
      } catch (error) {
        throw this.#parts.rules.toolFilterFault(error);
      }
    }
    if (schema !== undefined) this.#capture = attachStructuredRuntime(child, schema);
  }

  async #settle(): Promise<SubagentResult> {
    try {
      const agent = await this.#published();
      if (agent === undefined) return { output: [], stopReason: "aborted" };
      await this.#runPrompt(agent);
      return this.#parts.rules.outcome({
        events: this.events,
        isCancelled: this.#isCancelled,
        ...(this.#plan.schema === undefined ? {} : { structured: { captured: this.#capture?.captured } }),
      });
    } finally {
      this.#stopListening();
    }
  }

  /** The published child, or `undefined` when the run was cancelled before there was one. */
  async #published(): Promise<Agent | undefined> {
    try {
      await this.started;
    } catch (error) {
      if (this.#isCancelled) return undefined;
      throw asError(error, "subagent child creation failed with a non-Error value");
    }
    return this.agent;
  }

  async #runPrompt(agent: Agent): Promise<void> {
    // Whoever heard of the publication may have cancelled, or ended the parent, before this reaction had its turn.
    if (this.#isCancelled || agent.status === "disposed") return;
    agent.send(this.#plan.prompt);
    // Only now: an agent without work is idle already.
    const idle = agent.whenIdle();
    await (this.#parts.rules.settlesOnCancel ? Promise.race([idle, this.#cancelRequested]) : idle);
  }
}

/** The scope that a run lives in, or why there is none: that is no fault of the call, so it goes to the result. */
type RunOwner =
  | { readonly kind: "open"; readonly scope: OwnerScope }
  | { readonly kind: "failed"; readonly error: unknown };

function openRunOwner(open: () => OwnerScope): RunOwner {
  try {
    return { kind: "open", scope: open() };
  } catch (error) {
    return { kind: "failed", error };
  }
}

function asError(value: unknown, message: string): Error {
  return value instanceof Error ? value : new Error(message, { cause: value });
}
