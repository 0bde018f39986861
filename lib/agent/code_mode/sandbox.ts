/**
 * A JavaScript engine that knows nothing of this one: QuickJS, compiled to WebAssembly.
 *
 * Each program gets an engine of its own. To make one takes 5 to 20 ms and a megabyte; in return its memory is given
 * back, a program that breaks the engine breaks no other, and no two programs meet.
 *
 * @module
 */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from "quickjs-emscripten";
import { PRELUDE } from "./prelude.ts";

/** Bounds of an engine. */
export interface SandboxLimits {
  /**
   * Milliseconds of computing. Looked at between the program's own steps: a built-in that works on megabytes at one go
   * may take longer.
   */
  readonly computeMs: number;
  /** Bytes of its memory beyond the 16 MiB that the engine itself may use. */
  readonly memoryBytes: number;
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
}

/** What a program does that concerns its host. What one of these throws ends the program. */
export interface SandboxEvents {
  /** Calls a tool, with arguments as JSON text. Gives the number of the call. */
  onCall(name: string, json: string): number;
  /** Says a line. */
  onLog(text: string): void;
  /** Ends: it returned, threw, or was no program. Comes once. */
  onDone(kind: "returned" | "threw" | "unreadable", text: string): void;
}

/** The engine gave up in the middle of the program. */
export class SandboxStopped extends Error {
  /** Why. */
  readonly kind: "timeout" | "memory" | "crash";

  /** Says why. */
  constructor(kind: SandboxStopped["kind"], options?: ErrorOptions) {
    super(`The sandbox was stopped: ${kind}`, options);
    this.kind = kind;
  }
}

/**
 * An engine with one program. There is nothing to close: engine and memory are garbage when nobody holds them. Tidying
 * an engine up fails noisily after a program that broke it.
 */
export interface Sandbox {
  /** Runs the program until it has nothing to do but wait. @throws {SandboxStopped} */
  start(source: string): void;
  /** Ends a call and runs the program on. @throws {SandboxStopped} */
  settle(call: number, isError: boolean, text: string): void;
}

/** WebAssembly's unit of memory, and what the engine takes before it has a program. */
const PAGE_BYTES = 64 * 1024;
const OWN_PAGES = 256;

/** How deep a program may nest its calls, in bytes of its stack; WebAssembly's own allows for more. */
const STACK_BYTES = 256 * 1024;

/** Jobs between two looks at the clock: a chain of built-in jobs never asks the interrupt handler. */
const JOBS_AT_ONCE = 256;

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
  const { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } = await loadQuickJs();
  // The engine's own limit counts next to nothing: a program that fills arrays gets 2 GB past it. This one holds.
  const wasmMemory = new WebAssembly.Memory({
    initial: OWN_PAGES,
    maximum: OWN_PAGES + Math.ceil(limits.memoryBytes / PAGE_BYTES),
  });
  const module = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }));
  return new QuickJsSandbox(module.newRuntime(), toolNames, limits, events);
}

type QuickJs = typeof import("quickjs-emscripten");

/** Loads the engine, which is an optional dependency. @param load For tests. */
export async function loadQuickJs(
  load: () => Promise<QuickJs> = () => import("quickjs-emscripten"),
): Promise<QuickJs> {
  try {
    return await load();
  } catch (cause) {
    throw new Error(
      'Code Mode needs the package "quickjs-emscripten": install it beside this one (npm install quickjs-emscripten)',
      { cause },
    );
  }
}

class QuickJsSandbox implements Sandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #limits: SandboxLimits;
  readonly #events: SandboxEvents;
  readonly #start: QuickJSHandle;
  readonly #settle: QuickJSHandle;
  #computeLeftMs: number;
  #deadline = 0;
  /** What a host function threw: the program may catch what it sees of it, but goes no further. */
  #hostError: { readonly error: unknown } | undefined;

  constructor(
    runtime: QuickJSRuntime,
    toolNames: readonly string[],
    limits: SandboxLimits,
    events: SandboxEvents,
  ) {
    this.#runtime = runtime;
    this.#limits = limits;
    this.#events = events;
    this.#computeLeftMs = limits.computeMs;
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => this.#interrupt());
    this.#context = runtime.newContext();
    this.#deadline = Infinity;
    const parts = this.#openPrelude(toolNames);
    this.#start = this.#context.getProp(parts, "start");
    this.#settle = this.#context.getProp(parts, "settle");
  }

  start(source: string): void {
    this.#enter(this.#start, [this.#context.newString(JSON.stringify(source))]);
  }

  settle(call: number, isError: boolean, text: string): void {
    const context = this.#context;
    this.#enter(this.#settle, [
      context.newNumber(call),
      isError ? context.true : context.false,
      context.newString(JSON.stringify(text)),
    ]);
  }

  /** Whether the program stops here. */
  #interrupt(): boolean {
    if (this.#hostError === undefined && this.#limits.now() < this.#deadline) return false;
    // Built-ins that call back, such as the one that makes a promise, swallow the interrupt and go on. Without a stack
    // there is nothing left for them to call.
    this.#runtime.setMaxStackSize(1);
    return true;
  }

  #openPrelude(toolNames: readonly string[]): QuickJSHandle {
    const context = this.#context;
    const prelude = context.unwrapResult(context.evalCode(PRELUDE, "prelude.js"));
    const { onCall, onLog, onDone } = this.#events;
    const json = (handle: QuickJSHandle | undefined) => handle === undefined ? "" : context.getString(handle);
    const text = (handle: QuickJSHandle | undefined) => JSON.parse(json(handle)) as string;
    const call = this.#hostFunction(
      "call",
      (name, args) => context.newNumber(onCall(text(name), json(args))),
    );
    const log = this.#hostFunction("log", (line) => void onLog(text(line)));
    const done = this.#hostFunction("done", (kind, value) => void onDone(text(kind) as "threw", text(value)));
    const names = context.newString(JSON.stringify(toolNames));
    const result = context.callFunction(prelude, context.undefined, call, log, done, names);
    return context.unwrapResult(result);
  }

  #hostFunction(
    name: string,
    body: (...args: QuickJSHandle[]) => QuickJSHandle | void,
  ): QuickJSHandle {
    return this.#context.newFunction(name, (...args) => {
      try {
        return body(...args);
      } catch (error) {
        this.#hostError ??= { error };
        throw new Error("stopped");
      }
    });
  }

  /** Calls a function of the sandbox and runs whatever that sets going, on the time that is left. */
  #enter(target: QuickJSHandle, args: readonly QuickJSHandle[]): void {
    const context = this.#context;
    const begun = this.#limits.now();
    this.#deadline = begun + this.#computeLeftMs;
    try {
      const result = context.callFunction(target, context.undefined, ...args);
      this.#check(result);
      this.#runJobs();
    } catch (error) {
      throw this.#hostError?.error ??
        (error instanceof SandboxStopped ? error : new SandboxStopped("crash", { cause: error }));
    } finally {
      this.#computeLeftMs -= this.#limits.now() - begun;
    }
  }

  #runJobs(): void {
    while (this.#runtime.hasPendingJob()) {
      this.#check(this.#runtime.executePendingJobs(JOBS_AT_ONCE));
    }
  }

  #check(result: { readonly error?: QuickJSHandle | undefined; dispose(): void }): void {
    const { error } = result;
    const words = error === undefined ? "" : this.#wordsOf(error);
    result.dispose();
    if (this.#hostError !== undefined) throw this.#hostError.error;
    if (this.#limits.now() >= this.#deadline || words === "interrupted") throw new SandboxStopped("timeout");
    // Without memory for an error there is none.
    if (error !== undefined) {
      throw new SandboxStopped(words === "out of memory" || words === undefined ? "memory" : "crash");
    }
  }

  #wordsOf(error: QuickJSHandle): unknown {
    try {
      const dumped: unknown = this.#context.dump(error);
      return (dumped as { readonly message?: unknown } | null)?.message;
    } catch {
      return undefined;
    }
  }
}
