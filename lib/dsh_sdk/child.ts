/**
 * One runtime process with the one session in it.
 *
 * @module
 */
import { OwnedProcess } from "../process/owned_process.ts";
import type { ProcessHost } from "../process/port.ts";
import type { ResolvedDshSdkConfig } from "./config.ts";
import type { LaunchCommand } from "./launch.ts";
import { SdkSession } from "./session.ts";
import { StderrTail } from "./stderr_tail.ts";

/** What a child is made of. */
export interface SdkChildOptions {
  /** The provider's configuration. */
  readonly config: ResolvedDshSdkConfig;
  /** What is spawned. */
  readonly launch: LaunchCommand;
  /** What spawns it. */
  readonly host: ProcessHost;
  /** Absolute working directory of the process and of its session. */
  readonly cwd: string;
}

/** Owns a runtime from before it is started until its whole process tree is gone. */
export class SdkChild {
  /** The conversation with it. */
  readonly session: SdkSession;
  readonly #options: SdkChildOptions;
  readonly #stderr = new StderrTail();
  readonly #process: OwnedProcess;

  /** Prepares a child; nothing runs yet. */
  constructor(options: SdkChildOptions) {
    const { maxMessageBytes, maxOutputBytes, disposeEofGraceMs, disposeGraceMs } = options.config;
    this.#options = options;
    this.session = new SdkSession({
      write: (line) => this.#process.write(line),
      maxMessageBytes,
      maxOutputBytes,
    });
    this.#process = new OwnedProcess({
      host: options.host,
      output: this.session,
      graces: { eofGraceMs: disposeEofGraceMs, killGraceMs: disposeGraceMs },
    });
  }

  /** The last of what it wrote to stderr, if that is kept. */
  get stderrTail(): string {
    return this.#stderr.text;
  }

  /**
   * Starts the process and shakes hands.
   *
   * @throws {unknown} What the process host throws when it could not start the process, and what
   * {@linkcode SdkSession.open} does.
   */
  async open(): Promise<void> {
    const { config, launch, cwd } = this.#options;
    await this.#process.start({
      command: launch.command,
      args: launch.args,
      cwd,
      env: { ...config.env, ...launch.env },
      stderr: config.stderr === "tail" ? (chunk) => this.#stderr.append(chunk) : config.stderr,
    });
    const { provider, model, maxTokens } = config;
    await this.session.open({ cwd, provider, model, ...(maxTokens === undefined ? {} : { maxTokens }) });
  }

  /**
   * Asks the runtime to end, then ends its process tree and waits until it is gone. To be called once.
   *
   * @param onUnanswered Takes why the runtime did not say that it would end. Its process is ended all the same.
   * @throws {LeftoverProcessesError} When something of the tree is still alive afterwards.
   * @throws {SpawnPendingError} When the process host does not say whether there is one.
   */
  async stop(onUnanswered: (error: unknown) => void): Promise<void> {
    const { shutdownTimeoutMs } = this.#options.config;
    try {
      await this.#process.stop(() => this.session.shutdown(shutdownTimeoutMs).catch(onUnanswered));
    } finally {
      this.session.close();
    }
  }
}
