/**
 * One child of the built-in process host.
 *
 * @module
 */
import type { ChildProcess } from "node:child_process";
import { ChildInput } from "./child_input.ts";
import { killAtHostExit } from "./host_exit.ts";
import type { NodeSystem } from "./node_system.ts";
import type { ProcessExit, ProcessHandle, ProcessSpec, StopOptions } from "./port.ts";
import { PosixTree } from "./posix_tree.ts";
import { readStream } from "./read_stream.ts";
import { settlesWithin } from "./settles_within.ts";
import { endTree } from "./teardown.ts";
import { WindowsTree } from "./windows_tree.ts";

/** What belongs to a child besides its process. */
export interface NodeChildOptions {
  /** Where its output goes. */
  readonly spec: Pick<ProcessSpec, "stdout" | "stderr">;
  /** The machine it runs on. */
  readonly system: NodeSystem;
  /** Id in the marker of its environment. */
  readonly marker: string;
  /** How long the pipes may take to empty once the tree is gone, in milliseconds. */
  readonly drainMs: number;
}

/** A running child and its tree. */
export class NodeChild implements ProcessHandle {
  /** Process id. */
  readonly pid: number;
  /** Fulfils when the child itself ended. */
  readonly exit: Promise<ProcessExit>;
  readonly #process: ChildProcess;
  readonly #input: ChildInput;
  readonly #outputs: Promise<unknown>;
  readonly #tree: PosixTree | WindowsTree;
  readonly #drainMs: number;
  readonly #forgetAtHostExit: () => void;
  #stopping: Promise<void> | undefined;

  private constructor(
    process: ChildProcess,
    pid: number,
    { spec, system, marker, drainMs }: NodeChildOptions,
  ) {
    const { stdin, stdout, stderr } = process;
    this.pid = pid;
    this.#process = process;
    this.#drainMs = drainMs;
    this.#tree = system.platform === "win32"
      ? new WindowsTree(pid, system)
      : new PosixTree({ pid, marker, hostPid: system.pid, looks: system.looks, kill: system.kill });
    this.#forgetAtHostExit = killAtHostExit(this.#tree);
    // Only the event's own arguments tell how a child ended: under Deno 2.9 `signalCode` says so before it did.
    this.exit = new Promise((resolve) => {
      process.once("exit", (exitCode, signal) => {
        this.#tree.rootExited();
        resolve({ exitCode, signal });
      });
    });
    this.#input = new ChildInput(stdin!);
    const outputs = [readStream(stdout!, spec.stdout)];
    if (typeof spec.stderr === "function") outputs.push(readStream(stderr!, { data: spec.stderr, end() {} }));
    this.#outputs = Promise.all(outputs);
  }

  /**
   * Takes a process over, in the tick of its spawn; fulfils once it runs.
   *
   * @throws {Error} The runtime's error, when it could not be started.
   */
  static async adopt(process: ChildProcess, options: NodeChildOptions): Promise<NodeChild> {
    const started = new Promise<void>((resolve, reject) => {
      process.once("spawn", () => resolve());
      process.on("error", reject); // stays: an "error" after the start has nobody else to hear it, and would end the host
    });
    const child = process.pid === undefined ? undefined : new NodeChild(process, process.pid, options);
    await started; // rejects when there is no pid
    return child!;
  }

  /** Writes to stdin. */
  write(data: string): Promise<void> {
    return this.#input.write(data);
  }

  /** Ends the tree; see {@linkcode ProcessHandle.stop}. */
  stop(options: StopOptions): Promise<void> {
    return this.#stopping ??= this.#stop(options);
  }

  async #stop(options: StopOptions): Promise<void> {
    this.#input.refuse(); // at once: its end comes a look later
    try {
      await endTree({ tree: this.#tree, exit: this.exit, input: this.#input }, options);
      this.#forgetAtHostExit(); // not when something is left: the host's exit is one more chance
      await settlesWithin(this.#outputs, this.#drainMs);
    } finally {
      // What is left, or was never found, may hold the other ends: it must not keep the host from ending.
      this.#input.destroy();
      this.#process.stdout?.destroy();
      this.#process.stderr?.destroy();
      this.#process.unref();
      await settlesWithin(this.#outputs, this.#drainMs); // their receivers hear of the end first
    }
  }
}
