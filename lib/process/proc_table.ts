/**
 * The process table of Linux: `/proc`.
 *
 * @module
 */
import { denoGrants } from "./deno_permission.ts";
import { errorCode } from "./errors.ts";
import { ProcessLook, type ProcessRow, type ProcessTable } from "./process_table.ts";

type FileSystem = Pick<
  typeof import("node:fs"),
  "closeSync" | "openSync" | "readdirSync" | "readFileSync" | "readSync"
>;

// How soon the pid of a process that ended is surely not used again: the kernel first hands out all others, of which
// there are 32,000 or more.
const SAME_PROCESS_MS = 100;

/** Two are the rule; each further one found somebody who had just been started. */
const MOST_LISTINGS = 8;

/** What the table works with. */
export interface ProcTableOptions {
  /** Reads `/proc`. @default {node:fs} */
  readonly fs?: FileSystem;
  /** A clock in milliseconds. @default {performance.now} */
  readonly now?: () => number;
}

/** Makes the table that `/proc` is. It reads synchronously: a look at a hundred processes takes 1 to 2 milliseconds. */
export function procTable(
  { fs = globalThis.process.getBuiltinModule("node:fs"), now = () => performance.now() }: ProcTableOptions =
    {},
): ProcessTable {
  let lastSeen = new Map<number, { readonly row: ProcessRow; readonly at: number }>();
  const buffer = new Uint8Array(4096); // a stat line is shorter than 1 KiB
  const decoder = new TextDecoder("latin1");

  // One open, one read: half the cost of readFileSync, which asks for the size and reads to the end.
  function readStat(pid: number): ProcessRow | undefined {
    let file: number;
    try {
      file = fs.openSync(`/proc/${pid}/stat`, "r");
    } catch (error) {
      return ignoreVanished(error);
    }
    try {
      return parseStat(decoder.decode(buffer.subarray(0, fs.readSync(file, buffer, 0, buffer.length, 0))));
    } catch (error) {
      return ignoreVanished(error);
    } finally {
      fs.closeSync(file);
    }
  }

  function readEnvironment(pid: number): string | undefined {
    try {
      return fs.readFileSync(`/proc/${pid}/environ`, "latin1");
    } catch (error) {
      return ignoreVanished(error);
    }
  }

  function list(): number[] {
    return fs.readdirSync("/proc").map(Number).filter(Number.isInteger);
  }

  function lookNow(since = 0): ProcessLook | undefined {
    let listed: readonly number[];
    try {
      // Without the permission Deno would ask the person at the terminal.
      if (!denoGrants({ name: "read", path: "/proc" })) return undefined;
      listed = list();
    } catch (error) {
      return ignoreUnreadable(error);
    }
    const at = now();
    const seen: typeof lastSeen = new Map();
    const tried = new Set<number>();
    // Whoever forks and exits at once is gone before its entry is read, and lives on under an id that was not listed
    // yet. So the list is read until it has nothing new; what starts processes without end does not keep the look here.
    for (let round = 0; round < MOST_LISTINGS && listed.length > 0; round++) {
      for (const pid of listed) {
        tried.add(pid);
        const last = lastSeen.get(pid);
        // The second of two looks in a row would read most files for nothing: a process that is too old stays too old.
        const isTooOld = last !== undefined && last.row.startTime < since && at - last.at < SAME_PROCESS_MS;
        const row = isTooOld ? undefined : readStat(pid);
        if (isTooOld) seen.set(pid, last);
        else if (row !== undefined) seen.set(pid, { row, at });
      }
      listed = list().filter((pid) => !tried.has(pid));
    }
    lastSeen = seen;
    const rows = [...seen.values()].filter((one) => one.row.startTime >= since).map((one) => one.row);
    return new ProcessLook(rows, readEnvironment);
  }

  return {
    look: async (since) => await Promise.resolve(lookNow(since)),
    lookNow: () => lookNow(),
    startTimeOf(pid) {
      try {
        return denoGrants({ name: "read", path: "/proc" }) ? readStat(pid)?.startTime : undefined;
      } catch {
        return undefined; // whatever the reason: the first look tells too, and a child that runs must not be lost over it
      }
    },
  };
}

/**
 * Parses a line of `/proc/PID/stat`; undefined for a process that is dead.
 *
 * A zombie whose threads live on (its first thread ended alone) counts as alive.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function parseStat(line: string): ProcessRow | undefined {
  // The second field is the program's name in parentheses; the name itself may contain spaces and parentheses.
  const end = line.lastIndexOf(")");
  const pid = Number.parseInt(line, 10);
  const fields = line.slice(end + 1).trim().split(" ", 20);
  const [state, parent, group, session] = fields;
  const threads = Number(fields[17]);
  const startTime = Number(fields[19]);
  if (end < 0 || !Number.isInteger(pid) || !Number.isInteger(startTime)) return undefined;
  if ((state === "Z" || state === "X" || state === "x") && !(threads > 1)) return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startTime };
}

/** ENOENT, ESRCH: the process ended meanwhile. EACCES, EPERM: it is another user's. */
function ignoreVanished(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== "ENOENT" && code !== "ESRCH" && code !== "EACCES" && code !== "EPERM") throw error;
}

/** ENOENT, EACCES, EPERM: there is no `/proc` here, or not for us. NotCapable: Deno without `--allow-all`. */
function ignoreUnreadable(error: unknown): undefined {
  const code = errorCode(error);
  const refused = error instanceof Error && error.name === "NotCapable";
  if (!refused && code !== "ENOENT" && code !== "EACCES" && code !== "EPERM") throw error;
}
