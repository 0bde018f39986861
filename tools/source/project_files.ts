/**
 * Finds the files of the project: what a commit would hold, without asking git, so that a copy works too.
 *
 * @module
 */

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The project's root folder. */
export const PROJECT_ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** Folders that are made, fetched or private; the same as in `.gitignore`. */
const IGNORED = new Set(["node_modules", "dist", "coverage", ".git", "docs/api"]);

/** Made files that may lie in the root; the same as in `.gitignore`. */
const IGNORED_FILE = /(?:\.tgz|^junit\.xml)$/;

/** Gives the paths of all files under `root`, relative to it with forward slashes, sorted. */
export function projectFiles(root: string = PROJECT_ROOT): string[] {
  const files: string[] = [];
  function visit(folder: string): void {
    for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!IGNORED.has(path) && entry.name !== "node_modules") visit(path);
      } else if (!IGNORED_FILE.test(path)) files.push(path);
    }
  }
  visit("");
  return files.sort();
}

/** Tells whether a path is a TypeScript test. */
export function isTestFile(path: string): boolean {
  return path.endsWith("_test.ts");
}

/** Tells whether a path is what tests share: it has their name, so that nothing publishes it, and no test in it. */
export function isFixtureFile(path: string): boolean {
  return path.endsWith("_fixtures_test.ts");
}
