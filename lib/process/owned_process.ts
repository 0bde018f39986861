/**
 * One child process and who is responsible for it.
 *
 * @module
 */
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";
import { ChildOutput } from "./child_output.ts";
import { observeExit } from "./observe_exit.ts";
import type {
  ByteReceiver,
  ProcessExit,
  ProcessHandle,
  ProcessHost,
  ProcessSpec,
  StopOptions,
} from "./port.ts";
import { settlesWithin } from "./settles_within.ts";

/** What a process is owned with. */
export interface OwnedProcessOptions {
  /** What starts it. */
  readonly host: ProcessHost;
  /** Takes its output, which ends soon after it does even while a descendant holds the pipe. */
  readonly output: ByteReceiver;
  /** The bounds of its end. `killGraceMs` bounds the waits for its start, its exit and its last output as well. */
  readonly graces: StopOptions;
}

/** Owns a process from before it is started until its whole tree is gone. */
export class OwnedProcess {
  readonly #options: OwnedProcessOptions;
  #starting: Promise<ProcessHandle> | undefined;
  #handle: ProcessHandle | undefined;
  #exit: ProcessExit | undefined;
  #stopping: Promise<void> | undefined;

  /** Prepares; nothing runs yet. */
  constructor(options: OwnedProcessOptions) {
    this.#options = options;
  }

  /** Whether it was started, be it over or not. */
  get started(): boolean {
    return this.#handle !== undefined;
  }

  /** How it ended, if it did. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** Waits for it to end, at most `killGraceMs`; undefined when it was never started or did not end in time. */
  async observeExit(): Promise<ProcessExit | undefined> {
    try {
      return this.#handle && await observeExit(this.#handle, this.#options.graces.killGraceMs);
    } catch {
      return undefined; // a host's own handle that breaks its promise never to reject tells nothing about the end
    }
  }

  /**
   * Starts it. To be called once.
   *
   * @throws {unknown} What the process host throws; a {@linkcode ProcessStartError} if it is the built-in one.
   */
  async start(spec: Omit<ProcessSpec, "stdout">): Promise<void> {
    const { host, output, graces } = this.#options;
    const stdout = new ChildOutput(output, { boundMs: graces.killGraceMs });
    this.#starting = Promise.resolve(host.spawn({ ...spec, stdout }));
    const handle = this.#handle = await this.#starting;
    handle.exit.then((exit) => {
      this.#exit = exit;
      stdout.processEnded();
    }).catch(() => {}); // as in observeExit()
  }

  /** Writes to the stdin of the started process. Rejects when the pipe is broken or closed. */
  write(data: string): Promise<void> {
    return this.#handle!.write(data);
  }

  /**
   * Ends the process tree and waits until it is gone; a start under way is waited for first. Idempotent: one shared
   * promise, the first call's farewell counts.
   *
   * @param farewell Asks a process that was started to end, before its stdin is closed.
   * @throws {SpawnPendingError} When the host does not say within `killGraceMs` whether the process was started. If it
   * is after all, its tree is ended then, with nobody left to tell how that went.
   * @throws {unknown} What the farewell or {@linkcode ProcessHandle.stop} throws.
   */
  stop(farewell?: () => Promise<void>): Promise<void> {
    return this.#stopping ??= this.#stop(farewell);
  }

  async #stop(farewell: (() => Promise<void>) | undefined): Promise<void> {
    if (this.#starting === undefined) return;
    const { graces } = this.#options;
    const started = this.#starting.catch(() => undefined); // nothing runs, and who started it knows why
    if (!await settlesWithin(started, graces.killGraceMs)) {
      started.then((handle) => handle?.stop(graces)).catch(() => {});
      throw new SpawnPendingError(graces.killGraceMs);
    }
    const handle = await started;
    if (handle === undefined) return;
    await farewell?.();
    await handle.stop(graces);
  }
}

/** A process host has not said in time whether a child was started, so nobody knows whether one runs. */
export class SpawnPendingError extends Error {
  static {
    brandError(this, "SpawnPendingError");
  }

  /** Stable code for callers that branch. */
  readonly code = "SPAWN_PENDING" as const;
  /** How long it was waited for once the child was given up, in milliseconds. */
  readonly waitedMs: number;

  /** Says how long it was waited for. */
  constructor(waitedMs: number) {
    super(
      `The process host did not say within ${waitedMs} ms whether it started the child that was given up; if it does start it, it is told to stop it`,
    );
    this.waitedMs = waitedMs;
  }

  /** Tells whether a value is such an error, also one of another copy of this library. Never throws. */
  static is(value: unknown): value is SpawnPendingError {
    return hasBrand(value, "SpawnPendingError");
  }
}
