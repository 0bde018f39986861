/**
 * A child's tree on Windows: `taskkill` is the only way to end it, and only the root can be seen.
 *
 * @module
 */
import type { NodeSystem } from "./node_system.ts";
import { lookUp } from "./windows_environment.ts";

/** Ends the processes of one child on Windows. Best effort: what outlives the root is out of sight. */
export class WindowsTree {
  /** Nothing can go wrong with a look at the root. */
  readonly lookError: undefined = undefined;
  readonly #pid: number;
  readonly #system: Pick<NodeSystem, "childProcess" | "environment">;
  readonly #done = new Set<string>();
  #exited = false;

  /** Takes over a child that was just started. */
  constructor(pid: number, system: Pick<NodeSystem, "childProcess" | "environment">) {
    this.#pid = pid;
    this.#system = system;
  }

  /** Whether the root's exit was seen. */
  get exited(): boolean {
    return this.#exited;
  }

  /** The root's exit was seen. */
  rootExited(): void {
    this.#exited = true;
  }

  /** The root, until its exit was seen. */
  look(): Promise<readonly number[]> {
    return Promise.resolve(this.#exited ? [] : [this.#pid]);
  }

  /** Ends the tree by force, since Windows has no SIGTERM; once for each step of the ladder. */
  end(how: "ask" | "force"): void {
    if (this.#exited || this.#done.has(how)) return;
    this.#done.add(how);
    const { file, args, options } = this.#taskkill();
    try {
      this.#system.childProcess.spawn(file, args, options).on("error", () => {});
    } catch {
      // Its outcome is ignored, thrown or emitted: what counts is whether the root exits.
    }
  }

  /** Ends the tree without waiting, for the host's last moment. A second round would find nothing more. */
  killNow(): boolean {
    if (this.#exited) return false;
    const { file, args, options } = this.#taskkill();
    this.#system.childProcess.spawnSync(file, args, options);
    return false;
  }

  #taskkill(): { file: string; args: string[]; options: { stdio: "ignore"; windowsHide: true } } {
    // By absolute path: a taskkill.exe of somebody else may come first on PATH.
    const root = lookUp(this.#system.environment(), "SystemRoot") ?? "C:\\Windows";
    return {
      file: `${root}\\System32\\taskkill.exe`,
      args: ["/PID", String(this.#pid), "/T", "/F"],
      options: { stdio: "ignore", windowsHide: true },
    };
  }
}
