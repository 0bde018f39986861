import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EngineFactory, LEAST_MEMORY_BYTES, loadEngine } from "./engine_module.ts";

function memoryOf(mebibytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: LEAST_MEMORY_BYTES / 65536, maximum: mebibytes * 16 });
}

describe("loadEngine()", () => {
  it("says which package to install when it is missing", async () => {
    const cause = new Error("Cannot find package");
    await assert.rejects(loadEngine(() => Promise.reject(cause)), {
      message:
        'Code Mode needs the package "quickjs-emscripten": install it beside this one (npm install quickjs-emscripten)',
      cause,
    });
  });

  it("says which version to install when it is another one", async () => {
    const quickJs = await import("quickjs-emscripten");
    const cause = new Error("The engine is elsewhere");
    const elsewhere = { ...quickJs, newQuickJSWASMModuleFromVariant: () => Promise.reject(cause) };
    await assert.rejects(loadEngine(() => Promise.resolve(elsewhere)), {
      message:
        'Code Mode cannot prepare the engine of the package "quickjs-emscripten": expected its version 0.32, and WebAssembly',
      cause,
    });
    const silent = { ...quickJs, newQuickJSWASMModuleFromVariant: () => Promise.resolve({} as never) };
    await assert.rejects(loadEngine(() => Promise.resolve(silent)), /cannot prepare the engine/);
  });

  it("loads once", async () => {
    const first = loadEngine();
    assert.equal(loadEngine(), first);
    assert.equal(await loadEngine(), await first);
  });
});

describe("An engine", () => {
  it("ends with what its tick throws, also where it would not ask its host", async () => {
    const factory = await loadEngine();
    const stop = new Error("stop");
    let ticks = 0;
    const module = await factory.open(memoryOf(16), () => {
      if (ticks++ > 100) throw stop;
    });
    const context = module.newRuntime().newContext();
    assert.throws(
      () => context.evalCode("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)"),
      (error) => error === stop,
    );
  });

  it("has no ticks while its host does something for it", async () => {
    const factory = await loadEngine();
    let isHostAtWork = false;
    const seen = { inside: 0, outside: 0 };
    const module = await factory.open(memoryOf(16), () => {
      seen[isHostAtWork ? "inside" : "outside"]++;
    });
    const context = module.newRuntime().newContext();
    context.newFunction("work", () => {
      isHostAtWork = true;
      context.evalCode("for (let i = 0; i < 1e5; i++);");
      isHostAtWork = false;
    }).consume((work) => context.setProp(context.global, "work", work));
    context.evalCode("work(); for (let i = 0; i < 1e5; i++);");
    assert.ok(seen.outside > 10, String(seen.outside));
    assert.equal(seen.inside, 0);
  });

  it("takes no more memory than it is given", async () => {
    const factory = await loadEngine();
    const memory = memoryOf(20);
    const context = (await factory.open(memory, () => {})).newRuntime().newContext();
    context.evalCode("const all = []; for (;;) all.push(new Uint8Array(1e5))");
    assert.ok(memory.buffer.byteLength <= 20 * 1024 * 1024, String(memory.buffer.byteLength));
    assert.ok(memory.buffer.byteLength > 19 * 1024 * 1024, String(memory.buffer.byteLength));
  });

  it("is garbage when nobody holds it, whatever became of it", async () => {
    const factory = await loadEngine();
    let collected = 0;
    const registry = new FinalizationRegistry<undefined>(() => collected++);
    for (let count = 0; count < 10; count++) await breakOne(factory, registry);
    const until = performance.now() + 30_000;
    // A collector may keep the last ones, which its stack still seems to refer to.
    while (collected < 5 && performance.now() < until) {
      new Uint8Array(32 * 1024 * 1024).fill(1);
      await new Promise((resolve) => setTimeout(resolve));
    }
    assert.ok(collected >= 5, `${collected} of 10`);
  });
});

async function breakOne(factory: EngineFactory, registry: FinalizationRegistry<undefined>): Promise<void> {
  const memory = memoryOf(32);
  const context = (await factory.open(memory, () => {})).newRuntime().newContext();
  context.newFunction("host", () => context.newNumber(memory.buffer.byteLength));
  context.evalCode("const all = []; for (;;) all.push(new Uint8Array(1e6))");
  registry.register(memory, undefined);
}
