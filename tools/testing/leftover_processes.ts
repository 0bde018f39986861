/**
 * Finds processes that a test run left behind. Linux only: elsewhere nothing tells a process's environment to others.
 *
 * @module
 */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Set in the environment of every test run. What tests start inherits it, also every tree that the library starts: its
 * scrub lets the name through. So it tells this run's processes from those of another run or host beside it, which the
 * library's own marker, SUBAGENT_SEAM_TREE, does not.
 */
export const RUN_VARIABLE = "SUBAGENT_SEAM_TEST_RUN";

/** What is known of one process. */
export interface ProcessFacts {
  /** Its id. */
  readonly pid: number;
  /** State letter of /proc/PID/stat; Z and X are dead. */
  readonly state: string;
  /** Its argument vector. */
  readonly argv: readonly string[];
  /** Its environment as of exec, as NAME=VALUE. */
  readonly environment: readonly string[];
  /** Its working directory. */
  readonly cwd: string;
}

/** What marks the processes of one test run. */
export interface RunMark {
  /** Value of {@linkcode RUN_VARIABLE}. */
  readonly id: string;
  /** The run's own temp folder. */
  readonly folder: string;
}

/** A process that should have ended. */
export interface Leftover {
  /** The process. */
  readonly process: ProcessFacts;
  /** How it is known to be the run's. */
  readonly reason: string;
}

/** Tells why a process is a leftover of the run, or undefined when it is dead or not the run's. */
export function leftoverReason(process: ProcessFacts, run: RunMark): string | undefined {
  if (process.state === "Z" || process.state === "X") return undefined;
  if (process.environment.includes(`${RUN_VARIABLE}=${run.id}`)) return "inherited this run's environment";
  if ([process.cwd, ...process.argv].some((text) => text.includes(run.folder))) {
    return "was started from this run's temp folder";
  }
  return undefined;
}

/** Reads all processes that can be read; [] where there is no /proc. */
export function readProcesses(): ProcessFacts[] {
  let entries: string[];
  try {
    entries = readdirSync("/proc");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
  return entries.filter((entry) => /^\d+$/.test(entry)).map((pid) => readProcess(Number(pid))).filter((one) =>
    one !== undefined
  );
}

/** Reads one process; undefined when it has ended or belongs to another user. */
function readProcess(pid: number): ProcessFacts | undefined {
  try {
    // The command name stands in brackets and may hold anything; the state stands behind the last bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return {
      pid,
      state: stat.charAt(stat.lastIndexOf(")") + 2),
      argv: readList(`/proc/${pid}/cmdline`),
      environment: readList(`/proc/${pid}/environ`),
      cwd: readlinkSync(`/proc/${pid}/cwd`),
    };
  } catch {
    return undefined; // ENOENT and ESRCH: it has ended; EACCES: not ours to judge
  }
}

/** Reads a file of NUL-terminated entries. */
function readList(path: string): string[] {
  return readFileSync(path, "utf8").split("\0").filter((entry) => entry !== "");
}

/** Looks for the run's leftovers until there are none or the time is up: what is just ending may end. */
export async function leftoverProcesses(run: RunMark, timeoutMs = 3_000): Promise<Leftover[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const left = readProcesses().filter(({ pid }) => pid !== process.pid).flatMap((one) => {
      const reason = leftoverReason(one, run);
      return reason === undefined ? [] : [{ process: one, reason }];
    });
    if (left.length === 0 || Date.now() > deadline) return left;
    await delay(50);
  }
}
