/**
 * Finds processes that a test run left behind. Linux only: elsewhere nothing tells a process's environment to others.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type LivingProcess, readProcesses } from "../real_agents/read_processes.ts";

/**
 * Set in the environment of every test run. What tests start inherits it, also every tree that the library starts: its
 * scrub lets the name through. So it tells this run's processes from those of another run or host beside it, which the
 * library's own marker, SUBAGENT_SEAM_TREE, does not.
 */
export const RUN_VARIABLE = "SUBAGENT_SEAM_TEST_RUN";

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
  readonly process: LivingProcess;
  /** How it is known to be the run's. */
  readonly reason: string;
}

/** Tells why a process is a leftover of the run, or undefined when it is not the run's. */
export function leftoverReason(
  process: Omit<LivingProcess, "parent" | "identity">,
  run: RunMark,
): string | undefined {
  if (process.environment.includes(`${RUN_VARIABLE}=${run.id}`)) return "inherited this run's environment";
  if ([process.cwd, ...process.argv].some((text) => text.includes(run.folder))) {
    return "was started from this run's temp folder";
  }
  return undefined;
}

/** True where processes can be looked at: on Linux. */
export const SEES_PROCESSES: boolean = existsSync("/proc/self/environ");

/** Looks for the run's leftovers until there are none or the time is up: what is just ending may end. */
export async function leftoverProcesses(run: RunMark, timeoutMs = 3_000): Promise<Leftover[]> {
  if (!SEES_PROCESSES) return [];
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
