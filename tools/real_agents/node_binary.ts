/**
 * A Node.js that an agent can run on.
 *
 * @module
 */
import process from "node:process";
import { installedNode } from "../installed_node.ts";

/**
 * Finds a Node.js for a recipe: this process's own if it is new enough, else one from the registry.
 *
 * @param requirement `any` or `>=MAJOR`.
 * @returns Absolute path of the binary.
 * @throws {Error} If the registry's cannot be installed.
 */
export async function nodeBinary(requirement: string): Promise<string> {
  if (satisfies(process.versions.node, requirement)) return process.execPath;
  return (await installedNode(leastMajor(requirement))).path;
}

/** Tells whether a version satisfies `any` or `>=MAJOR`. */
export function satisfies(version: string, requirement: string): boolean {
  return requirement === "any" || Number.parseInt(version) >= leastMajor(requirement);
}

function leastMajor(requirement: string): number {
  return Number(requirement.replace(">=", ""));
}
