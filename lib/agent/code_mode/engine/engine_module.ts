/**
 * QuickJS, a JavaScript engine compiled to WebAssembly: loaded when it is first needed, and metered.
 *
 * @module
 */
import type { QuickJSWASMModule } from "quickjs-emscripten";
import { meterModule, TICK_IMPORT } from "./meter_module.ts";

/** What makes engines. */
export interface EngineFactory {
  /**
   * Makes an engine of its own, which shares nothing with any other.
   *
   * @param memory All the memory it has; begins with {@link LEAST_MEMORY_BYTES}.
   * @param tick Called again and again while the engine computes. What it throws ends the engine for good.
   */
  open(memory: WebAssembly.Memory, tick: () => void): Promise<QuickJSWASMModule>;
}

/** Bytes of memory that the engine was built to begin with; it uses about 1 MiB of them for itself. */
export const LEAST_MEMORY_BYTES: number = 16 * 1024 * 1024;

type QuickJs = typeof import("quickjs-emscripten");

let loaded: Promise<EngineFactory> | undefined;

/**
 * Loads the engine: once in a process, as it takes 100 to 200 ms. Each engine made after that takes 2 to 10 ms.
 *
 * @param importPackage Loads the package. For tests; what it gives is not kept.
 * @throws {Error} When `quickjs-emscripten` is not installed, saying so, or is of a version that is not understood.
 */
export function loadEngine(importPackage?: () => Promise<QuickJs>): Promise<EngineFactory> {
  if (importPackage !== undefined) return load(importPackage);
  const loading = loaded ??= load(() => import("quickjs-emscripten"));
  // Whoever installs it then need not start again.
  loading.catch(() => loaded = undefined);
  return loading;
}

async function load(importPackage: () => Promise<QuickJs>): Promise<EngineFactory> {
  let quickJs: QuickJs;
  try {
    quickJs = await importPackage();
  } catch (cause) {
    throw new Error(
      'Code Mode needs the package "quickjs-emscripten": install it beside this one (npm install quickjs-emscripten)',
      { cause },
    );
  }
  const { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } = quickJs;
  let compiled: WebAssembly.Module;
  try {
    compiled = await WebAssembly.compile(meterModule(await readFile(await locate(quickJs))));
  } catch (cause) {
    throw new Error(
      'Code Mode cannot prepare the engine of the package "quickjs-emscripten": expected its version 0.32, and WebAssembly',
      { cause },
    );
  }
  return {
    open(memory, tick) {
      const emscriptenModule = {
        // Its complaints are ours to give, and a library prints nothing.
        print() {},
        printErr() {},
        // In one go: the loader takes no notice of a promise that is rejected.
        instantiateWasm(imports: WebAssembly.Imports, onSuccess: (instance: WebAssembly.Instance) => void) {
          const instance = new WebAssembly.Instance(compiled, withTick(imports, tick));
          onSuccess(instance);
          return instance.exports;
        },
      };
      return newQuickJSWASMModuleFromVariant(
        newVariant(RELEASE_SYNC, { wasmMemory: memory, emscriptenModule }),
      );
    },
  };
}

/**
 * Adds the tick to what the engine imports. While the engine waits for its host, which may ask it for something in turn,
 * there are no ticks: the package swallows what is thrown then, and prints it.
 */
function withTick(imports: WebAssembly.Imports, tick: () => void): WebAssembly.Imports {
  let waits = 0;
  const waiting = (body: (...args: unknown[]) => unknown) => (...args: unknown[]) => {
    waits++;
    try {
      return body(...args);
    } finally {
      waits--;
    }
  };
  const modules = Object.entries(imports).map(([name, members]) => [
    name,
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, isFunction(member) ? waiting(member) : member]),
    ),
  ]);
  return {
    ...Object.fromEntries(modules),
    [TICK_IMPORT.module]: {
      [TICK_IMPORT.name]() {
        if (waits === 0) tick();
      },
    },
  };
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === "function";
}

/** Asks the package's own loader, which knows for each runtime, and goes no further with it. */
async function locate(
  { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC }: QuickJs,
): Promise<string> {
  let location: string | undefined;
  const variant = newVariant(RELEASE_SYNC, {
    locateFile(name, directory) {
      location = directory + name;
      throw new Error("The engine is located");
    },
  });
  try {
    await newQuickJSWASMModuleFromVariant(variant);
  } catch (error) {
    if (location === undefined) throw error;
  }
  if (location === undefined) throw new Error("The package does not say where its engine is");
  return location;
}

/** Where there are files, the loader gives a path, and fetch() knows no files; elsewhere it gives a URL. */
async function readFile(location: string): Promise<Uint8Array> {
  if (/^[a-z-]{2,}:/.test(location)) {
    const response = await fetch(location);
    if (!response.ok) throw new Error(`Cannot fetch the engine: status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
  const { readFile } = globalThis.process.getBuiltinModule("node:fs/promises");
  return await readFile(location);
}
