/**
 * The machine and the runtime that the process host works on.
 *
 * @module
 */
import { denoGrants } from "./deno_permission.ts";
import { procTable } from "./proc_table.ts";
import { NO_PROCESS_TABLE, type ProcessTable } from "./process_table.ts";
import { psTable } from "./ps_table.ts";
import { SharedLooks } from "./shared_looks.ts";
import { type Kill, processKill } from "./signals.ts";
import type { WindowsFiles } from "./windows_command.ts";

/** What the process host needs of its machine. Tests bring another one. */
export interface NodeSystem {
  /** Operating system, as `process.platform` names it. */
  readonly platform: string;
  /** The host's own process id. */
  readonly pid: number;
  /** Starts processes. */
  readonly childProcess: Pick<typeof import("node:child_process"), "spawn" | "spawnSync">;
  /** The files of a Windows machine. */
  readonly windowsFiles: WindowsFiles;
  /** How processes are seen. */
  readonly looks: SharedLooks;
  /** Sends signals. */
  readonly kill: Kill;
  /** The host's environment now. */
  environment(): Readonly<Record<string, string | undefined>>;
  /** Makes the id of a tree: hard to guess, never the same twice. */
  newTreeId(): string;
}

let local: NodeSystem | undefined;

/**
 * This machine. Made at the first call, because the modules behind it do not exist everywhere this library can be
 * imported; the same at each call, because all trees share their looks at the process table.
 */
export function localSystem(): NodeSystem {
  const { process, crypto } = globalThis;
  return local ??= {
    platform: process.platform,
    pid: process.pid,
    childProcess: process.getBuiltinModule("node:child_process"),
    windowsFiles: localWindowsFiles,
    looks: new SharedLooks(localProcessTable(process.platform)),
    kill: processKill,
    environment: () => process.env,
    newTreeId: () => crypto.randomUUID(),
  };
}

/** The best process table that this machine, its operating system and the runtime's permissions have to offer. */
export function localProcessTable(platform: string): ProcessTable {
  if (platform === "win32") return NO_PROCESS_TABLE;
  const proc = platform === "linux" ? procTable() : NO_PROCESS_TABLE;
  if (proc.lookNow() !== undefined) return proc;
  return denoGrants({ name: "run" }) ? psTable() : NO_PROCESS_TABLE;
}

const localWindowsFiles: WindowsFiles = {
  read(path) {
    try {
      return globalThis.process.getBuiltinModule("node:fs").readFileSync(path, "utf8");
    } catch {
      return undefined; // whatever the reason: a file that cannot be read is no shim
    }
  },
  exists: (path) =>
    globalThis.process.getBuiltinModule("node:fs").statSync(path, { throwIfNoEntry: false })?.isFile() ??
      false,
  resolve: (directory, path) =>
    globalThis.process.getBuiltinModule("node:path").win32.resolve(directory, path),
};
