/**
 * A client that knows lines and nothing else, for tests of the fakes: it sees every byte that an agent writes and can
 * write any byte to it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import process from "node:process";
import { isObject, type Json, type JsonObject } from "../acp_agent/json.ts";
import type { AgentScript } from "../acp_agent/script.ts";
import { type AgentCommand, scriptedAgent, type ScriptedAgentOptions } from "../launch.ts";

const DEADLINE_MS = 15_000;
const POLITE_MS = 3_000;

/** How a process ended. */
export interface Ending {
  /** Exit code, unless a signal ended it. */
  readonly code: number | null;
  /** Signal, if one ended it. */
  readonly signal: string | null;
}

/** How to start the agent's process. */
export interface ClientOptions extends ScriptedAgentOptions {
  /** Working directory of the process. */
  readonly cwd?: string;
  /** Variables on top of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether stderr is left unread. @default {false} */
  readonly ignoreStderr?: boolean;
  /** Whether stdout is left unread until `readStdout()`. @default {false} */
  readonly ignoreStdout?: boolean;
}

/** One agent process and its raw wire. */
export class RawClient {
  /** Process id. */
  readonly pid: number;
  /** Fulfils when the process has ended. */
  readonly ending: Promise<Ending>;
  /** What was read from stdout, in the pieces in which it came. */
  readonly chunks: Buffer[] = [];
  /** Lines of stdout so far, as text, without the last unfinished one. */
  readonly lines: string[] = [];
  /** Whether stdout has ended. */
  stdoutEnded = false;
  /** What was read from stderr. */
  stderr = "";
  /** Whether stderr has ended. */
  stderrEnded = false;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #watchers: Set<() => void> = new Set();
  readonly #taken: Set<number> = new Set();
  #unfinished: Buffer[] = [];
  #inputError: string | undefined;
  #nextId = 0;

  /** Starts the process. */
  constructor({ command, args }: AgentCommand, options: ClientOptions = {}) {
    const { cwd, env = {}, ignoreStderr = false, ignoreStdout = false } = options;
    const child = spawn(command, [...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
    });
    this.#child = child;
    this.pid = child.pid ?? -1;
    this.ending = new Promise((fulfil, reject) => {
      child.on("error", reject);
      child.on("exit", (code, signal) => {
        fulfil({ code, signal });
        this.#look();
      });
    });
    child.stdin.on("error", (error: NodeJS.ErrnoException) => {
      this.#inputError = error.code ?? error.message;
      this.#look();
    });
    if (!ignoreStdout) this.readStdout();
    if (!ignoreStderr) this.#readStderr();
  }

  /** Code of the error that a write to the agent's stdin met, if any. */
  get inputError(): string | undefined {
    return this.#inputError;
  }

  /** Everything read from stdout. */
  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** Lines of stdout parsed as JSON. */
  get messages(): Json[] {
    return this.lines.map((line) => JSON.parse(line) as Json);
  }

  /** Reads stdout from now on. */
  readStdout(): void {
    this.#child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#child.stdout.on("end", () => {
      this.stdoutEnded = true;
      this.#look();
    });
  }

  /** Closes our end of the agent's stdout. */
  breakStdout(): void {
    this.#child.stdout.destroy();
  }

  /** Writes bytes or text as they are. */
  sendRaw(data: string | Uint8Array): void {
    this.#child.stdin.write(data);
  }

  /** Writes one JSON value as a line. */
  send(message: Json): void {
    this.sendRaw(`${JSON.stringify(message)}\n`);
  }

  /** Sends a notification. */
  notify(method: string, params: Json): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** Sends a request and returns its id without waiting for the answer. */
  sendRequest(method: string, params: Json): number {
    const id = this.#nextId++;
    this.send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  /** Sends a request and waits for the response with its id. */
  async request(method: string, params: Json): Promise<JsonObject> {
    return await this.response(this.sendRequest(method, params));
  }

  /** Waits for the response with an id. */
  response(id: Json): Promise<JsonObject> {
    return this.message((message) => message["method"] === undefined && message["id"] === id);
  }

  /** Waits for the next request or notification of a method. */
  call(method: string): Promise<JsonObject> {
    return this.message((message) => message["method"] === method);
  }

  /** Waits for the first message that matches and has not been returned before. */
  async message(matches: (message: JsonObject) => boolean): Promise<JsonObject> {
    let at = 0;
    return await this.until(() => {
      for (; at < this.lines.length; at++) {
        if (this.#taken.has(at) || !isMatch(this.lines[at] ?? "", matches)) continue;
        this.#taken.add(at);
        return JSON.parse(this.lines[at] ?? "") as JsonObject;
      }
      return undefined;
    });
  }

  /** Waits until a look at the process gives a value; rejects when it gives none in time. */
  until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((fulfil, reject) => {
      const end = () => {
        clearTimeout(deadline);
        clearInterval(poll);
        this.#watchers.delete(watch);
      };
      const watch = () => {
        const value = look();
        if (value === undefined) return;
        end();
        fulfil(value);
      };
      const deadline = setTimeout(() => {
        end();
        const seen = this.bytes.subarray(-2_000).toString();
        reject(new Error(`Nothing came within ${DEADLINE_MS} ms; stdout ends in ${JSON.stringify(seen)}`));
      }, DEADLINE_MS);
      // Some looks are at files, which announce nothing.
      const poll = setInterval(watch, 5);
      this.#watchers.add(watch);
      watch();
    });
  }

  /** `initialize` and `session/new`; returns the session id. */
  async open(): Promise<string> {
    await this.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { result } = await this.request("session/new", { cwd: "/", mcpServers: [] });
    const sessionId = isObject(result) ? result["sessionId"] : undefined;
    assert.equal(typeof sessionId, "string");
    return sessionId as string;
  }

  /** Sends a prompt of one text block; returns its request id. */
  prompt(sessionId: string, text: string): number {
    return this.sendRequest("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** A whole conversation of one prompt; returns the prompt's response. */
  async ask(text: string): Promise<JsonObject> {
    return await this.response(this.prompt(await this.open(), text));
  }

  /** Ends the agent's stdin. */
  endInput(): void {
    this.#child.stdin.end();
  }

  /** Ends the process: politely, then by force. */
  async end(): Promise<void> {
    this.endInput();
    const force = setTimeout(() => {
      try {
        process.kill(this.pid, "SIGKILL");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }, POLITE_MS);
    await this.ending;
    clearTimeout(force);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }

  #readStderr(): void {
    this.#child.stderr.on("data", (chunk: Buffer) => this.stderr += chunk.toString());
    this.#child.stderr.on("end", () => {
      this.stderrEnded = true;
      this.#look();
    });
  }

  #take(chunk: Buffer): void {
    this.chunks.push(chunk);
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#unfinished.push(chunk.subarray(from, at));
      this.lines.push(Buffer.concat(this.#unfinished).toString());
      this.#unfinished = [];
      from = at + 1;
    }
    if (from < chunk.length) this.#unfinished.push(chunk.subarray(from));
    this.#look();
  }

  #look(): void {
    for (const watch of [...this.#watchers]) watch();
  }
}

function isMatch(line: string, matches: (message: JsonObject) => boolean): boolean {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) && matches(message);
  } catch {
    return false; // noise is not a message
  }
}

/** Runs a test body against a scripted agent, and ends the agent whatever happens. */
export async function withAgent(
  script: AgentScript,
  body: (client: RawClient) => Promise<void>,
  options: ClientOptions = {},
): Promise<void> {
  await withCommand(scriptedAgent(script, options), body, options);
}

/** Runs a test body against any agent, and ends the agent whatever happens. */
export async function withCommand(
  command: AgentCommand,
  body: (client: RawClient) => Promise<void>,
  options: ClientOptions = {},
): Promise<void> {
  const client = new RawClient(command, options);
  try {
    await body(client);
  } finally {
    await client.end();
  }
}
