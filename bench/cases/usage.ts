/**
 * What this process has used so far.
 *
 * @module
 */

/** What a process has used since it began. */
export interface Usage {
  /** CPU of all its threads, user and system, in seconds: the start of Node and imports too. */
  readonly processCpuSeconds: number;
  /** CPU of the children that ended and were waited for, in seconds; 0 where the system does not tell. */
  readonly childCpuSeconds: number;
  /** The most memory it had resident, in bytes. */
  readonly peakBytes: number;
}

/** Reads it. */
export function readUsage(): Usage {
  return {
    processCpuSeconds: cpuSeconds(globalThis.process.cpuUsage()), // first: the rest costs too
    childCpuSeconds: childCpuSeconds(),
    peakBytes: peakBytes(),
  };
}

/** User and system time together, in seconds. */
export function cpuSeconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}

/** Linux tells in hundredths of a second, whatever the kernel's own clock. */
function childCpuSeconds(): number {
  const stat = readProc("stat");
  if (stat === undefined) return 0;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100; // cutime, cstime
}

/**
 * `resourceUsage().maxRSS` is not it on Linux: a process inherits it from the one that started it, whose memory it shared
 * for a moment. `VmHWM` begins anew with the program.
 */
function peakBytes(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readProc("status") ?? "") ?? [];
  return Number(kilobytes ?? globalThis.process.resourceUsage().maxRSS) * 1024;
}

/** Undefined where there is no `/proc`. */
function readProc(name: "stat" | "status"): string | undefined {
  // Not by import: that of a built-in module costs milliseconds, node:process above ten, and would blur small cases.
  const { existsSync, readFileSync } = globalThis.process.getBuiltinModule("node:fs");
  const path = `/proc/self/${name}`;
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
