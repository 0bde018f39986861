import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CodeRunFailedError, type CodeRunFailure } from "./code_run_failed_error.ts";
import { echo, failure, LIMITS, type Run, run } from "./program_fixtures_test.ts";

const OUTPUT = { limits: { maxOutput: 100 } };

describe("runProgram()", () => {
  const failures: readonly (readonly [
    what: string,
    source: string,
    kinds: CodeRunFailure | readonly CodeRunFailure[],
    options?: Run,
  ])[] = [
    ["fills its memory with bytes", "const all = []; for (;;) all.push(new Uint8Array(1e6))", "memory"],
    ["fills its memory with objects", "let a; for (;;) a = { a }", "memory"],
    [
      "fills its memory with pending promises",
      "const all = []; for (;;) all.push(new Promise(() => {}))",
      "memory",
    ],
    ["fills its memory with jobs", "for (;;) Promise.resolve().then(() => {})", "memory"],
    ["fills its memory with names", "const o = {}; for (let i = 0;; i++) o['a' + i] = i", "memory"],
    ["makes a text that is too long", 'let s = "x"; for (;;) s += s', ["memory", "exception"]],
    ["makes a long text piece by piece", 'let s = ""; for (;;) s += "y".repeat(1e5) + s.length', [
      "memory",
      "exception",
    ]],
    ["nests too deeply", "const f = () => f(); f()", "exception"],
    ["nests getters too deeply", "const o = { get a() { return this.a } }; return o.a", "exception"],
    [
      "nests a value that is made JSON of too deeply",
      "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a).length",
      ["exception", "crash", "memory"],
    ],
    ["is nested too deeply", "(".repeat(100_000), ["crash", "syntax"]],
    ["compiles what is nested too deeply", 'eval("[".repeat(1e6))', ["crash", "exception"]],
    ["reads JSON that is nested too deeply", 'JSON.parse("[".repeat(1e6))', ["crash", "exception"]],
    ["compiles a pattern that is nested too deeply", 'new RegExp("(".repeat(1e5))', ["crash", "exception"]],
    ["says too much at once", 'console.log("x".repeat(101))', "output", OUTPUT],
    ["says too many things", 'for (;;) console.log("x")', "output", OUTPUT],
    ["says nothing too often", "for (;;) console.log()", "output", OUTPUT],
    [
      "goes on in spite of having said too much",
      'for (;;) try { console.log("x") } catch {}',
      "output",
      OUTPUT,
    ],
    ["returns too much", 'return "x".repeat(101)', "output", OUTPUT],
    ["says and returns too much", 'console.log("x".repeat(60)); return "x".repeat(60)', "output", OUTPUT],
    ["calls too often", "for (;;) await tools.echo()", "calls", { tools: { echo } }],
    ["queues too many calls", "for (;;) tools.echo()", "calls", { tools: { echo } }],
    ["queues too many calls and waits", "for (let i = 0; i < 51; i++) tools.echo(); await null", "calls", {
      tools: { echo },
    }],
  ];
  for (const [what, source, kinds, options] of failures) {
    it(`fails when the program ${what}, and the next one is well`, async () => {
      const error = await failure(source, options);
      assert.ok([kinds].flat().includes(error.kind), error.message.slice(0, 200));
      assert.equal(await run("return await tools.echo({ a: 1 })", { tools: { echo } }), '{"a":1}');
    });
  }

  it("says how much was too much, and what the program said until then", async () => {
    const messages = await Promise.all([
      failure("console.log('a'); const all = []; for (;;) all.push(new Uint8Array(1e6))"),
      failure("for (;;) await tools.echo()", { tools: { echo } }),
      failure('console.log("x".repeat(7)); return "yyyy"', { limits: { maxOutput: 10 } }),
    ]);
    assert.deepEqual(messages.map(({ message }) => message), [
      "code run failed (memory): more than 25165824 bytes of memory\na",
      "code run failed (calls): more than 50 tool calls",
      "code run failed (output): more than 10 characters of output\nxxxxxxx\nyy",
    ]);
  });

  it("takes nothing for want of memory that is something else, when there is little of it", async () => {
    const limits = { memoryBytes: 16 * 1024 * 1024 };
    const kinds = await Promise.all(
      ["throw null", "await new Promise(() => {})", "const all = []; for (;;) all.push(new Uint8Array(1e6))"]
        .map(async (source) => (await failure(source, { limits })).kind),
    );
    assert.deepEqual(kinds, ["exception", "deadlock", "memory"]);
  });

  it("cuts what a program throws", async () => {
    const { message } = await failure('throw new Error("x".repeat(1e6))', { limits: { maxOutput: 10 } });
    assert.equal(message, "code run failed (exception): xxxxxxxxxx (line 1)");
  });

  it("makes the last call that is allowed, and has room for the last character", async () => {
    let calls = 0;
    const source = "for (let i = 0; i < 50; i++) await tools.count(); return 'x'.repeat(10_000)";
    assert.equal((await run(source, { tools: { count: () => ++calls } })).length, LIMITS.maxOutput);
    assert.equal(calls, LIMITS.maxCalls);
  });

  it("throws in the program when the arguments of a call are too long, and makes no call", async () => {
    let calls = 0;
    const source = 'const a = "x".repeat(1e6); return await tools.count(a).catch(String)';
    assert.equal(
      await run(source, { tools: { count: () => ++calls } }),
      "RangeError: arguments of count must be at most 100000 characters of JSON",
    );
    assert.equal(calls, 0);
  });

  it("keeps the arguments of calls that wait in the memory of the program", async () => {
    const source = `
      let refused = 0;
      for (let i = 0; i < 1000; i++) tools.echo("x".repeat(99_990)).catch(() => { refused++ });
      for (let i = 0; i < 9; i++) await null;
      return 1000 - refused`;
    const running = run(source, { tools: { echo }, limits: { maxCalls: 1000 } });
    // Where it runs out of memory decides whether the program is able to go on.
    const made = await running.catch((error: unknown) => CodeRunFailedError.is(error) ? error.kind : error);
    assert.ok(made === "memory" || Number(made) * 99_990 < LIMITS.memoryBytes, String(made));
  });

  it("fails when a tool says more than there is room for", async () => {
    const tools = { flood: () => "x".repeat(30_000_000) };
    assert.equal((await failure("await tools.flood(); return 1", { tools })).kind, "memory");
    const almost = { flood: () => "x".repeat(20_000_000) };
    assert.ok(
      ["memory", "crash"].includes(
        (await failure("return (await tools.flood()).length", { tools: almost })).kind,
      ),
    );
  });

  it("frees what tools said when the program is done with it", async () => {
    const tools = { much: () => "x".repeat(1_000_000) };
    const source = "let n = 0; for (let i = 0; i < 45; i++) n += (await tools.much()).length; return n";
    assert.equal(await run(source, { tools }), "45000000");
  });
});
