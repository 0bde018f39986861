import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { JsonValue } from "../../schema/json_value.ts";
import { isSettled } from "../agent_fixtures_test.ts";
import { CodeRunFailedError } from "./code_run_failed_error.ts";
import { type CallOutcome, type ProgramLimits, type ProgramParts, runProgram } from "./run_program.ts";
import { loadQuickJs } from "./sandbox.ts";

const LIMITS: ProgramLimits = {
  computeMs: 2000,
  memoryBytes: 16 * 1024 * 1024,
  maxCalls: 50,
  maxOutput: 10_000,
  now: () => performance.now(),
};

interface Run {
  readonly limits?: Partial<ProgramLimits>;
  readonly tools?: Readonly<Record<string, (args: never, number: number) => unknown>>;
  readonly signal?: AbortSignal;
}

/** Runs a program; what a tool of the test throws is a failed call. */
function run(source: string, { limits, tools = {}, signal }: Run = {}): Promise<string> {
  const callTool: ProgramParts["callTool"] = async (number, name, args): Promise<CallOutcome> => {
    try {
      const value = await tools[name]?.(args as never, number);
      return { isError: false, text: typeof value === "string" ? value : JSON.stringify(value ?? null) };
    } catch (error) {
      return { isError: true, text: (error as Error).message };
    }
  };
  return runProgram(source, {
    toolNames: Object.keys(tools),
    callTool,
    limits: { ...LIMITS, ...limits },
    signal,
  });
}

async function failure(source: string, options?: Run): Promise<CodeRunFailedError> {
  let output: string;
  try {
    output = await run(source, options);
  } catch (error) {
    assert.ok(CodeRunFailedError.is(error), String(error));
    return error;
  }
  assert.fail(`returned ${output}`);
}

const echo = (args: unknown) => args;

describe("runProgram()", () => {
  const programs: readonly (readonly [string, string, string])[] = [
    ["a value", "return 6 * 7", "42"],
    ["text as it is", 'return "a\\nb"', "a\nb"],
    ["an object as JSON", "return { a: [1, null] }", '{"a":[1,null]}'],
    ["nothing", "", ""],
    [
      "what was printed, then what was returned",
      'console.log("a", 1, { b: 2 }); console.error(undefined); return 3',
      'a 1 {"b":2}\nundefined\n3',
    ],
    ["what was awaited", "return await Promise.all([1, Promise.resolve(2)])", "[1,2]"],
    ["a value that JSON does not know", "return Symbol.iterator", "Symbol(Symbol.iterator)"],
    ["a function", "return () => 1", "() => 1"],
    ["what a circle is called", "const a = {}; a.a = a; return a", "[object Object]"],
  ];
  for (const [what, source, output] of programs) {
    it(`gives ${what}`, async () => assert.equal(await run(source), output));
  }

  it("makes calls one after the other, in the order of the program, and counts them", async () => {
    const made: string[] = [];
    let running = 0;
    const tools = {
      async "a-b"(args: { n: number }, number: number) {
        assert.equal(++running, 1);
        made.push(`${number}: ${args.n}`);
        await new Promise((resolve) => setTimeout(resolve));
        running--;
        return `r${args.n}`;
      },
    };
    assert.equal(
      await run('return await Promise.all([1, 2, 3].map((n) => tools["a-b"]({ n })))', { tools }),
      '["r1","r2","r3"]',
    );
    assert.deepEqual(made, ["1: 1", "2: 2", "3: 3"]);
  });

  it("calls a tool without arguments with an empty object", async () => {
    assert.equal(await run("return await tools.echo()", { tools: { echo } }), "{}");
  });

  it("carries text as it is, NUL and half a pair included", async () => {
    const odd = "a\0b\ud800c\u2028";
    const seen: unknown[] = [];
    const tools = { say: (args: unknown) => (seen.push(args), odd) };
    const source = `const odd = ${
      JSON.stringify(odd)
    }; console.log(odd); return [odd === await tools.say(odd), "\0"].join("")`;
    assert.equal(await run(source, { tools }), `${odd}\ntrue\0`);
    assert.deepEqual(seen, [odd]);
  });

  it("throws the text of a failed call in the program, which may go on", async () => {
    const tools = {
      fail() {
        throw new Error("Error: denied");
      },
    };
    assert.equal(
      await run(
        "try { await tools.fail() } catch (error) { return [error instanceof Error, error.message] }",
        { tools },
      ),
      '[true,"Error: denied"]',
    );
    assert.equal(
      (await failure("await tools.fail()", { tools })).message,
      "code run failed (exception): Error: denied",
    );
  });

  it("does not make calls that wait when the program ends", async () => {
    const made: number[] = [];
    const tools = { t: (_: unknown, number: number) => void made.push(number) };
    assert.equal(await run("tools.t(); tools.t(); return 'done'", { tools }), "done");
    assert.deepEqual(made, []);
    assert.equal(await run("tools.t(); await tools.t(); tools.t(); return 'done'", { tools }), "done");
    assert.deepEqual(made, [1, 2]);
  });

  it("gives every JSON value to a tool and back as it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (given) => {
        const value = JSON.parse(JSON.stringify(given)) as JsonValue;
        const seen: unknown[] = [];
        const tools = {
          echo: (
            args: unknown,
          ) => (seen.push(args), args === null || typeof args !== "string" ? args : JSON.stringify(args)),
        };
        const source = `const value = JSON.parse(${JSON.stringify(JSON.stringify(value))});
          return JSON.parse(await tools.echo(value))`;
        const output = await run(source, { tools });
        assert.deepEqual(seen, [value]);
        assert.deepEqual(typeof value === "string" ? output : JSON.parse(output), value);
      }),
      { numRuns: 40 },
    );
  });

  const failures: readonly (readonly [what: string, source: string, message: RegExp, options?: Run])[] = [
    ["is no JavaScript", "const = 1", /^code run failed \(syntax\): /],
    ["closes the function it stands in", "}); globalThis.x = 1; (() => {", /^code run failed \(syntax\)/],
    ["throws an error", 'throw new TypeError("no")', /^code run failed \(exception\): TypeError: no$/],
    ["throws something else", "throw { toString() { throw 1 } }", /^code run failed \(exception\): /],
    ["throws nothing", "throw undefined", /^code run failed \(exception\): undefined$/],
    [
      "throws a proxy",
      "throw new Proxy({}, { get() { throw 1 } })",
      /\(exception\): the program threw something that cannot be shown$/,
    ],
    [
      "said something before it failed",
      'console.log("so far"); throw new Error("no")',
      /^code run failed \(exception\): no\nso far$/,
    ],
    ["loops for ever", "while (true);", /^code run failed \(timeout\): more than 100 ms of computing$/, {
      limits: { computeMs: 100 },
    }],
    [
      "catches the interrupt in a loop",
      "while (true) { try { while (true); } catch {} finally { continue } }",
      /\(timeout\)/,
      { limits: { computeMs: 100 } },
    ],
    [
      "fills the queue of jobs for ever",
      "const f = () => Promise.resolve().then(f); await f()",
      /\(timeout\)/,
      { limits: { computeMs: 100 } },
    ],
    ["loops in a thenable", "const t = { then(r) { r(t) } }; await t", /\(timeout\)/, {
      limits: { computeMs: 100 },
    }],
    ["loops in toJSON", "await tools.echo({ toJSON() { while (true); } })", /\(timeout\)/, {
      limits: { computeMs: 100 },
      tools: { echo },
    }],
    ["loops in a getter of its result", "return { get a() { while (true); } }", /\(timeout\)/, {
      limits: { computeMs: 100 },
    }],
    ["loops behind a tool call", "await tools.echo(); while (true);", /\(timeout\)/, {
      limits: { computeMs: 100 },
      tools: { echo },
    }],
    [
      "loops in a regular expression",
      'return /^(a+)+$/.test("a".repeat(40) + "b")',
      /\((timeout|exception)\)/,
      { limits: { computeMs: 200 } },
    ],
    [
      "fills its memory",
      "const all = []; while (true) all.push(new Uint8Array(1e6))",
      /^code run failed \(memory\): /,
    ],
    [
      "makes a text that is too long",
      'let s = "x"; while (true) s += s',
      /^code run failed \((memory|exception)\): /,
    ],
    ["nests too deeply", "const f = () => f(); f()", /\(exception\): InternalError: stack overflow/],
    [
      "nests too deeply in JSON",
      "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a).length",
      /\((exception|crash|memory)\)/,
    ],
    [
      "says too much",
      'for (;;) console.log("x".repeat(1000))',
      /^code run failed \(output\): more than 10000 characters of output\nx/,
    ],
    ["returns too much", 'return "x".repeat(10001)', /\(output\)/],
    [
      "calls too often",
      "for (;;) await tools.echo()",
      /^code run failed \(calls\): more than 50 tool calls/,
      { tools: { echo } },
    ],
    ["queues too many calls", "for (;;) tools.echo()", /\(calls\)/, { tools: { echo } }],
    ["waits for nothing", "await new Promise(() => {})", /^code run failed \(deadlock\): /],
    [
      "gives a tool what is no JSON",
      "await tools.echo(() => {})",
      /\(exception\): TypeError: arguments of a tool must be JSON/,
      { tools: { echo } },
    ],
    [
      "gives a tool a circle",
      "const a = {}; a.a = a; await tools.echo(a)",
      /\(exception\): TypeError: circular reference/,
      { tools: { echo } },
    ],
    ["calls what is no tool", "await tools.rm()", /\(exception\): TypeError: not a function/],
  ];
  for (const [what, source, message, options] of failures) {
    it(`fails when the program ${what}`, async () => {
      assert.match((await failure(source, options)).message, message);
      // Whatever it did to its engine, the next one is well.
      assert.equal(await run("return 1"), "1");
    });
  }

  it("ends when nobody waits any longer, without waiting for the tool", async () => {
    const controller = new AbortController();
    const tools = { hang: () => new Promise(() => {}) };
    const running = run('console.log("begun"); await tools.hang()', { tools, signal: controller.signal });
    assert.equal(await isSettled(running), false);
    controller.abort();
    await assert.rejects(running, {
      code: "CODE_RUN_FAILED",
      message: "code run failed (aborted): nobody waits for the program any longer\nbegun",
    });
  });

  it("does not count the time that tools take", async () => {
    const clock = { ms: 0 };
    const tools = { slow: () => ((clock.ms += 60_000), "ok") };
    const limits = { computeMs: 100, now: () => clock.ms };
    assert.equal(await run("await tools.slow(); return await tools.slow()", { tools, limits }), "ok");
  });

  it("counts all the computing of a program together", async () => {
    let ms = 0;
    const limits = { computeMs: 100, now: () => ms += 10 };
    assert.equal(
      (await failure("for (;;) await tools.echo()", {
        limits: { ...limits, maxCalls: 1000 },
        tools: { echo },
      })).kind,
      "timeout",
    );
  });

  it("has nothing but the language, tools and console", async () => {
    const names =
      "process require fetch setTimeout setInterval queueMicrotask WebAssembly Deno Bun XMLHttpRequest importScripts std os print scriptArgs";
    assert.equal(
      await run(`return "${names}".split(" ").filter((name) => name in globalThis)`),
      "[]",
    );
    assert.match((await failure('await import("os")')).message, /\(exception\)/);
    assert.equal(await run("return Object.getOwnPropertyNames(tools)", { tools: { echo } }), '["echo"]');
  });

  const escapes: readonly (readonly [string, string])[] = [
    ["the constructor of a tool", 'return tools.echo.constructor("return typeof process + typeof Deno")()'],
    [
      "the constructor of an error",
      'try { await tools.fail() } catch (e) { return e.constructor.constructor("return typeof process + typeof Deno")() }',
    ],
    [
      "the constructor of console.log",
      'return console.log.constructor("return typeof process + typeof Deno")()',
    ],
    ["indirect eval", 'return (0, eval)("typeof process + typeof Deno")'],
  ];
  for (const [how, source] of escapes) {
    it(`lets nobody out through ${how}`, async () => {
      const tools = {
        echo,
        fail() {
          throw new Error("x");
        },
      };
      assert.equal(await run(source, { tools }), "undefinedundefined");
    });
  }

  it("fools nobody but the program when the built-ins are changed", async () => {
    const seen: unknown[] = [];
    const tools = { echo: (args: unknown) => (seen.push(args), "real") };
    const source = `
      Object.prototype.toJSON = function () { return { forged: true } };
      Object.prototype.isError = true;
      JSON.stringify = () => '{"forged":1}'; JSON.parse = () => 1;
      Array.prototype.push = () => { throw 1 }; Map.prototype.get = () => 1;
      Promise.prototype.then = function () { throw new Error("then") };
      globalThis.Promise = class {}; globalThis.Error = class {}; globalThis.String = () => "forged";
      Object.defineProperty(Object.prototype, "resolve", { set() { throw 1 }, get() { return () => 1 } });
      return await tools.echo({ a: 1 })`;
    assert.equal(await run(source, { tools }), "real");
    // toJSON is the program's own way to say what its arguments are.
    assert.deepEqual(seen, [{ forged: true }]);
    assert.equal(({} as { forged?: unknown }).forged, undefined);
    assert.equal(
      await run("return [typeof Object.prototype.toJSON, await tools.echo()]", { tools }),
      '["undefined","real"]',
    );
  });

  it("hands __proto__ over as an ordinary name", async () => {
    const seen: unknown[] = [];
    await run('await tools.echo(JSON.parse(\'{"__proto__":{"polluted":true}}\'))', {
      tools: { echo: (args: unknown) => void seen.push(args) },
    });
    assert.deepEqual(Object.keys(seen[0] as object), ["__proto__"]);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it("does not let a program change its tools or console", async () => {
    assert.match(
      (await failure('"use strict"; tools.echo = () => "forged"', { tools: { echo } })).message,
      /\(exception\): TypeError/,
    );
    assert.match((await failure('"use strict"; console.log = 1')).message, /\(exception\): TypeError/);
  });

  it("keeps programs apart that run at the same time", async () => {
    const gates: (() => void)[] = [];
    const tools = { wait: () => new Promise<string>((resolve) => gates.push(() => resolve("ok"))) };
    const runs = ["a", "b"].map((name) =>
      run(`globalThis.mine ??= "${name}"; await tools.wait(); return globalThis.mine`, { tools })
    );
    while (gates.length < 2) await new Promise((resolve) => setTimeout(resolve));
    for (const open of gates) open();
    assert.deepEqual(await Promise.all(runs), ["a", "b"]);
  });

  for (
    const [how, source] of [
      ["makes promises", "for (;;) new Promise(() => { for (;;); })"],
      [
        "makes promises and catches",
        "for (;;) { try { new Promise(() => { for (let i = 0; i < 9999; i++); }) } catch {} }",
      ],
      ["throws in executors", "for (;;) tools.echo(() => {})"],
      ["sorts", "for (;;) { try { [2, 1].sort(() => { for (;;); }) } catch {} }"],
      [
        "iterates",
        "for (;;) { try { for (const _ of { [Symbol.iterator]: () => ({ next: () => { for (;;); }, return() { for (;;); } }) }); } catch {} }",
      ],
    ] as const
  ) {
    it(`stops a program that ${how} without end, though the built-ins swallow the interrupt`, async () => {
      assert.equal((await failure(source, { limits: { computeMs: 100 }, tools: { echo } })).kind, "timeout");
    });
  }

  it("leaves no memory behind, whatever programs do", async () => {
    for (let count = 0; count < 30; count++) {
      await failure("const all = []; while (true) all.push(new Uint8Array(1e6))");
    }
    assert.equal(await run("return 1"), "1");
  });
});

describe("loadQuickJs()", () => {
  it("says which package to install when it is missing", async () => {
    const cause = new Error("Cannot find package");
    await assert.rejects(loadQuickJs(() => Promise.reject(cause)), {
      message:
        'Code Mode needs the package "quickjs-emscripten": install it beside this one (npm install quickjs-emscripten)',
      cause,
    });
  });
});
