#!/usr/bin/env node
/**
 * Runs the project's tests on the other supported versions of Node: `npm run test:node-versions`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { installedNode } from "./installed_node.ts";
import { projectFiles } from "./source/project_files.ts";
import { runTests } from "./testing/run_tests.ts";
import type { NodeLoader } from "./testing/test_command.ts";
import { testFiles } from "./testing/test_files.ts";

/** Node 20 is what `npm test` runs on here; Node 24 also runs the sources as they are. */
const RUNS: readonly { readonly major: number; readonly loader: NodeLoader }[] = [
  { major: 22, loader: "tsx" },
  { major: 24, loader: "tsx" },
  { major: 24, loader: "native" },
];

const HELP = `Usage: npm run test:node-versions -- [filter…]

Runs the tests whose path contains one of the filters, by default all, on Node ${
  RUNS.map(({ major, loader }) => `${major} (${loader})`).join(", ")
}.
Installs those versions from the npm registry into a cache folder the first time.
`;

const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", default: false } },
});

if (values.help) process.stdout.write(HELP);
else {
  const files = testFiles("node", projectFiles(), filters);
  const reports: string[] = [];
  for (const { major, loader } of RUNS) {
    const { path: node, version } = await installedNode(major);
    process.stdout.write(`\nNode ${version}, ${loader}\n`);
    const onOutput = (text: string) => process.stdout.write(text);
    const { counts: { passed, failed, skipped }, problems } = await runTests("node", files, {
      node,
      loader,
      onOutput,
    });
    reports.push(`node ${version} (${loader}): ${passed} passed, ${failed} failed, ${skipped} skipped`);
    reports.push(...problems.map((problem) => `  ${problem}`));
    if (problems.length > 0) process.exitCode = 1;
  }
  process.stdout.write(`\n${reports.join("\n")}\n`);
}
