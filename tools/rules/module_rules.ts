/**
 * Rules for one module at a time: what it exports, its name, its length.
 *
 * @module
 */

import type { TreeModule } from "./import_table.ts";

/** More lines than this are an alarm. */
export const MAX_LINES = 300;

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
  const tooLong = [...lines].filter(([path, count]) => count > MAX_LINES && !Object.hasOwn(reasons, path));
  const stale = Object.keys(reasons).filter((path) => (lines.get(path) ?? 0) <= MAX_LINES);
  return [
    ...tooLong.map(([path, count]) => `${path} has ${count} lines: split it, or list it with a reason`),
    ...stale.map((path) => `${path} is listed as long and is not: take it off the list`),
  ];
}
