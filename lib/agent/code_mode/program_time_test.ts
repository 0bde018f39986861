import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { echo, failure, run } from "./program_fixtures_test.ts";

/**
 * How much longer than allowed a program may compute before it is stopped, on a busy machine. Without the meter, most of
 * these programs take minutes or for ever.
 */
const SLACK_MS = 20_000;

/** Programs that never end, or as good as never. */
const ENDLESS: readonly (readonly [what: string, source: string])[] = [
  ["loops", "for (;;);"],
  ["loops before it is a program", "}); for (;;); (() => {"],
  ["loops behind a tool call", "await tools.echo(); for (;;);"],
  ["catches what stops it", "for (;;) { try { for (;;); } catch {} finally { continue } }"],
  ["catches what stops it in a finally", "const f = () => { try { for (;;); } finally { f() } }; f()"],
  ["calls itself twice", "const f = () => { f(); f() }; for (;;) try { f() } catch {}"],
  ["fills the queue of jobs", "const f = () => Promise.resolve().then(f); await f()"],
  ["resolves a thenable with itself", "const t = { then(r) { r(t) } }; await t"],
  ["awaits", "for (;;) await null"],
  ["yields", "function* f() { for (;;) yield 1 } for (const _ of f());"],
  ["makes promises", "for (;;) new Promise(() => { for (;;); })"],
  ["throws in executors", "for (;;) tools.echo(() => {}).catch(() => {})"],
  ["sorts", "for (;;) { try { [2, 1].sort(() => { for (;;); }) } catch {} }"],
  [
    "iterates",
    "const next = () => ({ done: false }); for (const _ of { [Symbol.iterator]: () => ({ next }) });",
  ],
  ["loops in a getter of its arguments", "await tools.echo({ get a() { for (;;); } })"],
  ["loops in toJSON of its arguments", "await tools.echo({ toJSON() { for (;;); } })"],
  ["loops in a proxy of its arguments", "await tools.echo(new Proxy({}, { ownKeys() { for (;;); } }))"],
  ["loops in a getter of its result", "return { get a() { for (;;); } }"],
  ["loops in what it prints", "console.log({ toJSON() { for (;;); } })"],
  [
    "loops in the error that it throws",
    "throw Object.defineProperty(new Error(), 'message', { get() { for (;;); } })",
  ],
  [
    "loops in the species of its promise",
    "Promise.prototype.constructor = { get [Symbol.species]() { for (;;); } }; await Promise.resolve().then()",
  ],
  [
    "loops in a setter of a built-in's prototype",
    "Object.prototype.__defineSetter__('0', () => { for (;;); }); [].concat([]).push(1); for (;;);",
  ],
  ["backtracks", '/^(a+)+$/.test("a".repeat(60) + "b")'],
  // From here on no step of a program is taken: the engine does not ask its host whether to go on.
  ["searches what has no end", "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)"],
  ["searches a sparse array", "for (;;) new Array(2 ** 32 - 1).includes(1)"],
  ["searches a sparse array from its end", "for (;;) new Array(2 ** 32 - 1).lastIndexOf(1)"],
  ["joins a sparse array", "for (;;) new Array(2 ** 32 - 1).join('')"],
  ["turns a sparse array round", "for (;;) new Array(2 ** 32 - 1).reverse()"],
  ["looks at every hole", "for (;;) new Array(2 ** 32 - 1).every(() => true)"],
  ["appends what has no end", "[].concat({ length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true })"],
  ["moves holes", "for (;;) new Array(2 ** 32 - 1).copyWithin(0, 1)"],
  ["counts holes", "new Set([].values.call({ length: 2 ** 53 - 1 }))"],
  ["skips holes", "[].values.call({ length: 2 ** 53 - 1 }).drop(2 ** 53 - 2).next()"],
  ["searches text in text", 'for (;;) "a".repeat(2e6).indexOf("a".repeat(1e6) + "b")'],
  ["does little things to much text", 'const a = "a".repeat(5e6); for (;;) a.indexOf("b")'],
  ["sorts many numbers", "for (;;) new Float64Array(1e6).map((_, i) => -i).sort()"],
  [
    "follows a long chain of prototypes",
    "let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); for (;;) o.x",
  ],
];

describe("runProgram()", () => {
  for (const [what, source] of ENDLESS) {
    it(`stops a program in time that ${what} without end`, async () => {
      const begun = performance.now();
      const error = await failure(source, { limits: { computeMs: 100 }, tools: { echo } });
      const took = performance.now() - begun;
      assert.equal(error.message, "code run failed (timeout): more than 100 ms of computing");
      assert.ok(took < 100 + SLACK_MS, `${took} ms`);
    });
  }

  it("does not count the time that tools take", async () => {
    const clock = { ms: 0 };
    const tools = { slow: () => ((clock.ms += 60_000), "ok") };
    const limits = { computeMs: 100, now: () => clock.ms };
    assert.equal(await run("await tools.slow(); return await tools.slow()", { tools, limits }), "ok");
  });

  it("counts all the computing of a program together", async () => {
    let ms = 0;
    const limits = { computeMs: 100, maxCalls: 1000, now: () => ms += 1 };
    const error = await failure("for (;;) await tools.echo()", { limits, tools: { echo } });
    assert.equal(error.kind, "timeout");
  });

  it("ends a program that takes too long, its tool with it", async () => {
    const signals: AbortSignal[] = [];
    const tools = {
      hang: (
        _: unknown,
        _number: number,
        signal: AbortSignal,
      ) => (signals.push(signal), new Promise(() => {})),
    };
    const error = await failure('console.log("a"); await tools.hang()', {
      tools,
      limits: { timeoutMs: 300 },
    });
    assert.equal(error.message, "code run failed (timeout): more than 300 ms, tools included\na");
    assert.deepEqual(signals.map(({ aborted }) => aborted), [true]);
  });

  it("does not hold a program's time against the next one", async () => {
    await Promise.all(Array.from({ length: 3 }, () => failure("for (;;);", { limits: { computeMs: 50 } })));
    assert.equal(await run("return 1"), "1");
  });
});
