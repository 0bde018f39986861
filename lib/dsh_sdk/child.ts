/**
 * One runtime process with the one session in it.
 *
 * @module
 */
import { ChildOutput } from "../process/child_output.ts";
import type { ProcessHandle, ProcessHost } from "../process/port.ts";
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
  #starting: Promise<ProcessHandle> | undefined;
  #handle: ProcessHandle | undefined;

  /** Prepares a child; nothing runs yet. */
  constructor(options: SdkChildOptions) {
    const { maxMessageBytes, maxOutputBytes } = options.config;
    this.#options = options;
    this.session = new SdkSession({
      write: (line) => this.#handle!.write(line),
      maxMessageBytes,
      maxOutputBytes,
    });
  }

  /** The last of what it wrote to stderr, if that is kept. */
  get stderrTail(): string {
    return this.#stderr.text;
  }

  /**
   * Starts the process and shakes hands.
   *
   * @throws {ProcessStartError} When the process could not be started.
   */
  async open(): Promise<void> {
    const { config, launch, host, cwd } = this.#options;
    const output = new ChildOutput(this.session, { boundMs: config.disposeGraceMs });
    this.#starting = host.spawn({
      command: launch.command,
      args: launch.args,
      cwd,
      env: { ...config.env, ...launch.env },
      stdout: output,
      stderr: config.stderr === "tail" ? (chunk) => this.#stderr.append(chunk) : config.stderr,
    });
    const handle = this.#handle = await this.#starting;
    void handle.exit.then(() => output.processEnded());
    const { provider, model, maxTokens } = config;
    await this.session.open({ cwd, provider, model, ...(maxTokens === undefined ? {} : { maxTokens }) });
  }

  /**
   * Asks the runtime to end, then ends its process tree and waits until it is gone. To be called once.
   *
   * @param onUnanswered Takes why the runtime did not say that it would end. Its process is ended all the same.
   * @throws {LeftoverProcessesError} When something of the tree is still alive afterwards.
   */
  async stop(onUnanswered: (error: unknown) => void): Promise<void> {
    const { shutdownTimeoutMs, disposeEofGraceMs, disposeGraceMs } = this.#options.config;
    try {
      const handle = await this.#starting?.catch(() => undefined);
      if (handle === undefined) return;
      await this.session.shutdown(shutdownTimeoutMs).catch(onUnanswered);
      await handle.stop({ eofGraceMs: disposeEofGraceMs, killGraceMs: disposeGraceMs });
    } finally {
      this.session.close();
    }
  }
}
