/**
 * Why a child could not be started.
 *
 * @module
 */
import { errorCode, ProcessStartError, type ProcessStartFault } from "./errors.ts";
import { enterDirectory } from "./working_directory.ts";

/**
 * Turns what `spawn` threw or emitted into an error that blames the right thing: a missing working directory is
 * reported as ENOENT of the command in Node, Deno and Bun.
 *
 * @param cause What was thrown or emitted.
 * @param cwd The working directory that was asked for.
 */
export function startError(
  cause: unknown,
  cwd: string,
  enter: (path: string) => void = enterDirectory,
): ProcessStartError {
  return ProcessStartError.is(cause)
    ? cause
    : new ProcessStartError(faultOf(errorCode(cause), cwd, enter), { cause });
}

// ENOEXEC: only Bun says so; Node and Deno give a file without a first line to `sh`, as execvp does.
const COMMAND_FAULTS: ReadonlyMap<string | undefined, ProcessStartFault> = new Map([
  ["ENOENT", "command-missing"],
  ["ENOTDIR", "command-missing"],
  ["EACCES", "command-refused"],
  ["ENOEXEC", "command-refused"],
]);

function faultOf(code: string | undefined, cwd: string, enter: (path: string) => void): ProcessStartFault {
  const fault = COMMAND_FAULTS.get(code);
  if (fault === undefined) return "other";
  try {
    enter(cwd);
  } catch {
    return "working-directory";
  }
  return fault;
}
