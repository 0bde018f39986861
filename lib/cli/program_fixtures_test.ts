/**
 * The real program in a process of its own, for its tests. It holds no test itself.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { programCommand } from "../../fakes/launch.ts";

/** The words that start the program under the runtime that runs the test. */
export function programWords(): readonly string[] {
  const { command, args } = programCommand(new URL("./main.ts", import.meta.url));
  return [command, ...args];
}

/** A running program. */
export class Program implements Disposable {
  /** The process, its streams in pipes. */
  readonly process: ChildProcess;
  /** Fulfils with the exit code, or the name of the signal that ended it. */
  readonly exit: Promise<number | string>;
  /** What it has written to stdout. */
  stdout = "";
  /** What it has written to stderr. */
  stderr = "";

  /** Starts a program. */
  constructor([command, ...args]: readonly string[]) {
    this.process = spawn(command!, args, { stdio: "pipe" });
    this.process.stdout!.setEncoding("utf8").on("data", (text: string) => this.stdout += text);
    this.process.stderr!.setEncoding("utf8").on("data", (text: string) => this.stderr += text);
    // A program that does not read its stdin may be gone before the test ends it.
    this.process.stdin!.on("error", () => {});
    this.exit = new Promise((resolve, reject) => {
      this.process.on("error", reject);
      this.process.on("close", (code, signal) => resolve(code ?? signal ?? "nothing"));
    });
  }

  /** Starts the `subagent` program. */
  static run(words: readonly string[]): Program {
    return new Program([...programWords(), ...words]);
  }

  /** Sends a signal to the program alone, as `kill` does. */
  signal(name: NodeJS.Signals): void {
    process.kill(this.process.pid!, name);
  }

  /** Waits for the end and gives all there is to see. */
  async ended(): Promise<{ exitCode: number | string; stdout: string; stderr: string }> {
    const exitCode = await this.exit;
    return { exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** Ends what a failed test left running. */
  [Symbol.dispose](): void {
    if (this.process.exitCode === null && this.process.signalCode === null) this.signal("SIGKILL");
  }
}
