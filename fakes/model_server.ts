#!/usr/bin/env node
/**
 * A model server whose answers the prompt scripts, for agents and clients that need a model but no key.
 *
 * It listens on the loopback address and speaks Anthropic Messages, OpenAI Chat Completions, OpenAI Responses and
 * Gemini generateContent, streaming or not. The words that a prompt may hold stand in `model_server/script.ts`.
 *
 * As a program (`node fakes/model_server.ts [PORT]`) it prints its address as one line and runs until it is ended;
 * `GET /_journal` shows what it saw, `POST /_reset` makes it forget.
 *
 * @module
 */
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { JournalEntry } from "./model_server/journal.ts";
import { ScriptedModel } from "./model_server/scripted_model.ts";

/** How to start the server. */
export interface ModelServerOptions {
  /** Port on 127.0.0.1; 0 takes a free one. @default {0} */
  readonly port?: number;
}

/** A running server. Whoever started it closes it. */
export interface ModelServer extends AsyncDisposable {
  /** Its address without a path and without a slash at the end, as `http://127.0.0.1:1234`. */
  readonly url: string;
  /** The port it listens on. */
  readonly port: number;
  /** What happened since the start or the last reset, oldest first. Grows while the server runs. */
  readonly journal: readonly JournalEntry[];
  /** Empties the journal and forgets how often a script made a request fail. */
  reset(): void;
  /**
   * Drops all connections and stops listening; fulfils when all sockets are gone. Idempotent. Under Bun a connection
   * on which nothing was ever sent is unknown to `node:http` and stays until its client closes it.
   */
  close(): Promise<void>;
}

/**
 * Starts a server; fulfils when it listens.
 *
 * @throws {Error} If the port is taken.
 */
export async function startModelServer({ port = 0 }: ModelServerOptions = {}): Promise<ModelServer> {
  const model = new ScriptedModel();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void model.answer(request, response));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // A client that goes in the middle of something is its own affair.
    socket.on("error", () => {});
  });
  server.on("connect", (request, socket) => {
    model.journal.push({ kind: "connect-refused", target: request.url ?? "" });
    socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
  });
  server.on("upgrade", (request, socket) => {
    model.journal.push({ kind: "upgrade-refused", path: request.url ?? "" });
    socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: taken } = server.address() as AddressInfo;

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    journal: model.journal,
    reset: () => model.reset(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isMain(): boolean {
  const [, script] = process.argv;
  return script !== undefined && import.meta.url.startsWith("file:") &&
    realpathSync(script) === fileURLToPath(import.meta.url);
}

async function main(): Promise<void> {
  const { url } = await startModelServer({ port: Number(process.argv[2] ?? 0) });
  process.stdout.write(`${url}\n`);
}

if (isMain()) void main();
