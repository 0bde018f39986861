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

/** Makes the table that `/proc` is. It reads synchronously: a look at a hundred processes takes about a millisecond. */
export function procTable(fs: FileSystem = globalThis.process.getBuiltinModule("node:fs")): ProcessTable {
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

  function lookNow(): ProcessLook | undefined {
    let names: string[];
    try {
      // Without the permission Deno would ask the person at the terminal.
      if (!denoGrants({ name: "read", path: "/proc" })) return undefined;
      names = fs.readdirSync("/proc");
    } catch (error) {
      return ignoreUnreadable(error);
    }
    const pids = names.map(Number).filter(Number.isInteger);
    return new ProcessLook(pids.map(readStat).filter((row) => row !== undefined), readEnvironment);
  }

  return {
    look: async () => await Promise.resolve(lookNow()),
    lookNow,
    startTimeOf(pid) {
      if (!denoGrants({ name: "read", path: "/proc" })) return undefined;
      try {
        return readStat(pid)?.startTime;
      } catch (error) {
        return ignoreUnreadable(error);
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
  const fields = line.slice(end + 1).trim().split(" ");
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
