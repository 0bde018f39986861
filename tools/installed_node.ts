/**
 * Gets other versions of Node from the npm registry into a cache outside of the project: they are 185 MB each, and no
 * one who runs the tests on one Node should pay for them.
 *
 * @module
 */

import { homedir } from "node:os";
import { join } from "node:path";
import { installPackages } from "./real_agents/package_cache.ts";
import { runProcess } from "./run_process.ts";

/** A Node program of a wanted major version. */
export interface InstalledNode {
  /** The program. */
  readonly path: string;
  /** Its version, such as `v22.23.3`. */
  readonly version: string;
}

/** Where versions are kept. */
export const NODE_CACHE: string = join(homedir(), ".cache", "subagent-seam", "node");

/**
 * Gives the cached Node of this major version, after installing its newest release where there is none yet. To get a
 * newer one, delete its folder in {@linkcode NODE_CACHE}.
 *
 * @throws {Error} When it cannot be installed or is of another version.
 */
export async function installedNode(major: number, cache: string = NODE_CACHE): Promise<InstalledNode> {
  const isWindows = process.platform === "win32";
  // The package `node` fetches this one in an install script; without the detour no script has to run.
  const name = `node-${isWindows ? "win" : process.platform}-${process.arch}`;
  const { folder } = await installPackages({ name: String(major), install: [`${name}@${major}`] }, cache);
  const path = join(folder, "node_modules", name, "bin", isWindows ? "node.exe" : "node");
  const version = (await runProcess(path, ["--version"], { cwd: folder })).stdout.trim();
  if (!version.startsWith(`v${major}.`)) {
    throw new Error(`Expected Node ${major} at "${path}", got "${version}"`);
  }
  return { path, version };
}
