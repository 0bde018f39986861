/**
 * Steps about the process itself: its end, its streams, its descendants.
 *
 * @module
 */

/** Exits, after what this handler wrote has been handed to the system. */
export interface ExitStep {
  /** Discriminant. */
  readonly do: "exit";
  /** Exit code. @default {0} */
  readonly code?: number;
}

/** Sends the agent's own process a signal. `SIGSTOP` makes a process that nothing but `SIGKILL` moves. */
export interface KillStep {
  /** Discriminant. */
  readonly do: "kill";
  /** Signal name. @default {"SIGKILL"} */
  readonly signal?: string;
}

/** Closes one standard stream while the process lives on. What is written to a closed stream is dropped. */
export interface CloseStep {
  /** Discriminant. */
  readonly do: "close";
  /** Which. */
  readonly stream: "stdin" | "stdout" | "stderr";
}

/** Stops reading stdin, so that a client that writes much fills the pipe. */
export interface PauseStdinStep {
  /** Discriminant. */
  readonly do: "pauseStdin";
}

/** Reads stdin again. */
export interface ResumeStdinStep {
  /** Discriminant. */
  readonly do: "resumeStdin";
}

/** Starts a descendant that sleeps, and goes on once its pid stands in a file. POSIX only. */
export interface SpawnStep {
  /** Discriminant. */
  readonly do: "spawn";
  /**
   * - `"plain"`: a child in the agent's process group.
   * - `"setsid"`: a child in its own session and group.
   * - `"daemon"`: in its own session, and its parent has exited, so no chain of parents leads to the agent.
   */
  readonly how: "plain" | "setsid" | "daemon";
  /** Absolute path of the file that gets the pid. */
  readonly pidFile: string;
  /** How long it lives, in seconds; a bound for tests that fail to end it. @default {60} */
  readonly seconds?: number;
  /** Whether it holds the agent's stdout open. @default {false} */
  readonly holdStdout?: boolean;
  /** Whether it ignores SIGTERM. @default {false} */
  readonly ignoreSigterm?: boolean;
  /** Whether it starts with an empty environment, so that no marker in it betrays the agent. @default {false} */
  readonly clearEnv?: boolean;
}

/** Steps about the process itself. */
export type LifeStep = ExitStep | KillStep | CloseStep | PauseStdinStep | ResumeStdinStep | SpawnStep;
