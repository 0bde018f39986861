/**
 * The baseline: what anybody would write who trusts the child. A Buffer splitter, `JSON.parse`, one promise a request; no
 * limits, no checks, no time bounds, no whole tree.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

// deno-lint-ignore no-explicit-any -- the baseline looks at nothing that it does not use
export type Message = any;

const LF = 10;

/** A child that speaks JSON-RPC in lines. */
export class PlainClient {
  /** Fulfils when the child has exited. */
  readonly exit: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #pending = new Map<number, (result: Message) => void>();
  #nextId = 0;

  /** Starts the child. */
  constructor(
    { command, args }: { readonly command: string; readonly args: readonly string[] },
    onNotification: (message: Message) => void,
  ) {
    const child = this.#child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.exit = new Promise((resolve) => child.on("exit", () => resolve()));
    let rest: Buffer | undefined;
    child.stdout.on("data", (chunk: Buffer) => {
      const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
        const message: Message = JSON.parse(bytes.toString("utf8", start, end));
        start = end + 1;
        if (message.method === undefined) this.#settle(message);
        else onNotification(message);
      }
      rest = start < bytes.length ? bytes.subarray(start) : undefined;
    });
  }

  /** Calls a method. */
  request(method: string, params: unknown): Promise<Message> {
    const id = this.#nextId++;
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#pending.set(id, resolve));
  }

  /** Closes the child's stdin and waits for its exit. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.exit;
  }

  #settle({ id, result }: Message): void {
    this.#pending.get(id)?.(result);
    this.#pending.delete(id);
  }
}
