/**
 * One job in this process: running, perhaps stopping, then settled once and for all.
 *
 * @module
 */
import type { SubagentParent } from "../seam/types.ts";
import { checkedOutcome } from "./checked_outcome.ts";
import { cancelFailed, shownError } from "./job_refusals.ts";
import type {
  JobActivity,
  JobAssignment,
  JobFacts,
  JobNotice,
  JobOutcome,
  JobRunner,
  JobSnapshot,
  JobState,
} from "./jobs_types.ts";

/** What a job needs of its service. */
export interface LocalJobParts {
  /** What stays the same about it. */
  readonly facts: JobFacts;
  /** Whose it is. */
  readonly owner: SubagentParent;
  /** What there is to do; deep-frozen. */
  readonly work: JobAssignment["work"];
  /** What tells its request from others. */
  readonly fingerprint: string;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of the settlement. Must not throw. */
  readonly onSettled: (job: LocalJob) => void;
  /** Takes what the runner or its activity threw. Must not throw. */
  readonly onError: (operation: "run" | "cancel", error: unknown) => void;
}

/** One job. */
export class LocalJob {
  readonly #parts: LocalJobParts;
  readonly #settle: () => void;
  #state: JobState = { status: "running" };
  #output = "";
  #activity: JobActivity | undefined;
  /** Whether the activity is being asked right now: it may ask back. */
  #isAsking = false;
  /** Ends it, where that was asked for before its runner came back with a way to. */
  #endOnceBegun: (() => void) | undefined;

  /** Fulfils once it is settled. */
  readonly settled: Promise<void>;
  /** Whether its owner knows, or need not know, how it ended. */
  isReported = false;
  /** The notice of its settlement, unless it was reported by then. */
  notice: JobNotice | undefined;

  /** Makes a job that has not begun. */
  constructor(parts: LocalJobParts) {
    this.#parts = parts;
    let settle!: () => void;
    this.settled = new Promise((resolve) => settle = resolve);
    this.#settle = settle;
  }

  /** What stays the same about it. */
  get facts(): JobFacts {
    return this.#parts.facts;
  }

  /** What tells its request from others. */
  get fingerprint(): string {
    return this.#parts.fingerprint;
  }

  /** Whether it is not settled. */
  get isActive(): boolean {
    return this.#state.status === "running" || this.#state.status === "stopping";
  }

  /** The output of a completed job, else nothing. */
  get output(): string {
    return this.#output;
  }

  /** What is known of it now. */
  snapshot(): JobSnapshot {
    return Object.freeze({ ...this.#parts.facts, ...this.#state });
  }

  /** Has a runner do the work. Called once. */
  begin(run: JobRunner): void {
    const { facts: { id, kind, label }, owner, work } = this.#parts;
    try {
      this.#activity = run(Object.freeze({ id, kind, label, owner, work }));
      void this.#follow(this.#activity.done);
    } catch (error) {
      return this.#fail(error);
    }
    const end = this.#endOnceBegun;
    if (end === undefined) return;
    this.#state = { status: "running" };
    end();
  }

  /**
   * Asks it to end, unless it was asked before or is settled.
   *
   * @throws {JobError} `CANCEL_FAILED`; nothing has changed then.
   */
  cancel(reason: string): void {
    const refused = this.#ask(reason, () => void this.#ask(reason));
    if (refused !== undefined) throw cancelFailed(this.#parts.facts.id, refused.error);
  }

  /** Asks it to end because nobody will look after it any more; settles it when it cannot even be asked. */
  abandon(reason: string): void {
    this.isReported = true;
    const refused = this.#ask(reason, () => this.abandon(reason));
    if (refused === undefined) return;
    const detail = `cancel threw during teardown; work may be orphaned: ${shownError(refused.error)}`;
    this.#end({ status: "failed", detail });
  }

  /** Gives what its activity threw, if it did. Before there is one, `again` is what asks it once there is. */
  #ask(reason: string, again?: () => void): { readonly error: unknown } | undefined {
    if (this.#state.status !== "running" || this.#isAsking) return undefined;
    if (this.#activity === undefined) {
      this.#endOnceBegun = again;
      this.#state = { status: "stopping" };
      return undefined;
    }
    this.#isAsking = true;
    try {
      this.#activity.cancel(reason);
      if (this.isActive) this.#state = { status: "stopping" };
      return undefined;
    } catch (error) {
      this.#parts.onError("cancel", error);
      return { error };
    } finally {
      this.#isAsking = false;
    }
  }

  async #follow(done: PromiseLike<JobOutcome>): Promise<void> {
    try {
      this.#end(checkedOutcome(await done));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#parts.onError("run", error);
    this.#end({ status: "failed", detail: shownError(error) });
  }

  #end(outcome: JobOutcome): void {
    if (!this.isActive) return;
    const settledAt = this.#parts.now();
    this.#state = outcome.status === "failed"
      ? { status: "failed", detail: outcome.detail, settledAt }
      : { status: outcome.status, settledAt };
    if (outcome.status === "completed") this.#output = outcome.output;
    this.#settle();
    this.#parts.onSettled(this);
  }
}
