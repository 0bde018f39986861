#!/usr/bin/env node
/**
 * Runs the tests of packages that need a newer Node than this project does: `npm run test:newer-node`. On the oldest
 * supported Node they are skipped, each with that reason.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { installedNode } from "./installed_node.ts";
import { PROJECT_ROOT, projectFiles } from "./source/project_files.ts";
import { runTests } from "./testing/run_tests.ts";
import { testFiles, testsOfNewerNode } from "./testing/test_files.ts";

/** The oldest release line on which every such package runs. */
const MAJOR = 22;

const HELP = `Usage: npm run test:newer-node -- [filter…]

Runs the tests that Node 20 skips, on Node ${MAJOR}, which is installed from the npm registry into a
cache folder the first time.
`;

const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", default: false } },
});

if (values.help) process.stdout.write(HELP);
else {
  const read = (path: string) => readFileSync(PROJECT_ROOT + path, "utf8");
  const files = testsOfNewerNode(testFiles("node", projectFiles(), filters), read);
  const { path: node, version } = await installedNode(MAJOR);
  const onOutput = (text: string) => process.stdout.write(text);
  const { counts: { passed, failed, skipped }, problems } = await runTests("node", files, { node, onOutput });
  process.stdout.write(`\nnode ${version}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  if (problems.length > 0) {
    process.stderr.write(`${problems.join("\n")}\n`);
    process.exitCode = 1;
  }
}
