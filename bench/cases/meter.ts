/**
 * What a case measures of itself. A case is one process, so that neither compiled code nor garbage of another one counts.
 *
 * @module
 */
import { cpuSeconds, readUsage, type Usage } from "./usage.ts";

/** What one case cost and what came of it. */
export interface CaseReport extends Usage {
  /** What the case counted, to be held against what it had to count. */
  readonly result: number;
  /** CPU of this process during the work, all threads, user and system, in seconds. */
  readonly cpuSeconds: number;
  /** Time of the work, in seconds. */
  readonly wallSeconds: number;
}

/** Does the work and prints what it cost as one line of JSON. */
export async function runCase(work: () => Promise<number>): Promise<void> {
  const wallStart = performance.now();
  const cpuStart = globalThis.process.cpuUsage();
  const result = await work();
  const report: CaseReport = {
    result,
    cpuSeconds: cpuSeconds(globalThis.process.cpuUsage(cpuStart)),
    wallSeconds: (performance.now() - wallStart) / 1e3,
    ...readUsage(),
  };
  globalThis.process.stdout.write(`${JSON.stringify(report)}\n`);
}
