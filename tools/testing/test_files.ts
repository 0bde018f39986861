/**
 * Chooses the test files of a run.
 *
 * @module
 */

import { isFixtureFile, isTestFile } from "../source/project_files.ts";
import type { Runtime } from "./test_command.ts";

/** A tool that only ever runs on Node and drives npm packages that do too: other runtimes would show nothing new. */
const NODE_ONLY = "tools/real_agents/";

/**
 * Picks the test files of a runtime among the project's files; with filters, those whose path contains at least one of
 * them. A leading `./` of a filter is ignored, so that a shell's completion can be used.
 */
export function testFiles(
  runtime: Runtime,
  paths: readonly string[],
  filters: readonly string[] = [],
): string[] {
  const wanted = filters.map((filter) => filter.replace(/^\.\//, ""));
  return paths.filter((path) =>
    isTestFile(path) && !isFixtureFile(path) && (runtime === "node" || !path.startsWith(NODE_ONLY)) &&
    (wanted.length === 0 || wanted.some((filter) => path.includes(filter)))
  );
}

/** Picks the test files that have tests for which the oldest supported Node is too old. */
export function testsOfNewerNode(paths: readonly string[], read: (path: string) => string): string[] {
  return paths.filter((path) => /from "[./]*(?:\/fakes)?\/test_support\/node_floor\.ts"/.test(read(path)));
}
