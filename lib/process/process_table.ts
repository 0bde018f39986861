/**
 * The process table port: what tree discovery sees of the processes of this machine.
 *
 * @module
 */

/** One process that is alive; zombies are none. */
export interface ProcessRow {
  /** Process id. */
  readonly pid: number;
  /** Process id of its parent. */
  readonly parent: number;
  /** Id of its process group. */
  readonly group: number;
  /** Id of its session; undefined where the table does not tell. */
  readonly session: number | undefined;
  /** When it started, in a unit of the table. With the pid it names one process for ever: pids are used again. */
  readonly startTime: number;
}

/** The processes that were alive at one moment. */
export class ProcessLook {
  /** The processes, in no order. */
  readonly rows: readonly ProcessRow[];
  /** By how much the start times of one process may differ between looks, in the unit of the table. */
  readonly startTimeSlack: number;
  readonly #readEnvironment: (pid: number) => string | undefined;
  readonly #environments = new Map<number, string | undefined>();
  #children: ReadonlyMap<number, readonly ProcessRow[]> | undefined;

  /**
   * Keeps what was seen.
   *
   * @param readEnvironment Reads the NUL-delimited environment of a process, if that is possible and allowed.
   */
  constructor(
    rows: readonly ProcessRow[],
    readEnvironment: (pid: number) => string | undefined,
    startTimeSlack = 0,
  ) {
    this.rows = rows;
    this.startTimeSlack = startTimeSlack;
    this.#readEnvironment = readEnvironment;
  }

  /** The processes whose parent this one is. */
  childrenOf(pid: number): readonly ProcessRow[] {
    this.#children ??= groupByParent(this.rows);
    return this.#children.get(pid) ?? [];
  }

  /** The NUL-delimited environment of a process; read once for all who ask. */
  environmentOf(pid: number): string | undefined {
    if (!this.#environments.has(pid)) this.#environments.set(pid, this.#readEnvironment(pid));
    return this.#environments.get(pid);
  }
}

/** Where looks come from. */
export interface ProcessTable {
  /**
   * Looks at all processes. Fulfils with `undefined` when that is not possible on this system or not permitted.
   *
   * @param since A start time: processes that are older may be left out. @default {none may}
   * @throws {Error} When the look failed half way: what it saw must not pass for everything.
   */
  look(since?: number): Promise<ProcessLook | undefined>;
  /** The same without waiting, for the host's last moment. */
  lookNow(): ProcessLook | undefined;
  /** When a process that is certain to exist started, if that is cheap to know; see {@linkcode ProcessRow.startTime}. */
  startTimeOf(pid: number): number | undefined;
}

/** The table of a system whose processes cannot be seen. */
export const NO_PROCESS_TABLE: ProcessTable = {
  look: () => Promise.resolve(undefined),
  lookNow: () => undefined,
  startTimeOf: () => undefined,
};

function groupByParent(rows: readonly ProcessRow[]): ReadonlyMap<number, readonly ProcessRow[]> {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  return children;
}
