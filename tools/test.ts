#!/usr/bin/env node
/**
 * Runs the project's tests in one runtime: `npm test`, `npm run test:deno`, `npm run test:bun`,
 * `npm run test:coverage`. See `--help`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { PROJECT_ROOT, projectFiles } from "./source/project_files.ts";
import { hasRunTimeCode } from "./source/run_time_code.ts";
import { type Runtime, RUNTIMES } from "./testing/test_command.ts";
import { runTests } from "./testing/run_tests.ts";
import { testFiles } from "./testing/test_files.ts";

const HELP = `Usage: npm test -- [filter…]
       npm run test:deno -- [filter…]
       npm run test:bun -- [filter…]
       npm run test:coverage -- [filter…]

Runs the tests whose path contains one of the filters; without filters all of them.
Fails when a test fails, when no test ran, and when a test left a process (Linux) or a file
in the temp folder behind. Real agents are driven apart: npm run test:agents.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { coverage: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});
const [name, ...filters] = positionals;
const runtime = RUNTIMES.find((one) => one === name);

if (values.help) process.stdout.write(HELP);
else if (runtime === undefined) {
  fail(2, `Expected a runtime (${RUNTIMES.join(", ")}), got "${name ?? ""}"\n\n${HELP}`);
} else if (values.coverage && runtime !== "node") {
  fail(2, `Coverage is measured on Node only, not on "${runtime}"`);
} else await run(runtime, testFiles(runtime, projectFiles(), filters));

async function run(runtime: Runtime, files: readonly string[]): Promise<void> {
  if (files.length === 0) {
    return fail(
      1,
      `No test file matches ${filters.map((one) => `"${one}"`).join(", ")}`,
    );
  }
  const onOutput = (text: string) => process.stdout.write(text);
  const { counts, problems } = await runTests(runtime, files, {
    onOutput,
    ...(values.coverage && { coverageWithout: withoutCoverage() }),
  });
  const { passed, failed, skipped } = counts;
  process.stdout.write(
    `\n${runtime}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
  );
  if (problems.length > 0) fail(1, problems.join("\n"));
}

/** What the configuration of c8 leaves out, and modules in which nothing can be covered. */
function withoutCoverage(): string[] {
  const { exclude } = JSON.parse(readFileSync(`${PROJECT_ROOT}.c8rc.json`, "utf8"));
  const sources = projectFiles().filter((path) => path.endsWith(".ts"));
  return [
    ...exclude,
    ...sources.filter((path) => !hasRunTimeCode(readFileSync(PROJECT_ROOT + path, "utf8"))),
  ];
}

function fail(exitCode: number, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
