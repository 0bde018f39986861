/**
 * The scripted agent: routes what comes in to handlers and keeps what their steps need to know.
 *
 * @module
 */
import process from "node:process";
import { Handlers, type LifeEvent } from "./handlers.ts";
import { Input } from "./input.ts";
import { atPointer, type Json, type JsonObject } from "./json.ts";
import { Latch } from "./latch.ts";
import { type Framing, OutputStream, type Sink } from "./output.ts";
import { type RecordEntry, recorder } from "./record.ts";
import { isMessage, refusal } from "./refusals.ts";
import { runSteps } from "./run_steps.ts";
import type { AgentScript, Step } from "./script.ts";
import { Turn } from "./turn.ts";

/** Exit code after a step that cannot be taken, such as a reply where there is nothing to reply to. */
const EXIT_SCRIPT_FAULT = 70;

/** One agent process. */
export class Agent {
  /** Its stdout. */
  readonly stdout: OutputStream = new OutputStream("stdout");
  /** Its stderr. */
  readonly stderr: OutputStream = new OutputStream("stderr");
  /** Its stdin. */
  readonly input: Input;
  /** Opens when stdin has ended, or nobody reads stdout any more. */
  readonly ended: Latch = new Latch();
  /** What surrounds each line from now on. */
  framing: Framing = { before: "", after: "\n" };
  /** Whether `initialize` has been answered with a result. */
  initialized = false;
  /** Session ids that have been given out. */
  readonly sessions: Set<string> = new Set();
  /** Turns that are running. */
  readonly turns: Set<Turn> = new Set();
  /** Requests without an answer yet, oldest first. */
  readonly openRequests: Set<JsonObject> = new Set();
  /** How many turns are taking steps, waiting ones aside. */
  busy = 0;

  readonly #script: AgentScript;
  readonly #handlers: Handlers;
  readonly #record: (entry: RecordEntry) => void;
  /** Who waits for which response; several where a script uses one id twice. */
  readonly #pending: Map<string, ((response: Json) => void)[]> = new Map();
  readonly #received: Map<string, number> = new Map();
  readonly #lookers: Set<() => void> = new Set();
  #minted = 0;
  #nextId = 0;

  /** An agent that has not started. */
  constructor(script: AgentScript) {
    this.#script = script;
    this.#handlers = new Handlers(script);
    this.#record = recorder(script.record);
    this.input = new Input({ line: (text) => this.#receive(text), end: (rest) => this.#endInput(rest) });
  }

  /** Takes the start steps, then reads. The process lives until a step or a signal ends it. */
  async start(): Promise<void> {
    setInterval(() => {}, 2 ** 30);
    this.#record({ event: "start", pid: process.pid, argv: process.argv.slice(1), cwd: process.cwd() });
    if (this.#script.onSigterm !== undefined) {
      process.on("SIGTERM", () => {
        this.#record({ event: "signal", signal: "SIGTERM" });
        void this.#handleEvent("onSigterm");
      });
    }
    void this.stdout.broken.opened.then(() => this.#end({ event: "stdout-broken" }));
    await this.#handleEvent("onStart");
    this.input.start();
  }

  /** Exits the process. */
  exit(code: number): never {
    this.#record({ event: "exit", code });
    process.exit(code);
  }

  /** Writes one JSON value as a line. */
  async writeLine(sink: Sink, message: Json): Promise<void> {
    await sink.write(new TextEncoder().encode(this.frame(JSON.stringify(message))));
  }

  /** Puts a line into the present framing. */
  frame(line: string): string {
    return this.framing.before + line + this.framing.after;
  }

  /** The agent's next own request id. */
  nextId(): number {
    return this.#nextId++;
  }

  /** Expects a response; fulfils with the whole message. */
  expect(id: Json): Promise<Json> {
    const key = JSON.stringify(id);
    return new Promise((fulfil) => this.#pending.set(key, [...this.#pending.get(key) ?? [], fulfil]));
  }

  /** Notes that a request has been answered, and what follows from a result for the checks. */
  answered(request: JsonObject, result: Json | undefined): void {
    this.openRequests.delete(request);
    if (request["method"] === "initialize" && result !== undefined) this.initialized = true;
    const sessionId = request["method"] === "session/new" ? atPointer(result, "/sessionId") : undefined;
    if (typeof sessionId === "string") this.sessions.add(sessionId);
  }

  /** Waits until the client has sent a method so many times. */
  received(method: string, count: number): Promise<void> {
    return new Promise((fulfil) => {
      const look = () => {
        if ((this.#received.get(method) ?? 0) < count) return;
        this.#lookers.delete(look);
        fulfil();
      };
      this.#lookers.add(look);
      look();
    });
  }

  #receive(line: string): void {
    let message: Json;
    try {
      message = JSON.parse(line) as Json;
    } catch {
      this.#record({ event: "junk", text: line });
      return void this.#handleEvent("onNotJson");
    }
    this.#record({ event: "message", message });
    if (!isMessage(message)) return void this.#handleEvent("onNotMessage");
    if (typeof message["method"] === "string") this.#takeCall(message, message["method"]);
    else this.#takeResponse(message);
  }

  #takeCall(message: JsonObject, method: string): void {
    const { id, params } = message;
    this.#received.set(method, (this.#received.get(method) ?? 0) + 1);
    if (id !== undefined) {
      const error = refusal(message, this, this.#script.unchecked ?? []);
      if (error !== undefined) return void this.writeLine(this.stdout, { jsonrpc: "2.0", id, error });
      this.openRequests.add(message);
    }
    if (method === "session/cancel") this.#markCancelled(atPointer(params, "/sessionId"));
    void this.#run(new Turn(this.#handlers.forMessage(message), this.#sessionOf(method, params), message));
    for (const look of [...this.#lookers]) look();
  }

  #takeResponse(message: JsonObject): void {
    this.#pending.get(JSON.stringify(message["id"]))?.shift()?.(message as Json);
  }

  #handleEvent(event: LifeEvent): Promise<void> {
    const steps: readonly Step[] = this.#handlers.forEvent(event);
    return this.#run(new Turn(steps, this.#sessionOf(event, undefined), undefined));
  }

  async #run(turn: Turn): Promise<void> {
    this.turns.add(turn);
    this.busy++;
    try {
      await runSteps(turn.steps, this, turn, this.stdout);
    } catch (error) {
      const text = `acp_agent: cannot take a step: ${(error as Error).message}\n`;
      await this.stderr.write(new TextEncoder().encode(text));
      this.exit(EXIT_SCRIPT_FAULT);
    } finally {
      this.busy--;
      this.turns.delete(turn);
    }
  }

  #sessionOf(event: string, params: Json | undefined): string {
    if (event === "session/new") return `session-${++this.#minted}`;
    const sessionId = atPointer(params, "/sessionId");
    return typeof sessionId === "string" ? sessionId : `session-${Math.max(1, this.#minted)}`;
  }

  #markCancelled(sessionId: Json | undefined): void {
    for (const turn of this.turns) {
      if (turn.message?.["method"] === "session/prompt" && turn.sessionId === sessionId) {
        turn.cancelled.open();
      }
    }
  }

  #endInput(unfinished: string): void {
    if (unfinished !== "") this.#record({ event: "cut", text: unfinished });
    this.#end({ event: "eof" });
  }

  #end(entry: RecordEntry): void {
    this.#record(entry);
    if (this.ended.isOpen) return;
    this.ended.open();
    void this.#handleEvent("onEof");
  }
}
