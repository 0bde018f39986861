/**
 * What a case measures of itself. A case is one process, so that neither compiled code nor garbage of another one counts.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";

/** What one case cost and what came of it. */
export interface CaseReport {
  /** What the case counted, to be held against what it had to count. */
  readonly result: number;
  /** CPU of this process during the work, all threads, user and system, in seconds. */
  readonly cpuSeconds: number;
  /** The same since the process began: start of Node and imports too. */
  readonly processCpuSeconds: number;
  /** CPU of the children that ended and were waited for, in seconds; 0 where the system does not tell. */
  readonly childCpuSeconds: number;
  /** Time of the work, in seconds. */
  readonly wallSeconds: number;
  /** The most memory this process had resident since it began, in bytes. */
  readonly peakBytes: number;
}

/** Does the work and prints what it cost as one line of JSON. */
export async function runCase(work: () => Promise<number>): Promise<void> {
  const wallStart = performance.now();
  const cpuStart = process.cpuUsage();
  const result = await work();
  const cpu = process.cpuUsage(cpuStart);
  const wallSeconds = (performance.now() - wallStart) / 1e3;
  const report: CaseReport = {
    result,
    cpuSeconds: seconds(cpu),
    processCpuSeconds: seconds(process.cpuUsage()),
    childCpuSeconds: childCpuSeconds(),
    wallSeconds,
    peakBytes: peakBytes(),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

function seconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}

/** Linux tells in hundredths of a second, whatever the kernel's own clock. */
function childCpuSeconds(): number {
  if (!existsSync("/proc/self/stat")) return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100; // cutime, cstime
}

/**
 * `resourceUsage().maxRSS` is not it on Linux: a process inherits it from the one that started it, whose memory it shared
 * for a moment. `VmHWM` begins anew with the program.
 */
function peakBytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1024;
}
