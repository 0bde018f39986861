/**
 * Where a child works. The texts are for the host; a model never sees them.
 *
 * @module
 */

/** How directories are resolved and checked. A host that starts its children elsewhere may bring its own. */
export interface DirectoryRules {
  /** What a relative configured directory is relative to. @default {the host's current directory at the call} */
  readonly launchDirectory?: string;
  /** Throws unless the absolute path is a directory that the host may enter. @default {asks the file system} */
  readonly enter?: (path: string) => void;
  /** Tells whether a parent session's directory is absolute. @default {as this operating system has it} */
  readonly isAbsolute?: (path: string) => boolean;
}

/**
 * Resolves a provider's configured working directory, once, when the provider is made.
 *
 * @param prefix Which provider's configuration it is, such as `subagent-acp`.
 * @param cwd As configured. Without it children work where their parent does, and the answer is `undefined`.
 * @throws {Error} When it is empty, or no directory that the host may enter.
 */
export function resolveConfiguredCwd(
  prefix: string,
  cwd: string | undefined,
  { launchDirectory, enter = enterDirectory }: DirectoryRules = {},
): string | undefined {
  if (cwd === undefined) return undefined;
  if (cwd === "") {
    throw new Error(
      `${prefix}: config cwd must not be empty — omit the key to inherit the parent session cwd`,
    );
  }
  const path = nodePath().resolve(launchDirectory ?? globalThis.process.cwd(), cwd);
  return entered(path, enter, `${prefix}: config cwd is not an accessible directory`);
}

/**
 * Chooses the working directory of one child: the configured one, else the parent session's. Never the host's own
 * current directory, which says nothing about the task.
 *
 * @param prefix Which provider it is for, such as `subagent-acp`.
 * @param configured What {@linkcode resolveConfiguredCwd} returned.
 * @param parentCwd The parent session's directory, if it has one.
 * @throws {Error} When there is neither, or the parent's is relative or cannot be entered now.
 */
export function resolveStartCwd(
  prefix: string,
  configured: string | undefined,
  parentCwd: string | undefined,
  { enter = enterDirectory, isAbsolute = (path) => nodePath().isAbsolute(path) }: DirectoryRules = {},
): string {
  if (configured !== undefined) return configured;
  if (parentCwd === undefined) {
    throw new Error(
      `${prefix}: no working directory for the child — configure \`cwd\` or delegate from a parent session that has one`,
    );
  }
  if (!isAbsolute(parentCwd)) {
    throw new Error(`${prefix}: parent session cwd must be an absolute path: ${parentCwd}`);
  }
  return entered(parentCwd, enter, `${prefix}: parent session cwd is not an accessible directory`);
}

/**
 * Throws unless a path is a directory that this process may enter.
 *
 * @throws {Error} The file system's error, or one with code `ENOTDIR`.
 */
export function enterDirectory(path: string): void {
  const { accessSync, constants, statSync } = globalThis.process.getBuiltinModule("node:fs");
  if (!statSync(path).isDirectory()) throw Object.assign(new Error("Not a directory"), { code: "ENOTDIR" });
  try {
    accessSync(path, constants.X_OK);
  } catch (error) {
    // Deno asks for --allow-sys to learn who we are. Without it the spawn itself tells whether the directory is usable.
    if (!(error instanceof Error) || error.name !== "NotCapable") throw error;
  }
}

function entered(path: string, enter: (path: string) => void, complaint: string): string {
  try {
    enter(path);
  } catch (cause) {
    throw new Error(`${complaint}: ${path}`, { cause });
  }
  return path;
}

// Loaded at the first use, so that this module can be imported where there is no such module.
function nodePath(): typeof import("node:path") {
  return globalThis.process.getBuiltinModule("node:path");
}
