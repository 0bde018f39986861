/**
 * The process port: what a provider needs from whatever starts its children. The built-in host runs them on this
 * machine; another one may run them elsewhere (`acpProvider(config, { processHost })`).
 *
 * @module
 */

/**
 * Where the bytes of a child's stdout go. Called in order; `end` once, after the last `data`, and neither of them for a
 * child that could not be started. Neither may throw.
 */
export interface ByteReceiver {
  /** Takes one chunk. The chunk is only valid during the call unless it is copied. */
  data(chunk: Uint8Array): void;
  /**
   * The stream is over: all who held it closed it or died. A descendant that inherited it may hold it open long after
   * the child ended; then this is called when the child is stopped.
   */
  end(): void;
}

/** One child to start. */
export interface ProcessSpec {
  /** The program; never interpreted by a shell. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Absolute working directory. */
  readonly cwd: string;
  /** Explicit environment over the host's scrubbed one; `undefined` removes an inherited variable. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives stdout; attached before the first byte is able to arrive. */
  readonly stdout: ByteReceiver;
  /** What becomes of stderr: the host's own stream, nothing, or a function that takes each chunk. */
  readonly stderr: "inherit" | "ignore" | ((chunk: Uint8Array) => void);
}

/** How the direct child ended. Normally exactly one of the two is not null. */
export interface ProcessExit {
  /** Exit code, or null when a signal ended it. */
  readonly exitCode: number | null;
  /** Signal name, or null when it exited by itself. */
  readonly signal: string | null;
}

/** Bounds of the teardown ladder, in milliseconds. */
export interface StopOptions {
  /** How long the tree may take to end by itself after stdin was closed. */
  readonly eofGraceMs: number;
  /** How long it may take after SIGTERM, and again after SIGKILL. */
  readonly killGraceMs: number;
}

/** A started child. */
export interface ProcessHandle {
  /** Process id of the direct child, if the host knows one. */
  readonly pid: number | undefined;
  /** Fulfils when the direct child itself ended, even while another process holds its pipes open. Never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** Writes to stdin. Fulfils when the bytes were handed over; rejects when the pipe is broken or closed. */
  write(data: string): Promise<void>;
  /**
   * Ends the whole process tree: closes stdin, waits, SIGTERM, waits, SIGKILL, verifies. Idempotent: one shared
   * promise, the first call's options count.
   *
   * @throws {LeftoverProcessesError} When something of the tree is still alive afterwards.
   * @throws {Error} When the runtime does not permit to send signals and one was needed.
   */
  stop(options: StopOptions): Promise<void>;
}

/** Starts children. */
export interface ProcessHost {
  /**
   * Starts one child; fulfils once it runs.
   *
   * @throws {ProcessStartError} When it could not be started; `cause` is the original error.
   */
  spawn(spec: ProcessSpec): Promise<ProcessHandle>;
}
