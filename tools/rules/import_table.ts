/**
 * Holds a table of who may import whom.
 *
 * @module
 */

import { posix } from "node:path";
import type { ModuleFacts, ModuleImport } from "../source/module_facts.ts";
import { isTestFile } from "../source/project_files.ts";

/** What the modules of one area may import; within an area everything may. */
export interface AreaRule {
  /** Other areas, by their key in the table. */
  readonly areas: readonly string[];
  /** Packages, as written in the import. @default {[]} */
  readonly packages?: readonly string[];
  /** Packages that may be imported as types only. @default {[]} */
  readonly typePackages?: readonly string[];
  /** Whether `node:` modules may be imported; `false` makes the area pure. @default {true} */
  readonly builtins?: boolean;
}

/** Areas by folder or file; a path belongs to the longest key that holds it. */
export type ImportTable = Readonly<Record<string, AreaRule>>;

/** A module of the tree: its path from the root and what was read in it. */
export interface TreeModule {
  /** Path with forward slashes. */
  readonly path: string;
  /** What it imports and exports. */
  readonly facts: ModuleFacts;
}

/** Gives the area of a path, or undefined when no key holds it. A test belongs to the area of its subject. */
export function areaOf(path: string, table: ImportTable): string | undefined {
  const subject = path.replace(/_test\.ts$/, ".ts");
  const holds = (key: string) => subject === key || subject.startsWith(`${key}/`);
  return Object.keys(table).filter(holds).sort((a, b) => b.length - a.length)[0];
}

/** Gives the path of a relative import. */
export function resolveImport(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}

/**
 * Gives one sentence for each import that the table does not allow. Tests may import what their area may and
 * besides it what `forTests` names.
 */
export function importViolations(
  modules: readonly TreeModule[],
  table: ImportTable,
  forTests: AreaRule,
): string[] {
  return modules.flatMap(({ path, facts }) => {
    const area = areaOf(path, table);
    const rule = area === undefined ? undefined : table[area];
    if (area === undefined || rule === undefined) return [`${path} belongs to no area of the import table`];
    const allowed = isTestFile(path) ? union(rule, forTests) : rule;
    return facts.imports.flatMap((one) => {
      const fault = faultOf(path, one, area, allowed, table);
      return fault === undefined ? [] : [`${path}:${one.line} imports "${one.specifier}": ${fault}`];
    });
  });
}

function faultOf(
  path: string,
  one: ModuleImport,
  area: string,
  rule: AreaRule,
  table: ImportTable,
): string | undefined {
  const { specifier, kind } = one;
  const { packages = [], typePackages = [], builtins = true } = rule;
  if (specifier.startsWith("node:")) return builtins ? undefined : `${area} is pure`;
  if (specifier.startsWith(".")) {
    const target = areaOf(resolveImport(path, specifier), table);
    if (target === area || (target !== undefined && rule.areas.includes(target))) return undefined;
    return `${area} may not import ${target ?? "what belongs to no area"}`;
  }
  if (packages.includes(specifier)) return undefined;
  if (!typePackages.includes(specifier)) return `${area} may not import this package`;
  return kind === "type" ? undefined : `${area} may import this package as types only`;
}

function union(a: AreaRule, b: AreaRule): AreaRule {
  return {
    areas: [...a.areas, ...b.areas],
    packages: [...a.packages ?? [], ...b.packages ?? []],
    typePackages: [...a.typePackages ?? [], ...b.typePackages ?? []],
    builtins: (a.builtins ?? true) || (b.builtins ?? true),
  };
}

/** Gives, sorted, what is loaded from outside the tree when `entry` is imported: packages and `node:` modules. */
export function loadedFromOutside(entry: string, modules: readonly TreeModule[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module.facts]));
  const seen = new Set<string>();
  const outside = new Set<string>();
  function visit(path: string): void {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { specifier, kind } of byPath.get(path)?.imports ?? []) {
      if (kind !== "value") continue;
      if (specifier.startsWith(".")) visit(resolveImport(path, specifier));
      else outside.add(specifier);
    }
  }
  visit(entry);
  return [...outside].sort();
}
