/**
 * The real process, as the command sees it.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import process from "node:process";
import type { StopSignal } from "./exit_codes.ts";
import type { CliStream, CliSystem } from "./cli_system.ts";

const STOP_SIGNALS: readonly StopSignal[] = ["SIGHUP", "SIGINT", "SIGTERM"];

/** Gives the process this code runs in. */
export function nodeCliSystem(): CliSystem {
  return {
    environment: process.env,
    stdout: cliStream(process.stdout),
    stderr: cliStream(process.stderr),
    currentDirectory: () => process.cwd(),
    readStdin: (signal) => readAll(process.stdin, signal),
    now: () => performance.now(),
    after: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
    every: (milliseconds, callback) => {
      const timer = setInterval(callback, milliseconds);
      return () => clearInterval(timer);
    },
    onStopSignal: (listener) => {
      const stops = STOP_SIGNALS.map((name) => {
        const heard = () => listener(name);
        process.on(name, heard);
        return () => process.off(name, heard);
      });
      return () => stops.forEach((stop) => stop());
    },
    exit: (code) => process.exit(code),
  };
}

function cliStream(stream: NodeJS.WriteStream): CliStream {
  // Each write reports its own error to its caller; the event, if nobody heard it, would end the process.
  stream.on("error", () => {});
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => error ? reject(error) : resolve());
      }),
  };
}

function readAll(stream: NodeJS.ReadStream, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    stream.once("end", () => resolve(Buffer.concat(chunks)));
    stream.once("error", reject);
  });
}
