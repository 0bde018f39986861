/**
 * Finds the program behind a dependency's command without a shell and without the `.cmd` shims of Windows.
 *
 * @module
 */

import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "./source/project_files.ts";

/** A program and the arguments that stand before its own. */
export interface ProgramCommand {
  /** The program to start. */
  readonly command: string;
  /** Arguments that come first. */
  readonly args: readonly string[];
}

/**
 * Gives the program behind the command `name` of the installed package `packageName` (by default of the same name).
 * Scripts run under Node whichever runtime asks.
 *
 * @throws {Error} When the package is not installed or has no such command.
 */
export function packageBin(name: string, packageName: string = name): ProgramCommand {
  const folder = join(PROJECT_ROOT, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const path: unknown = typeof bin === "string" ? bin : bin?.[name];
  if (typeof path !== "string") {
    throw new Error(`Cannot find the command "${name}": "${packageName}" has none`);
  }
  const file = join(folder, path);
  return isScript(file) ? { command: "node", args: [file] } : { command: file, args: [] };
}

/** Reads two bytes only: Deno's program has over 100 MB. */
function isScript(file: string): boolean {
  if (/\.[cm]?js$/.test(file)) return true;
  const start = new Uint8Array(2);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  return start[0] === 0x23 && start[1] === 0x21; // #!
}
