/**
 * What was measured, in words and figures.
 *
 * @module
 */
import { type Benchmark, type Comparison, type Measurements, QUANTITIES } from "./benchmark.ts";
import type { CaseReport } from "./cases/meter.ts";
import { compare, median, type Ratio } from "./statistics.ts";
import { table } from "./table.ts";

/** A comparison with what came of it. */
export interface Verdict extends Comparison, Ratio {
  /** Whether the target is met; undefined where there is none. */
  readonly met: boolean | undefined;
}

/** Holds the measurements of a benchmark against its targets. */
export function verdicts({ comparisons }: Benchmark, measurements: Measurements): Verdict[] {
  return comparisons.map((comparison) => {
    const read = QUANTITIES[comparison.quantity];
    const values = (name: string) => (measurements.get(name) ?? []).map(read);
    const ratio = compare(values(comparison.of), values(comparison.against));
    const { atMost } = comparison;
    return { ...comparison, ...ratio, met: atMost === undefined ? undefined : ratio.ratio <= atMost };
  });
}

/** The report of one benchmark: the medians of each case, then each ratio with its target. */
export function benchmarkReport(benchmark: Benchmark, measurements: Measurements): string {
  const rounds = Math.max(...[...measurements.values()].map((reports) => reports.length));
  return [
    `${benchmark.name}: ${benchmark.work}`,
    indented(table([
      [`median of ${rounds}`, "CPU s", "with start", "children", "wall s", "peak MB"],
      ...[...measurements].map(([name, reports]) => caseRow(name, reports)),
    ])),
    indented(table([
      ["ratio", "", "rounds", "target", ""],
      ...verdicts(benchmark, measurements).map(verdictRow),
    ])),
  ].join("\n\n");
}

function caseRow(name: string, reports: readonly CaseReport[]): string[] {
  const of = (read: (report: CaseReport) => number, digits: number) =>
    median(reports.map(read)).toFixed(digits);
  return [
    name,
    of(({ cpuSeconds }) => cpuSeconds, 3),
    of(({ processCpuSeconds }) => processCpuSeconds, 3),
    of(({ childCpuSeconds }) => childCpuSeconds, 2),
    of(({ wallSeconds }) => wallSeconds, 2),
    of(({ peakBytes }) => peakBytes / 1e6, 1),
  ];
}

function verdictRow({ of, against, quantity, ratio, low, high, atMost, met }: Verdict): string[] {
  return [
    `${of} / ${against}, ${quantity}`,
    ratio.toFixed(2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
    atMost === undefined ? "" : `<= ${atMost}`,
    met === undefined ? "" : met ? "met" : "MISSED",
  ];
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}
