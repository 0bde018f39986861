/**
 * A Node.js that an agent can run on.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { installPackages } from "./package_cache.ts";

/** The version that is fetched for agents that need a newer one than this process runs on. */
const FETCHED_VERSION = "22.23.3";

/**
 * Finds a Node.js for a recipe: this process's own if it is new enough, else one from the registry.
 *
 * The registry's `node` package fetches the binary in an install script; the package that it fetches needs none.
 *
 * @param requirement `any` or `>=MAJOR`.
 * @returns Absolute path of the binary.
 * @throws {RangeError} If even the fetched version is too old.
 */
export async function nodeBinary(requirement: string): Promise<string> {
  if (satisfies(process.versions.node, requirement)) return process.execPath;
  if (!satisfies(FETCHED_VERSION, requirement)) {
    throw new RangeError(`Node.js ${FETCHED_VERSION} from the registry does not satisfy "${requirement}"`);
  }
  const name = `node-${process.platform}-${process.arch}`;
  const { folder } = await installPackages({ name, install: [`${name}@${FETCHED_VERSION}`] });
  return join(folder, "node_modules", name, "bin", "node");
}

/** Tells whether a version satisfies `any` or `>=MAJOR`. */
export function satisfies(version: string, requirement: string): boolean {
  return requirement === "any" || Number.parseInt(version) >= Number(requirement.replace(">=", ""));
}
