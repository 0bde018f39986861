import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred } from "../agent_fixtures_test.ts";
import { echo, failure, run } from "./program_fixtures_test.ts";

/** What ECMAScript 2025 has, and the engine's own class of errors. */
const LANGUAGE = (
  "globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI " +
  "encodeURIComponent escape unescape AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean " +
  "DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Int8Array " +
  "Int16Array Int32Array InternalError Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError " +
  "Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint8Array Uint8ClampedArray Uint16Array " +
  "Uint32Array WeakMap WeakRef WeakSet"
).split(" ");

describe("A program", () => {
  it("has the language, tools and console, and nothing else", async () => {
    const names = JSON.parse(await run("return Object.getOwnPropertyNames(globalThis)")) as string[];
    assert.deepEqual(names.filter((name) => !LANGUAGE.includes(name)), ["tools", "console"]);
    const ambient =
      "process require module fetch setTimeout setInterval queueMicrotask setImmediate WebAssembly Deno Bun Worker " +
      "XMLHttpRequest importScripts std os print scriptArgs performance navigator crypto Atomics";
    assert.deepEqual(ambient.split(" ").filter((name) => names.includes(name)), []);
  });

  it("imports nothing", async () => {
    for (const specifier of ["os", "std", "node:fs", "./prelude", "prelude", "data:text/javascript,1"]) {
      const { kind } = await failure(`await import(${JSON.stringify(specifier)})`);
      assert.equal(kind, "exception", specifier);
    }
  });

  it("is not able to block the thread of its host", async () => {
    assert.equal(
      (await failure("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)")).kind,
      "exception",
    );
  });

  const LOOK = "typeof process + typeof Deno + typeof Bun + typeof fetch";
  const escapes: readonly (readonly [how: string, source: string])[] = [
    ["the constructor of a tool", `return tools.echo.constructor("return ${LOOK}")()`],
    [
      "the constructor of the error of a call",
      `try { await tools.fail() } catch (e) { return e.constructor.constructor("return ${LOOK}")() }`,
    ],
    [
      "the constructor of the promise of a call",
      `return tools.echo().constructor.constructor("return ${LOOK}")()`,
    ],
    ["the constructor of console.log", `return console.log.constructor("return ${LOOK}")()`],
    ["an async function's constructor", `return await (async () => {}).constructor("return ${LOOK}")()`],
    ["indirect eval", `return (0, eval)("${LOOK}")`],
    ["this", `return (function () { return this.eval("${LOOK}") })()`],
    [
      "the caller of a function that the host's side calls",
      `let seen; const look = { toJSON: function f() { try { seen = f.caller } catch {} return 1 } };
      await tools.echo(look);
      return typeof seen === "function" ? seen.constructor("return ${LOOK}")() : ${LOOK}`,
    ],
    [
      "the stack of an error",
      `Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error();
      return typeof stack === "string" ? ${LOOK} : stack[0].getThis().constructor.constructor("return ${LOOK}")()`,
    ],
  ];
  for (const [how, source] of escapes) {
    it(`does not get out through ${how}`, async () => {
      const tools = {
        echo,
        fail() {
          throw new Error("x");
        },
      };
      assert.equal(await run(source, { tools }), "undefined".repeat(4));
    });
  }

  it("shows its tools the paths of nothing that is not its own", async () => {
    const stack = await run("try { await tools.fail() } catch ({ stack }) { return stack }", {
      tools: {
        fail() {
          throw new Error("x");
        },
      },
    });
    assert.deepEqual(
      [...new Set(stack.match(/[\w./:-]+:\d+/g))].filter((at) => !/^(program|prelude):/.test(at)),
      [],
    );
  });

  it("fools nobody but itself when it changes the built-ins", async () => {
    const seen: unknown[] = [];
    const tools = { echo: (args: unknown) => (seen.push(args), "real") };
    const source = `
      const evil = () => { throw new Error("evil") };
      const { defineProperty } = Object;
      const spoilt = [];
      for (const name of Object.getOwnPropertyNames(globalThis)) {
        if (name === "tools" || name === "console") continue;
        for (const owner of [globalThis[name], globalThis[name]?.prototype]) {
          if (owner !== Object(owner)) continue;
          for (const key of Reflect.ownKeys(owner)) {
            // Asked by its own await.
            if (owner !== Promise.prototype || key !== "constructor") spoilt.push([owner, key]);
          }
        }
      }
      for (const key of ["1", "then", "tool", "json", "error", "next", "resolve", "reject"]) {
        spoilt.push([Object.prototype, key]);
      }
      let count = 0;
      // Nothing but syntax from here on: there is nothing left to call.
      for (let i = 0; i < spoilt.length; i++) {
        const pair = spoilt[i];
        try { defineProperty(pair[0], pair[1], { get: evil, set: evil, configurable: true }); count++ } catch {}
      }
      if (count < 500) return "only " + count;
      return await tools.echo({ a: 1 });`;
    assert.equal(await run(source, { tools }), "real");
    assert.deepEqual(seen, [{ a: 1 }]);
    assert.equal(({} as { tool?: unknown }).tool, undefined);
    assert.equal(await run("return [typeof JSON, await tools.echo()]", { tools }), '["object","real"]');
  });

  it("gives its own arguments another shape with toJSON, and nothing else", async () => {
    const seen: unknown[] = [];
    const tools = { echo: (args: unknown) => (seen.push(args), "real") };
    const source = "Object.prototype.toJSON = () => ({ forged: true }); return await tools.echo({ a: 1 })";
    assert.equal(await run(source, { tools }), "real");
    assert.deepEqual(seen, [{ forged: true }]);
    assert.equal(({} as { toJSON?: unknown }).toJSON, undefined);
  });

  it("decides itself what becomes of its promises, and of nothing else", async () => {
    const evil = "(resolve) => { resolve('forged') }";
    assert.equal(
      await run(`Promise.prototype.then = ${evil}; return await { then: ${evil} }`),
      "forged",
    );
    const seen: unknown[] = [];
    const tools = { echo: (args: unknown) => (seen.push(args), "real") };
    assert.equal(
      await run(`Promise.prototype.then = ${evil}; return await tools.echo(1)`, { tools }),
      "real",
    );
    assert.deepEqual(seen, [1]);
  });

  it("hands __proto__ and constructor over as ordinary names", async () => {
    const seen: unknown[] = [];
    const json = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    await run(`await tools.echo(JSON.parse('${json}'))`, {
      tools: { echo: (args: unknown) => void seen.push(args) },
    });
    assert.deepEqual(Object.keys(seen[0] as object), ["__proto__", "constructor"]);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it("calls tools of any name", async () => {
    const names = [
      "__proto__",
      "constructor",
      "then",
      "my-tool",
      "a b",
      '"',
      "toString",
      "1",
      "__defineGetter__",
    ];
    const tools: Record<string, (args: unknown) => unknown> = Object.create(null);
    for (const name of names) {
      Object.defineProperty(tools, name, { value: () => name, enumerable: true });
    }
    const source =
      "const said = []; for (const name of Object.keys(tools)) said.push(await tools[name]()); return said";
    const said = JSON.parse(await run(source, { tools })) as string[];
    assert.deepEqual(said.sort(), [...names].sort());
  });

  it("is not able to change its tools or console", async () => {
    const tools = { echo };
    for (
      const source of [
        "tools.echo = 1",
        "tools.more = 1",
        "delete tools.echo",
        "globalThis.tools = {}",
        "delete globalThis.tools",
        "console.log = 1",
        "globalThis.console = {}",
        "Object.setPrototypeOf(tools, {})",
        "Object.defineProperty(tools, 'echo', { value: 1 })",
      ]
    ) {
      const error = await failure(`"use strict"; ${source}`, { tools });
      assert.match(error.message, /\(exception\): TypeError/, source);
    }
  });

  it("shares nothing with another one that runs at the same time", async () => {
    const gates = [deferred(), deferred()];
    const begun = [deferred(), deferred()];
    const run1 = (name: string, index: number) =>
      run(
        `globalThis.mine ??= "${name}"; Object.prototype.mine ??= "${name}"; await tools.wait();
        return [globalThis.mine, ({}).mine]`,
        {
          tools: {
            async wait() {
              begun[index]?.resolve();
              await gates[index]?.promise;
            },
          },
        },
      );
    const runs = ["a", "b"].map(run1);
    await Promise.all(begun.map(({ promise }) => promise));
    gates[1]?.resolve();
    assert.equal(await runs[1], '["b","b"]');
    assert.equal((await failure("const all = []; for (;;) all.push(new Uint8Array(1e6))")).kind, "memory");
    gates[0]?.resolve();
    assert.equal(await runs[0], '["a","a"]');
  });

  it("starts another one in a tool", async () => {
    const inner = (args: { depth: number }): Promise<string> =>
      args.depth === 0
        ? Promise.resolve("end")
        : run(`return await tools.inner({ depth: ${args.depth - 1} })`, {
          tools: { inner },
        });
    assert.equal(await run("return await tools.inner({ depth: 3 })", { tools: { inner } }), "end");
  });
});
