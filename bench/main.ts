#!/usr/bin/env node
/**
 * What the library costs beside the plainest code that does the same: `npm run bench`. A report, not a test: a missed
 * target is printed and does not fail; a wrong result does.
 *
 * @module
 */
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { benchmarks } from "./benchmarks.ts";
import { buildScripts } from "./build_scripts.ts";
import { caseRunner, measure, WrongResultError } from "./measure.ts";
import { benchmarkReport, verdicts } from "./report.ts";

const DEFAULT_ROUNDS = 5;

const all = benchmarks();
const names = all.map(({ name }) => name);

const HELP = `Usage: npm run bench -- [options]

  --only NAME    one benchmark: ${names.join(", ")}; may be given several times
  --rounds N     rounds that count (default ${DEFAULT_ROUNDS}, not fewer unless asked for)
  --json FILE    also writes every measurement and ratio to a file
`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: names },
    rounds: { type: "string", default: String(DEFAULT_ROUNDS) },
    json: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const unknown = values.only.find((name) => !names.includes(name));

if (values.help) process.stdout.write(HELP);
else if (unknown !== undefined || !Number.isSafeInteger(rounds) || rounds < 1) {
  process.stderr.write(
    unknown === undefined
      ? `--rounds must be a positive integer, got "${values.rounds}"\n`
      : `--only must be one of ${names.join(", ")}, got "${unknown}"\n`,
  );
  process.exitCode = 2;
} else await main(values.only, values.json);

async function main(only: readonly string[], jsonFile: string | undefined): Promise<void> {
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ` +
    `${availableParallelism()} cores (${cpus()[0]?.model.trim()})`;
  process.stdout.write(`${machine}\n`);
  const scripts = await buildScripts();
  const results: unknown[] = [];
  try {
    for (const benchmark of all.filter(({ name }) => only.includes(name))) {
      const measurements = await measure(
        benchmark,
        rounds * (benchmark.roundsFactor ?? 1),
        caseRunner(scripts),
      );
      process.stdout.write(`\n${benchmarkReport(benchmark, measurements)}\n`);
      results.push({
        benchmark: benchmark.name,
        work: benchmark.work,
        cases: Object.fromEntries(measurements),
        comparisons: verdicts(benchmark, measurements),
      });
    }
  } catch (error) {
    if (!(error instanceof WrongResultError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await scripts.remove();
  }
  if (jsonFile !== undefined) {
    const report = { date: new Date().toISOString(), machine, rounds, results };
    await writeFile(jsonFile, `${JSON.stringify(report, undefined, 2)}\n`);
  }
}
