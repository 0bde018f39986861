/**
 * Chooses the test files of a run.
 *
 * @module
 */

import { isTestFile } from "../source/project_files.ts";

/**
 * Picks the test files among the project's files; with filters, those whose path contains at least one of them. A
 * leading `./` of a filter is ignored, so that a shell's completion can be used.
 */
export function testFiles(paths: readonly string[], filters: readonly string[] = []): string[] {
  const wanted = filters.map((filter) => filter.replace(/^\.\//, ""));
  return paths.filter((path) =>
    isTestFile(path) && (wanted.length === 0 || wanted.some((filter) => path.includes(filter)))
  );
}
