/**
 * Runs cases and takes their reports.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runProcess } from "../tools/run_process.ts";
import type { Benchmark, BenchmarkCase, Measurements } from "./benchmark.ts";
import type { BuiltScripts } from "./build_scripts.ts";
import type { CaseReport } from "./cases/meter.ts";

/** Longest time of one case. */
const CASE_TIMEOUT_MS = 180_000;

/** Runs one case: a process for itself alone. */
export type RunCase = (one: BenchmarkCase) => Promise<CaseReport>;

/** A case did not do its work. */
export class WrongResultError extends Error {
  static {
    this.prototype.name = "WrongResultError";
  }
}

/**
 * Runs the cases of a benchmark in turn, round after round, so that whatever else the machine does meets all of them
 * alike. A round in front warms the disk cache up and does not count.
 *
 * @throws {WrongResultError} When a case does not count what it has to.
 */
export async function measure(
  { cases }: Pick<Benchmark, "cases">,
  rounds: number,
  run: RunCase,
): Promise<Measurements> {
  const reports = new Map<string, CaseReport[]>(cases.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const one of cases) {
      const report = await run(one);
      if (report.result !== one.expected) {
        throw new WrongResultError(`Case "${one.script}" has to count ${one.expected}, got ${report.result}`);
      }
      if (round > 0) reports.get(one.name)?.push(report);
    }
  }
  return reports;
}

/** Makes what runs a built case under this Node, in an empty working folder. */
export function caseRunner(scripts: BuiltScripts): RunCase {
  return async ({ script, options }) => {
    const cwd = await mkdtemp(join(tmpdir(), "subagent-bench-"));
    try {
      const args = [scripts.path(`cases/${script}`), JSON.stringify(options)];
      const ended = await runProcess(process.execPath, args, { cwd, timeoutMs: CASE_TIMEOUT_MS });
      if (ended.exitCode === 0) return JSON.parse(ended.stdout);
      const how = ended.timedOut
        ? `exceeds ${CASE_TIMEOUT_MS} ms`
        : `ends with ${ended.exitCode ?? ended.signal}`;
      throw new WrongResultError(`Case "${script}" ${how}:\n${ended.output.slice(-2_000)}`);
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  };
}
