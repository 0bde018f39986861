/**
 * From a command to a program that Windows can start without a shell.
 *
 * Node refuses `.cmd` and `.bat` files since CVE-2024-27980 (error EINVAL), because `cmd.exe` does not quote arguments
 * safely. Most agents are installed as such a file: the shim that npm, pnpm or Node's installer wrote, whose last line
 * starts `node` with a script. That line is read here, and its program started directly.
 *
 * @module
 */
import { ProcessStartError } from "./errors.ts";
import { lookUp } from "./windows_environment.ts";
import { parseShim } from "./windows_shim.ts";

/** A program and its arguments. */
export interface Invocation {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/** What a command is looked up with. */
export interface WindowsSearch {
  /** Absolute working directory; a command with a path in it is relative to it. */
  readonly cwd: string;
  /** The child's environment: its PATH is searched, with its PATHEXT. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The files there are. */
  readonly files: WindowsFiles;
}

/** The files of a Windows machine. */
export interface WindowsFiles {
  /** Reads a file; undefined when there is none or it cannot be read. */
  read(path: string): string | undefined;
  /** Tells whether there is such a file. */
  exists(path: string): boolean;
  /** Joins a directory and a path, as `node:path`'s `win32.resolve` does. */
  resolve(directory: string, path: string): string;
}

/**
 * Finds the program to start. A command that is not found stays as it is, for the system to say so.
 *
 * @throws {ProcessStartError} With fault `needs-shell`, when it is a script that only a shell can run.
 */
export function windowsCommand({ command, args }: Invocation, search: WindowsSearch): Invocation {
  const { files } = search;
  const file = findFile(command, search);
  if (file === undefined) return { command, args };
  if (!/\.(?:cmd|bat|ps1)$/i.test(file)) return { command: file, args };

  const words = /\.ps1$/i.test(file) ? [] : parseShim(files.read(file) ?? "") ?? [];
  const directory = files.resolve(file, "..");
  const [program, ...before] = words.map((word) =>
    word.inDirectory ? files.resolve(directory, word.text) : word.text
  );
  if (program === undefined) throw new ProcessStartError("needs-shell");
  const isNode = /^(?:.*[\\/])?node(?:\.exe)?$/i.test(program);
  if (!isNode && !/\.exe$/i.test(program)) throw new ProcessStartError("needs-shell");
  // A shim prefers the Node beside it, which most often is not there, and falls back to the one on PATH.
  const found = isNode && !files.exists(program) ? findFile("node", search) ?? "node" : program;
  return { command: found, args: [...before, ...args] };
}

function findFile(
  command: string,
  { cwd, environment, files }: WindowsSearch,
): string | undefined {
  const extensions = (lookUp(environment, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";")
    .filter((extension) => /^\.(?:com|exe|bat|cmd)$/i.test(extension));
  const names = /\.(?:com|exe|bat|cmd|ps1)$/i.test(command)
    ? [command]
    : extensions.map((extension) => command + extension);
  // Not the current directory: cmd.exe looks there first, and so runs what a checked out project put there.
  const directories = /[\\/:]/.test(command)
    ? [cwd]
    : (lookUp(environment, "PATH") ?? "").split(";").map((entry) => entry.replace(/^"(.*)"$/, "$1"))
      .filter((entry) => entry !== "");
  return directories.flatMap((directory) => names.map((name) => files.resolve(directory, name)))
    .find((path) => files.exists(path));
}
