/**
 * Which processes belong to a child's tree. Pure: it works on looks.
 *
 * @module
 */
import type { ProcessLook, ProcessRow } from "./process_table.ts";
import { carriesMarker } from "./tree_marker.ts";

/** What makes a tree that tree. */
export interface ProcessTreeOptions {
  /** Process id of the root, which leads its own session and group. */
  readonly pid: number;
  /** When it started, if the table tells; nothing of the tree is older. */
  readonly startTime: number | undefined;
  /** Id in the marker of its environment. */
  readonly marker: string;
  /** The host's own process id, which is never part of a tree. */
  readonly hostPid: number;
}

/**
 * A root process and all that descends from it, as far as it can be seen: the root's group and session, the chain of
 * parents, the marker in the environment, and everything that was seen once.
 *
 * Ids are used again. A remembered pid counts only while its start time is the same. The id of the root's group and
 * session is safe while the root lives or a remembered member is in it: after that it may be a stranger's.
 */
export class ProcessTree {
  readonly #pid: number;
  readonly #marker: string;
  readonly #hostPid: number;
  readonly #known = new Map<number, number>(); // pid → start time
  #startTime: number | undefined;
  #rootState: "running" | "just-exited" | "exited" = "running";
  #ownsGroup = true;
  #ownsSession = true;

  /** Begins with the root alone. */
  constructor({ pid, startTime, marker, hostPid }: ProcessTreeOptions) {
    this.#pid = pid;
    this.#startTime = startTime;
    this.#marker = marker;
    this.#hostPid = hostPid;
  }

  /** When the root started, if that is known; nothing of the tree is older. */
  get startTime(): number | undefined {
    return this.#startTime;
  }

  /** Whether the group named after the root is certain to be this tree's, so that it may be signalled. */
  get ownsGroup(): boolean {
    return this.#ownsGroup;
  }

  /** The root's exit was seen. Its group stays this tree's until the next look, which has to come soon. */
  rootExited(): void {
    if (this.#rootState === "running") this.#rootState = "just-exited";
  }

  /** The group of the root was seen to have no member: its id may be somebody else's from now on. */
  groupEnded(): void {
    this.#ownsGroup = false;
  }

  /** The members alive in this look, each once; also remembers them. */
  members(look: ProcessLook): ProcessRow[] {
    this.#settleOwnership(look);
    const members = new Map<number, ProcessRow>();
    const addWithDescendants = (first: ProcessRow): void => {
      const waiting = [first];
      for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
        if (members.has(row.pid) || !this.#mayBelong(row, look)) continue;
        members.set(row.pid, row);
        waiting.push(...look.childrenOf(row.pid));
      }
    };

    const candidates = look.rows.filter((row) => this.#mayBelong(row, look));
    for (const row of candidates) {
      if (this.#isRoot(row) || this.#isKnown(row, look) || this.#inGroupOrSession(row)) {
        addWithDescendants(row);
      }
    }
    // Last, because it reads a file for each process: most are members or older than the root by now.
    for (const row of candidates) {
      if (!members.has(row.pid) && carriesMarker(look.environmentOf(row.pid) ?? "", this.#marker)) {
        addWithDescendants(row);
      }
    }
    for (const row of members.values()) {
      if (!this.#isKnown(row, look)) this.#known.set(row.pid, row.startTime); // the first time told: it must not drift
    }
    return [...members.values()];
  }

  #mayBelong(row: ProcessRow, { startTimeSlack }: ProcessLook): boolean {
    return row.pid > 1 && row.pid !== this.#hostPid &&
      (this.#startTime === undefined || row.startTime >= this.#startTime - startTimeSlack);
  }

  #isRoot(row: ProcessRow): boolean {
    return row.pid === this.#pid && this.#rootState === "running";
  }

  #isKnown(row: ProcessRow, { startTimeSlack }: ProcessLook): boolean {
    const startTime = this.#known.get(row.pid);
    return startTime !== undefined && Math.abs(row.startTime - startTime) <= startTimeSlack;
  }

  #inGroupOrSession(row: ProcessRow): boolean {
    return (this.#ownsGroup && row.group === this.#pid) || (this.#ownsSession && row.session === this.#pid);
  }

  #settleOwnership(look: ProcessLook): void {
    if (this.#rootState === "running") {
      this.#startTime ??= look.rows.find((row) => row.pid === this.#pid)?.startTime;
      return;
    }
    const proves = (row: ProcessRow): boolean =>
      this.#rootState === "just-exited" || this.#isKnown(row, look);
    this.#ownsGroup &&= look.rows.some((row) => row.group === this.#pid && proves(row));
    this.#ownsSession &&= look.rows.some((row) => row.session === this.#pid && proves(row));
    this.#rootState = "exited";
  }
}
