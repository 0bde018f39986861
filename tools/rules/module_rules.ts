/**
 * Rules for one module at a time: what it exports, its name, its length.
 *
 * @module
 */

import { isTestFile } from "../source/project_files.ts";
import type { TreeModule } from "./import_table.ts";

/** More lines than this are an alarm. */
const MAX_LINES = 300;

/** The same for a test: a table of cases reads well for longer than code does. */
const MAX_TEST_LINES = 600;

/** Gives one sentence for each `export *` and each default export, and for code in a `mod.ts`. */
export function exportViolations({ path, facts }: TreeModule): string[] {
  const violations = [
    ...facts.starExports.map((line) => `${path}:${line} exports *: write the names out`),
    ...facts.defaultExports.map((line) => `${path}:${line} has a default export: give it a name`),
  ];
  if (path === "mod.ts" || path.endsWith("/mod.ts")) {
    violations.push(
      ...facts.otherCode.map((line) => `${path}:${line} has code: a mod.ts only exports from other modules`),
    );
  } else {
    const reExports = facts.listedExports.length > 0 && facts.otherCode.length === 0;
    if (reExports) violations.push(`${path} only re-exports: only mod.ts files do`);
  }
  return violations;
}

/** Gives a sentence when a part of the path is not snake_case. */
export function nameViolations(path: string): string[] {
  const parts = path.replace(/(?:\.d)?\.ts$/, "").split("/");
  const wrong = parts.filter((part) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(part));
  return wrong.map((part) => `${path}: "${part}" is not snake_case`);
}

/**
 * Gives a sentence for each file that is too long without a reason, and for each reason whose file is gone or short.
 *
 * @param lines Line counts by path.
 * @param reasons Why a file may be longer, by path.
 */
export function lengthViolations(
  lines: ReadonlyMap<string, number>,
  reasons: Readonly<Record<string, string>>,
): string[] {
  const isLong = (path: string) => (lines.get(path) ?? 0) > (isTestFile(path) ? MAX_TEST_LINES : MAX_LINES);
  const tooLong = [...lines.keys()].filter((path) => isLong(path) && !Object.hasOwn(reasons, path));
  const stale = Object.keys(reasons).filter((path) => !isLong(path));
  return [
    ...tooLong.map((path) => `${path} has ${lines.get(path)} lines: split it, or list it with a reason`),
    ...stale.map((path) => `${path} is listed as long and is not: take it off the list`),
  ];
}
