/**
 * A child's tree on POSIX systems: found through the process table, ended by signals.
 *
 * @module
 */
import type { ProcessRow } from "./process_table.ts";
import { ProcessTree } from "./process_tree.ts";
import type { SharedLooks } from "./shared_looks.ts";
import { groupExists, type Kill, sendSignal } from "./signals.ts";

/** What a tree on a POSIX system is made of. */
export interface PosixTreeOptions {
  /** Process id of the root, started as the leader of its own group. */
  readonly pid: number;
  /** Id in the marker of its environment. */
  readonly marker: string;
  /** The host's own process id. */
  readonly hostPid: number;
  /** How processes are seen. */
  readonly looks: SharedLooks;
  /** How they are signalled. */
  readonly kill: Kill;
}

/**
 * Finds and ends the processes of one child.
 *
 * Where no process table can be read, the tree is the root's process group, and what left the group is missed. Where the
 * runtime does not even permit to ask for the group, it is the root alone.
 */
export class PosixTree {
  readonly #pid: number;
  readonly #looks: SharedLooks;
  readonly #kill: Kill;
  readonly #tree: ProcessTree;
  readonly #hasGroup: boolean;
  readonly #asked = new Set<number>();
  #seen: readonly ProcessRow[] = [];
  #exited = false;
  #lookError: unknown;

  /** Takes over a child that was just started, before its exit can have been seen. */
  constructor({ pid, marker, hostPid, looks, kill }: PosixTreeOptions) {
    this.#pid = pid;
    this.#looks = looks;
    this.#kill = kill;
    this.#tree = new ProcessTree({ pid, startTime: looks.startTimeOf(pid), marker, hostPid });
    // Without its own group the child would share the host's, and a signal to that would end the host.
    this.#hasGroup = groupExists(kill, pid) !== false;
  }

  /** Why the last look may have missed something, if it may. */
  get lookError(): unknown {
    return this.#lookError;
  }

  /** Whether the root's exit was seen. */
  get exited(): boolean {
    return this.#exited;
  }

  /** The root's exit was seen. What it leaves behind is remembered now: later its ids may be a stranger's. */
  rootExited(): void {
    this.#exited = true;
    this.#tree.rootExited();
    void this.look();
  }

  /** The members that are alive, the root included until its exit was seen. Never rejects. */
  async look(): Promise<readonly number[]> {
    this.#seen = [];
    try {
      const look = await this.#looks.look(this.#tree.startTime);
      this.#lookError = undefined;
      if (look === undefined) return this.#lookAtGroup();
      this.#seen = this.#tree.members(look);
    } catch (error) {
      // A host without a file descriptor left, say. That nothing is alive would be a guess.
      this.#lookError = error;
      return [this.#pid];
    }
    const alive = this.#seen.map((row) => row.pid);
    return this.#exited || alive.includes(this.#pid) ? alive : [this.#pid, ...alive];
  }

  /** Sends SIGTERM to each member once, or SIGKILL to all that the last look found. */
  end(how: "ask" | "force", alive: readonly number[]): void {
    if (how === "force") return this.#signal("SIGKILL", alive);
    const newcomers = alive.filter((pid) => !this.#asked.has(pid));
    const first = this.#asked.size === 0;
    for (const pid of newcomers) this.#asked.add(pid);
    this.#signal("SIGTERM", newcomers, { group: first });
  }

  /**
   * Kills without waiting, for the host's last moment. True when something was alive. Never throws.
   *
   * @param round Names the round of killing; the trees of one round share one look.
   */
  killNow(round: object): boolean {
    // Whatever fails here, there is nobody left to be told, and other trees wait.
    try {
      const look = attempt(() => this.#looks.lookNow(round));
      this.#seen = look === undefined ? [] : this.#tree.members(look);
      const alive = look === undefined ? this.#lookAtGroup() : this.#seen.map((row) => row.pid);
      this.#signal("SIGKILL", alive);
      return alive.length > 0;
    } catch {
      return false;
    }
  }

  #lookAtGroup(): readonly number[] {
    if (!this.#exited) return [this.#pid];
    if (this.#mayKillGroup && groupExists(this.#kill, this.#pid) === true) return [this.#pid];
    this.#tree.groupEnded();
    return [];
  }

  get #mayKillGroup(): boolean {
    return this.#hasGroup && this.#tree.ownsGroup;
  }

  #signal(signal: "SIGTERM" | "SIGKILL", pids: readonly number[], { group = true } = {}): void {
    const wholeGroup = group && this.#mayKillGroup;
    if (wholeGroup) sendSignal(this.#kill, -this.#pid, signal);
    const reached = new Set(
      wholeGroup ? this.#seen.filter((row) => row.group === this.#pid).map((row) => row.pid) : [],
    );
    for (const pid of pids) {
      // The root's pid is its own only until its exit was seen, its group's id a little longer.
      if (reached.has(pid) || (pid === this.#pid && (this.#exited || wholeGroup))) continue;
      sendSignal(this.#kill, pid, signal);
    }
  }
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
