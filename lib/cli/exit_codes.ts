/**
 * What the `subagent` command's exit code says.
 *
 * @module
 */

/** A signal that asks the command to stop. */
export type StopSignal = "SIGHUP" | "SIGINT" | "SIGTERM";

/** Every exit code of the command. They are part of its interface: scripts branch on them. */
export interface ExitCodes extends Readonly<Record<StopSignal, number>> {
  /** 0: the subagent completed and its answer was written. */
  readonly success: number;
  /** 1: there is no whole answer, it could not be written, or something of the agent is still running. */
  readonly failure: number;
  /** 2: the command line cannot be used; nothing was started. */
  readonly usage: number;
  /** 129 = 128 + 1. */
  readonly SIGHUP: number;
  /** 130 = 128 + 2, as after Ctrl-C. */
  readonly SIGINT: number;
  /** 141 = 128 + 13, as if by SIGPIPE: who read stdout went away before the answer was written. */
  readonly brokenPipe: number;
  /** 143 = 128 + 15. */
  readonly SIGTERM: number;
}

/** The values of {@linkcode ExitCodes}. */
export const EXIT_CODES: ExitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  SIGHUP: 129,
  SIGINT: 130,
  brokenPipe: 141,
  SIGTERM: 143,
};
