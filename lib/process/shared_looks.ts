/**
 * One look at the process table for all trees that want one.
 *
 * @module
 */
import type { ProcessLook, ProcessTable } from "./process_table.ts";

/**
 * Looks at a process table, at most once at a time.
 *
 * A look serves everyone who asked before it began and no one who asked later, so each caller sees the processes of a
 * moment after its call. Two hundred trees that end together cost a few looks instead of hundreds.
 */
export class SharedLooks {
  readonly #table: ProcessTable;
  #next: Promise<ProcessLook | undefined> | undefined;
  #since: number | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #round: { readonly id: object; readonly look: ProcessLook | undefined } | undefined;

  /** Looks at this table. */
  constructor(table: ProcessTable) {
    this.#table = table;
  }

  /**
   * Looks at the table, soon.
   *
   * @param since See {@linkcode ProcessTable.look}.
   * @throws {Error} When the look failed.
   */
  look(since?: number): Promise<ProcessLook | undefined> {
    this.#since = this.#next === undefined ? since : earlier(this.#since, since);
    return this.#next ??= this.#begin();
  }

  /** Looks at the table now; once for all who name the same round. */
  lookNow(round: object): ProcessLook | undefined {
    if (this.#round?.id !== round) this.#round = { id: round, look: this.#table.lookNow() };
    return this.#round.look;
  }

  /** See {@linkcode ProcessTable.startTimeOf}. */
  startTimeOf(pid: number): number | undefined {
    return this.#table.startTimeOf(pid);
  }

  async #begin(): Promise<ProcessLook | undefined> {
    await this.#running;
    await new Promise((resolve) => setTimeout(resolve, 0)); // lets the other exits of this moment be seen
    this.#next = undefined;
    const look = this.#table.look(this.#since);
    this.#running = look.catch(() => undefined); // its failure is the callers' to see, not the next look's
    return await look;
  }
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.min(one, other);
}
