/**
 * Finds npm.
 *
 * @module
 */

import type { ProgramCommand } from "./package_bin.ts";

/** The npm that runs this script, without a shell; from outside of npm the one on the path. */
export function npmCommand(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProgramCommand {
  const path = environment["npm_execpath"];
  // Other package managers set the variable too.
  return path?.endsWith("npm-cli.js") ? { command: "node", args: [path] } : { command: "npm", args: [] };
}
