/**
 * One agent process with the one session in it.
 *
 * @module
 */
import { OwnedProcess } from "../process/owned_process.ts";
import type { ProcessExit, ProcessHost } from "../process/port.ts";
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

/** Owns an agent from before it is started until its whole process tree is gone. */
export class AcpChild implements ExitFacts {
  /** The conversation with it. */
  readonly session: AcpSession;
  readonly #config: ResolvedAcpConfig;
  readonly #cwd: string;
  readonly #process: OwnedProcess;

  /** Prepares a child; nothing runs yet. */
  constructor({ config, host, cwd, onActivity }: AcpChildOptions) {
    this.#config = config;
    this.#cwd = cwd;
    this.session = new AcpSession({
      write: (line) => this.#process.write(line),
      cwd,
      permission: config.permission,
      maxMessageBytes: config.maxMessageBytes,
      maxOutputBytes: config.maxOutputBytes,
      ...(onActivity === undefined ? {} : { onActivity }),
    });
    this.#process = new OwnedProcess({
      host,
      output: this.session,
      graces: { eofGraceMs: config.disposeEofGraceMs, killGraceMs: config.disposeGraceMs },
    });
  }

  /** The operation under way, as a failure would name it. */
  get stage(): AcpStage {
    return this.#process.started ? this.session.stage : "process";
  }

  /** How the process ended, if it did. */
  get known(): ProcessExit | undefined {
    return this.#process.exit;
  }

  /** Waits for the process to end, at most `disposeGraceMs`. */
  observe(): Promise<ProcessExit | undefined> {
    return this.#process.observeExit();
  }

  /**
   * Starts the process and opens the session.
   *
   * @throws {unknown} What the process host throws when it could not start the process, and what
   * {@linkcode AcpSession.open} does.
   */
  async open(): Promise<void> {
    const { command, args, env, stderr } = this.#config;
    await this.#process.start({ command, args, cwd: this.#cwd, env, stderr });
    await this.session.open();
  }

  /** Ends the process tree and waits until it is gone. Idempotent. */
  async stop(): Promise<void> {
    try {
      await this.#process.stop();
    } finally {
      this.session.close();
    }
  }
}
