/**
 * One agent process with the one session in it.
 *
 * @module
 */
import { ChildOutput } from "../process/child_output.ts";
import { observeExit } from "../process/observe_exit.ts";
import type { ProcessExit, ProcessHandle, ProcessHost } from "../process/port.ts";
import type { AcpStage } from "../diagnostics/vocabularies.ts";
import type { AcpSessionActivity } from "./activity.ts";
import type { ResolvedAcpConfig } from "./config.ts";
import type { ExitFacts } from "./failure.ts";
import { AcpSession } from "./session.ts";

/** What a child is made of. */
export interface AcpChildOptions {
  /** The provider's configuration. */
  readonly config: ResolvedAcpConfig;
  /** What starts the process. */
  readonly host: ProcessHost;
  /** Absolute working directory of the process and of its session. */
  readonly cwd: string;
  /** Takes what happens in the session. Never throws. */
  onActivity?: ((activity: AcpSessionActivity) => void) | undefined;
}

/** Owns a process from before it is started until its whole tree is gone. */
export class AcpChild implements ExitFacts {
  /** The conversation with it. */
  readonly session: AcpSession;
  readonly #config: ResolvedAcpConfig;
  readonly #host: ProcessHost;
  readonly #cwd: string;
  #starting: Promise<ProcessHandle> | undefined;
  #handle: ProcessHandle | undefined;
  #exit: ProcessExit | undefined;
  #stopping: Promise<void> | undefined;

  /** Prepares a child; nothing runs yet. */
  constructor({ config, host, cwd, onActivity }: AcpChildOptions) {
    this.#config = config;
    this.#host = host;
    this.#cwd = cwd;
    this.session = new AcpSession({
      write: (line) => this.#handle!.write(line),
      cwd,
      permission: config.permission,
      maxMessageBytes: config.maxMessageBytes,
      maxOutputBytes: config.maxOutputBytes,
      ...(onActivity === undefined ? {} : { onActivity }),
    });
  }

  /** The operation under way, as a failure would name it. */
  get stage(): AcpStage {
    return this.#handle === undefined ? "process" : this.session.stage;
  }

  /** How the process ended, if it did. */
  get known(): ProcessExit | undefined {
    return this.#exit;
  }

  /** Waits for the process to end, at most `disposeGraceMs`. */
  async observe(): Promise<ProcessExit | undefined> {
    return this.#handle && await observeExit(this.#handle, this.#config.disposeGraceMs);
  }

  /**
   * Starts the process and opens the session.
   *
   * @throws {ProcessStartError} When the process could not be started.
   */
  async open(): Promise<void> {
    const output = new ChildOutput(this.session, { boundMs: this.#config.disposeGraceMs });
    this.#starting = this.#host.spawn({
      command: this.#config.command,
      args: this.#config.args,
      cwd: this.#cwd,
      env: this.#config.env,
      stdout: output,
      stderr: this.#config.stderr,
    });
    const handle = this.#handle = await this.#starting;
    void handle.exit.then((exit) => {
      this.#exit = exit;
      output.processEnded();
    });
    await this.session.open();
  }

  /** Ends the process tree and waits until it is gone. Idempotent: one shared promise. */
  stop(): Promise<void> {
    return this.#stopping ??= this.#stop();
  }

  async #stop(): Promise<void> {
    try {
      const handle = await this.#starting?.catch(() => undefined);
      await handle?.stop({
        eofGraceMs: this.#config.disposeEofGraceMs,
        killGraceMs: this.#config.disposeGraceMs,
      });
    } finally {
      this.session.close();
    }
  }
}
