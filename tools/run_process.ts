/**
 * Runs one program to its end.
 *
 * @module
 */

import { spawn } from "node:child_process";
import type { Buffer } from "node:buffer";

/** How a program is run. */
export interface RunOptions {
  /** Working directory. */
  readonly cwd: string;
  /** The whole environment. @default {process.env} */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives the output as it comes, besides its collection. @default {nothing} */
  readonly onOutput?: (text: string) => void;
  /** After so many milliseconds the program is killed and the result says so. @default {1_200_000} */
  readonly timeoutMs?: number;
}

/** How a program ended. */
export interface RunResult {
  /** Its exit code; null when a signal ended it. */
  readonly exitCode: number | null;
  /** The signal that ended it, or null. */
  readonly signal: string | null;
  /** True when it was killed because its time was up. */
  readonly timedOut: boolean;
  /** What it wrote to stdout. */
  readonly stdout: string;
  /** What it wrote to stdout and stderr, in the order of arrival. */
  readonly output: string;
}

/** How long the pipes of a program that has ended may stay open. */
const DRAIN_MS = 2_000;

/**
 * Runs a program without a shell and without stdin, and waits for its end. An interrupt of this process is passed on
 * to it.
 *
 * @throws {Error} When the program cannot be started.
 */
export function runProcess(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const { cwd, env = process.env, onOutput, timeoutMs = 1_200_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let output = "";
    let timedOut = false;
    const signalChild = (signal: NodeJS.Signals) => {
      // Never child.kill(): Deno 2.9 sends only its first signal (denoland/deno#36643).
      if (child.pid !== undefined) process.kill(child.pid, signal);
    };
    const interrupt = () => signalChild("SIGINT");
    const terminate = () => signalChild("SIGTERM");
    const timer = setTimeout(() => {
      timedOut = true;
      signalChild("SIGKILL");
    }, timeoutMs);
    function receive(stream: NodeJS.ReadableStream, isStdout: boolean): void {
      stream.setEncoding("utf8");
      stream.on("data", (chunk: Buffer | string) => {
        const text = String(chunk);
        if (isStdout) stdout += text;
        output += text;
        onOutput?.(text);
      });
    }
    let drain: ReturnType<typeof setTimeout> | undefined;
    function settle(): void {
      clearTimeout(timer);
      clearTimeout(drain);
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
    }
    process.on("SIGINT", interrupt);
    process.on("SIGTERM", terminate);
    receive(child.stdout, true);
    receive(child.stderr, false);
    child.on("error", (cause) => {
      settle();
      reject(new Error(`Cannot start "${command}" in "${cwd}"`, { cause }));
    });
    // A process that the program left behind may hold its pipes open; what it writes later is nobody's output.
    child.on("exit", () => {
      drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
    });
    child.on("close", (exitCode, signal) => {
      settle();
      resolve({ exitCode, signal, timedOut, stdout, output });
    });
  });
}
