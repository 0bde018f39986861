/**
 * Where a provider's children work, here or elsewhere.
 *
 * @module
 */
import { resolveConfiguredCwd, resolveStartCwd } from "./working_directory.ts";

/**
 * Gives the working directory of one child, of its parent session's.
 *
 * @throws {Error} When there is none to be had; for the host, a model never sees the text.
 */
export type StartDirectory = (parentCwd: string | undefined) => string;

/**
 * Resolves the directories of children of this machine; see {@linkcode resolveConfiguredCwd} and
 * {@linkcode resolveStartCwd}.
 *
 * @param prefix Which provider's configuration it is, such as `subagent-acp`.
 * @param cwd As configured.
 * @throws {Error} When that is empty, or no directory that this process may enter.
 */
export function startDirectoryHere(prefix: string, cwd: string | undefined): StartDirectory {
  const configured = resolveConfiguredCwd(prefix, cwd);
  return (parentCwd) => resolveStartCwd(prefix, configured, parentCwd);
}

/**
 * Resolves the directories of children of a host's own, which may run on another machine: nothing is relative to a
 * directory of this one, and its file system says nothing about theirs. Asks nothing of the runtime.
 *
 * @param prefix Which provider's configuration it is, such as `subagent-acp`.
 * @param cwd As configured.
 * @throws {Error} When that is not absolute.
 */
export function startDirectoryElsewhere(prefix: string, cwd: string | undefined): StartDirectory {
  const configured = cwd === undefined ? undefined : absoluteElsewhere(prefix, "cwd", cwd);
  return (parentCwd) =>
    resolveStartCwd(prefix, configured, parentCwd, { isAbsolute: isAbsoluteAnywhere, enter: () => {} });
}

/**
 * Takes a configured path of a machine that cannot be asked.
 *
 * @throws {Error} When it is not absolute.
 */
export function absoluteElsewhere(prefix: string, field: string, path: string): string {
  if (isAbsoluteAnywhere(path)) return path;
  throw new Error(`${prefix}: config ${field} must be an absolute path when a processHost is given`);
}

/** Tells whether a path is absolute for some operating system: from a root, a drive or a share. */
export function isAbsoluteAnywhere(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\/])/.test(path);
}
