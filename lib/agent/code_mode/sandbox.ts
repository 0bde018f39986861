/**
 * A JavaScript engine of its own for one program.
 *
 * @module
 */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from "quickjs-emscripten";
import { LEAST_MEMORY_BYTES, loadEngine } from "./engine/engine_module.ts";
import { Meter, type SandboxStop } from "./meter.ts";
import { PRELUDE, type PreludeSettings } from "./prelude.ts";
import type { CallOutcome, ProgramEnd, SandboxCall, SandboxEvents, SandboxLimits } from "./sandbox_types.ts";

/** Bytes of a page of WebAssembly's memory. */
const PAGE_BYTES = 64 * 1024;

/** How deep a program may nest its calls, in bytes of its stack; the host's own stack allows for more. */
const STACK_BYTES = 256 * 1024;

/** Jobs between two looks at whether the program is over. */
const JOBS_AT_ONCE = 64;

/** Name of the program's source in stack traces. */
const SOURCE_NAME = "program";

/**
 * Opens an engine in which the named tools are there to be called.
 *
 * @throws {Error} When `quickjs-emscripten` is not installed; the message says so.
 */
export async function openSandbox(
  toolNames: readonly string[],
  limits: SandboxLimits,
  events: SandboxEvents,
): Promise<Sandbox> {
  const engine = await loadEngine();
  const memory = new WebAssembly.Memory({
    initial: LEAST_MEMORY_BYTES / PAGE_BYTES,
    // The engine has a limit of its own that counts next to nothing: filling arrays gets 2 GB past it. This one holds.
    maximum: Math.floor(limits.memoryBytes / PAGE_BYTES),
  });
  const meter = new Meter(limits);
  const module = await engine.open(memory, () => meter.tick());
  return new Sandbox(module.newRuntime(), { toolNames, limits, events, memory, meter });
}

interface SandboxParts {
  readonly toolNames: readonly string[];
  readonly limits: SandboxLimits;
  readonly events: SandboxEvents;
  readonly memory: WebAssembly.Memory;
  readonly meter: Meter;
}

/** An engine with one program. Every method throws a {@link SandboxStopped} when the engine stops; it is no more then. */
export class Sandbox {
  readonly #parts: SandboxParts;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #prelude: QuickJSHandle;
  #end: ProgramEnd | undefined;

  /** Use {@link openSandbox}. */
  constructor(runtime: QuickJSRuntime, parts: SandboxParts) {
    this.#parts = parts;
    this.#runtime = runtime;
    runtime.setMaxStackSize(STACK_BYTES);
    this.#context = runtime.newContext();
    this.#prelude = this.#runPrelude();
  }

  /** How the program ended, if it did. */
  get end(): ProgramEnd | undefined {
    return this.#end;
  }

  /** Runs a program, the body of an async function, until it has nothing to do but wait. */
  start(source: string): void {
    this.#enter(() => {
      const context = this.#context;
      const program = context.evalCode(`(async () => {${source}\n})`, SOURCE_NAME);
      if (program.error === undefined) {
        this.#call("start", program.value).dispose();
      } else this.#end = this.#refusalOf(program.error);
      program.dispose();
    });
  }

  /** Takes the next call that the program made. */
  nextCall(): SandboxCall | undefined {
    return this.#enter(() => {
      const context = this.#context;
      return this.#call("next").consume((call) => {
        if (context.typeof(call) === "undefined") {
          // What would have gone on may have found no room to do so.
          if (this.#end === undefined && this.#isFull()) throw this.#parts.meter.stop("memory");
          return undefined;
        }
        const tool = context.getProp(call, "tool").consume((index) => context.getNumber(index));
        const json = context.getProp(call, "json").consume((text) => context.getString(text));
        const name = this.#parts.toolNames[tool];
        if (name === undefined) throw new Error(`The prelude asks for tool ${tool}, which there is not`);
        return { name, args: this.#parse(json) };
      });
    });
  }

  /** Ends the call that was taken last and runs the program on. */
  settle({ isError, text }: CallOutcome): void {
    const context = this.#context;
    const json = JSON.stringify(text);
    this.#enter(() => {
      // The engine does not notice when there is no room for a text that comes from outside.
      if (json.length >= this.#parts.limits.memoryBytes) throw this.#parts.meter.stop("memory");
      context.newString(json).consume((handle) => {
        this.#call("settle", isError ? context.true : context.false, handle).dispose();
      });
    });
  }

  /**
   * Takes the engine apart. Without it, it is garbage all the same: nothing outside of it refers to it.
   *
   * @throws When anything in it is still in use, which would be a fault of this class. An engine that was stopped is left
   * alone.
   */
  close(): void {
    if (this.#parts.meter.stopped !== undefined) return;
    this.#prelude.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }

  /** Does something on the program's time, and then whatever that set going. */
  #enter<T>(action: () => T): T {
    const { meter } = this.#parts;
    if (meter.stopped !== undefined) throw meter.stopped;
    try {
      return meter.spend(() => {
        const value = action();
        this.#runJobs();
        // It may have been told to stop and not have computed since.
        if (meter.stopped !== undefined) throw meter.stopped;
        return value;
      });
    } catch (cause) {
      // The engine stumbles over what it has no room for.
      throw meter.stop(this.#isFull() ? "memory" : "crash", { cause });
    }
  }

  /** Whether it took most of the memory that it may have: what is taken at once may be more than what is left. */
  #isFull(): boolean {
    const { memory: { buffer: { byteLength } }, limits } = this.#parts;
    return byteLength > LEAST_MEMORY_BYTES && byteLength > 0.75 * limits.memoryBytes;
  }

  /** Whether a program threw for want of memory; without any, the engine throws null. Programs may do the same. */
  #isOutOfMemory(text: string): boolean {
    return text === "InternalError: out of memory" || (text === "null" && this.#isFull());
  }

  /** Runs what is due, until the program is over: what it leaves behind then is not run. */
  #runJobs(): void {
    while (this.#end === undefined && this.#runtime.hasPendingJob()) {
      const result = this.#runtime.executePendingJobs(JOBS_AT_ONCE);
      const { error } = result;
      result.dispose();
      // What programs throw becomes a rejection: a job itself fails only for want of memory.
      if (error !== undefined) throw this.#parts.meter.stop("memory");
    }
  }

  #call(name: string, ...args: QuickJSHandle[]): QuickJSHandle {
    const context = this.#context;
    return context.getProp(this.#prelude, name).consume((method) => {
      const result = context.callFunction(method, context.undefined, ...args);
      if (result.error === undefined) return result.value;
      result.dispose();
      throw this.#parts.meter.stop("memory");
    });
  }

  #runPrelude(): QuickJSHandle {
    const context = this.#context;
    const { toolNames, limits: { maxText, maxArgument }, events } = this.#parts;
    const settings: PreludeSettings = { toolNames, maxText, maxArgument };
    const parts = [
      context.newString(JSON.stringify(settings)),
      this.#hostFunction("called", () => events.onCall()),
      this.#hostFunction("log", (text) => events.onLog(text)),
      this.#hostFunction("end", (kind, text, stack) => {
        if (kind === "threw" && this.#isOutOfMemory(text)) return "memory";
        if (kind === "returned") this.#end = { kind, text };
        else this.#end = { kind: kind === "threw" ? kind : "unreadable", text, line: lineIn(stack) };
        return undefined;
      }),
    ];
    const prelude = context.unwrapResult(context.evalCode(PRELUDE, "prelude")).consume((make) =>
      context.unwrapResult(context.callFunction(make, context.undefined, ...parts))
    );
    for (const part of parts) part.dispose();
    return prelude;
  }

  /** A function of the host that takes texts. It throws nothing into the sandbox, where the program would catch it. */
  #hostFunction(
    name: string,
    body: (...texts: [string, string, string]) => SandboxStop | undefined,
  ): QuickJSHandle {
    const { meter } = this.#parts;
    const context = this.#context;
    return context.newFunction(name, (...args) => {
      if (meter.stopped !== undefined || this.#end !== undefined) return;
      const texts = args.map((handle) => String(this.#parse(context.getString(handle))));
      if (meter.stopped !== undefined) return;
      const stop = body(...texts as [string, string, string]);
      if (stop !== undefined) meter.stop(stop);
    });
  }

  /** Reads what the prelude wrote. It writes nothing but JSON, unless there was no memory left to hand it over. */
  #parse(json: string): unknown {
    try {
      return JSON.parse(json);
    } catch (cause) {
      return void this.#parts.meter.stop("memory", { cause });
    }
  }

  #refusalOf(error: QuickJSHandle): ProgramEnd {
    const context = this.#context;
    const read = (field: string) =>
      context.getProp(error, field).consume((value) => context.getString(value));
    const [name, text] = [read("name"), read("message")];
    return {
      kind: "unreadable",
      text: name === "SyntaxError" ? text : `${name}: ${text}`,
      line: lineIn(read("stack")),
    };
  }
}

function lineIn(stack: string): number | undefined {
  const [, line] = new RegExp(`\\b${SOURCE_NAME}:(\\d{1,9})\\b`).exec(stack) ?? [];
  return line === undefined ? undefined : Number(line);
}
