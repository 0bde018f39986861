/**
 * How starting and ending child processes fails. The messages are fixed: no command line, no path, no text of a child.
 *
 * @module
 */
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** What a child process could not be started for. */
export type ProcessStartFault =
  | "working-directory"
  | "command-missing"
  | "command-refused"
  | "needs-shell"
  | "other";

const FAULTS: Readonly<Record<ProcessStartFault, string>> = {
  "working-directory": ": its working directory is not an accessible directory",
  "command-missing": ": the command, or the interpreter its first line names, was not found",
  "command-refused": ": the command may not be executed",
  "needs-shell":
    ": the command is a script that needs a shell and is no npm shim of a program; configure the program that it starts, for example node with the path of a script",
  "other": "",
};

/** A child process could not be started; nothing of it runs. */
export class ProcessStartError extends Error {
  static {
    brandError(this, "ProcessStartError");
  }

  /** Stable code for callers that branch. */
  readonly code = "PROCESS_START" as const;
  /** What it could not be started for. */
  readonly fault: ProcessStartFault;
  /** Error code of the system or the runtime, such as `ENOENT`, if there is one. */
  readonly systemCode: string | undefined;

  /** Names the fault and the system's code; the original error, which may hold paths, is the `cause`. */
  constructor(fault: ProcessStartFault, options: ErrorOptions = {}) {
    const systemCode = errorCode(options.cause);
    super(
      `Cannot start the child process${FAULTS[fault]}${systemCode === undefined ? "" : ` (${systemCode})`}`,
      options,
    );
    this.fault = fault;
    this.systemCode = systemCode;
  }

  /** Tells whether a value is such an error, also one of another copy of this library. Never throws. */
  static is(value: unknown): value is ProcessStartError {
    return hasBrand(value, "ProcessStartError");
  }
}

/** Something of a process tree is still alive, or cannot be seen to be gone, after SIGKILL and its grace. */
export class LeftoverProcessesError extends Error {
  static {
    brandError(this, "LeftoverProcessesError");
  }

  /** Stable code for callers that branch. */
  readonly code = "LEFTOVER_PROCESSES" as const;
  /** Their process ids. */
  readonly pids: readonly number[];

  /** Counts what is left; a `cause` says why the process table could not be read, if it could not. */
  constructor(pids: readonly number[], options?: ErrorOptions) {
    super(
      `The child's process tree did not end: ${pids.length} ${
        pids.length === 1 ? "process" : "processes"
      } left after SIGKILL`,
      options,
    );
    this.pids = [...pids];
  }

  /** Tells whether a value is such an error, also one of another copy of this library. Never throws. */
  static is(value: unknown): value is LeftoverProcessesError {
    return hasBrand(value, "LeftoverProcessesError");
  }
}

/** The `code` of an error of the system or the runtime, such as `ESRCH`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}
