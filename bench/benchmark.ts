/**
 * What a benchmark is made of.
 *
 * @module
 */
import type { CaseReport } from "./cases/meter.ts";

/** One way to do the work of a benchmark, in a process of its own. */
export interface BenchmarkCase {
  /** Its name, unique in the benchmark. */
  readonly name: string;
  /** Its script in `cases/`, without the extension. */
  readonly script: string;
  /** What the script is told. */
  readonly options: unknown;
  /** What it has to count; anything else is a wrong result. */
  readonly expected: number;
}

/** A quantity that is compared. */
export type Quantity = "CPU" | "CPU with start" | "CPU with children" | "peak memory";

/** Reads each quantity from a report. */
export const QUANTITIES: Readonly<Record<Quantity, (report: CaseReport) => number>> = {
  "CPU": (report) => report.cpuSeconds,
  "CPU with start": (report) => report.processCpuSeconds,
  "CPU with children": (report) => report.cpuSeconds + report.childCpuSeconds,
  "peak memory": (report) => report.peakBytes,
};

/** A ratio that is looked at. */
export interface Comparison {
  /** What is compared. */
  readonly quantity: Quantity;
  /** Name of the case in question. */
  readonly of: string;
  /** Name of the case it is held against. */
  readonly against: string;
  /** The target: the ratio is to be no more than this. Left out, the ratio is only shown. */
  readonly atMost?: number;
}

/** One benchmark. */
export interface Benchmark {
  /** Its name on the command line. */
  readonly name: string;
  /** The work, in a few words. */
  readonly work: string;
  /** How many rounds are run for each one asked for: a small difference takes more. @default {1} */
  readonly roundsFactor?: number;
  /** The ways to do it. */
  readonly cases: readonly BenchmarkCase[];
  /** What is compared. */
  readonly comparisons: readonly Comparison[];
}

/** What a benchmark measured: for each case, by name, its reports in the order of the rounds. */
export type Measurements = ReadonlyMap<string, readonly CaseReport[]>;
