import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { deferred, isSettled } from "../agent_fixtures_test.ts";
import { echo, failure, type Run, run } from "./program_fixtures_test.ts";

describe("runProgram()", () => {
  const programs: readonly (readonly [what: string, source: string, output: string])[] = [
    ["a value", "return 6 * 7", "42"],
    ["text as it is", 'return "a\\nb"', "a\nb"],
    ["an object as JSON", "return { a: [1, null] }", '{"a":[1,null]}'],
    ["null, which is something", "return null", "null"],
    ["nothing", "", ""],
    [
      "what was printed, then what was returned",
      'console.log("a", 1, { b: 2 }); console.error(undefined); return 3',
      'a 1 {"b":2}\nundefined\n3',
    ],
    ["empty lines", 'console.log(""); console.log(); return "a"', "\n\na"],
    [
      "what an error says",
      'console.log(new Error("a"), new RangeError("b")); return new TypeError("c")',
      "a RangeError: b\nTypeError: c",
    ],
    ["what was awaited", "return await Promise.all([1, Promise.resolve(2)])", "[1,2]"],
    ["a value that JSON does not know", "return Symbol.iterator", "Symbol(Symbol.iterator)"],
    ["a number without end", "return 10n ** 20n", "100000000000000000000"],
    ["a function", "return () => 1", "() => 1"],
    ["what a circle is called", "const a = {}; a.a = a; return a", "[object Object]"],
    ["a program that ends in a comment", "return 1 // one", "1"],
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

  it("leaves members out that are undefined, and takes a date for its text", async () => {
    const source = "return await tools.echo({ a: undefined, b: new Date(0), c: Object.create(null) })";
    assert.equal(await run(source, { tools: { echo } }), '{"b":"1970-01-01T00:00:00.000Z","c":{}}');
  });

  for (
    const [args, words] of [
      ["() => {}", " there is a function"],
      ["{ a: NaN }", ' at "a" there is NaN'],
      ["[-Infinity]", ' at "0" there is -Infinity'],
      ["[undefined]", ' at "0" there is undefined'],
      ["{ a: Symbol() }", ' at "a" there is a symbol'],
      ["{ a: new Map() }", ' at "a" there is no plain object'],
      ["{ a: tools.echo() }", ' at "a" there is a promise; await it first'],
      ["{ toJSON() {} }", " there is undefined"],
    ] as const
  ) {
    it(`does not make a call with the arguments ${args}, which JSON would change`, async () => {
      let calls = 0;
      const source = `return await tools.echo(${args}).catch((error) => error.message)`;
      assert.equal(
        await run(source, { tools: { echo: () => calls++ } }),
        `arguments of echo must survive JSON;${words}`,
      );
      assert.equal(calls, 0);
    });
  }

  it("carries every character, both ways", async () => {
    const odd = "a\0b\ud800c\u2028\u{1f600}\udfff";
    const seen: unknown[] = [];
    const tools = { say: (args: unknown) => (seen.push(args), odd) };
    const source = `const odd = ${
      JSON.stringify(odd)
    }; console.log(odd); return odd === await tools.say(odd)`;
    assert.equal(await run(source, { tools }), `${odd}\ntrue`);
    assert.deepEqual(seen, [odd]);
  });

  it("gives every JSON value to a tool and back as it is", async () => {
    const values = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const json = JSON.stringify(given);
        const seen: unknown[] = [];
        const tools = { echo: (args: unknown) => (seen.push(args), JSON.stringify(args)) };
        const source = `return await tools.echo(JSON.parse(${JSON.stringify(json)}))`;
        assert.equal(await run(source, { tools }), json);
        assert.deepEqual(seen, [JSON.parse(json)]);
      }),
      { numRuns: 60 },
    );
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
      (await failure("\nconst a = 1;\nawait tools.fail()", { tools })).message,
      "code run failed (exception): Error: denied (line 3)",
    );
  });

  it("does not make calls that wait when the program ends", async () => {
    const made: number[] = [];
    const tools = { t: (_: unknown, number: number) => void made.push(number) };
    assert.equal(await run("tools.t(); tools.t(); return 'done'", { tools }), "done");
    assert.deepEqual(made, []);
    assert.equal(await run("tools.t(); await tools.t(); tools.t(); return 'done'", { tools }), "done");
    assert.deepEqual(made, [1, 2]);
    assert.equal((await failure("tools.t(); throw new Error('no')", { tools })).kind, "exception");
    assert.deepEqual(made, [1, 2]);
  });

  it("is over when the program has returned, whatever else goes on in it", async () => {
    const source = `
      (async () => { for (;;) await null })();
      (async () => { for (let i = 0; i < 9; i++) await null; console.log("late") })();
      Promise.reject(new Error("nobody looks"));
      return "done"`;
    assert.equal(await run(source), "done");
  });

  const failures:
    readonly (readonly [what: string, source: string, message: string | RegExp, options?: Run])[] = [
      ["is no JavaScript", "\n\nconst = 1", /^code run failed \(syntax\): .+ \(line 3\)$/],
      ["imports", 'import fs from "fs"', /^code run failed \(syntax\): /],
      [
        "closes the function it stands in",
        "}); globalThis.x = 1; (() => {",
        "code run failed (syntax): it is more than the body of a function",
      ],
      [
        "does something behind that function",
        "}); throw new RangeError('no'); (() => {",
        /\(syntax\): RangeError: no/,
      ],
      [
        "throws an error",
        '\nthrow new TypeError("no")',
        "code run failed (exception): TypeError: no (line 2)",
      ],
      ["throws text", 'throw "no"', "code run failed (exception): no"],
      ["throws an object", "throw { code: 1 }", 'code run failed (exception): {"code":1}'],
      ["throws nothing", "throw undefined", "code run failed (exception): undefined"],
      [
        "throws something else",
        "throw { toJSON() { throw 1 }, toString() { throw 1 } }",
        "code run failed (exception): the program threw something that cannot be shown",
      ],
      [
        "throws a proxy",
        "throw new Proxy({}, { get() { throw 1 } })",
        "code run failed (exception): the program threw something that cannot be shown",
      ],
      [
        "returns what cannot be shown",
        "return { toJSON() { throw 1 }, toString() { throw new Error('no') } }",
        "code run failed (exception): no (line 1)",
      ],
      [
        "said something before it failed",
        'console.log("so far"); throw new Error("no")',
        "code run failed (exception): no (line 1)\nso far",
      ],
      [
        "waits for nothing",
        'console.log("a"); await new Promise(() => {})',
        "code run failed (deadlock): the program waits for something that will never come\na",
      ],
      [
        "gives a tool a circle",
        "const a = {}; a.a = a; await tools.echo(a)",
        /\(exception\): TypeError: circular/,
        {
          tools: { echo },
        },
      ],
      ["calls what is no tool", "await tools.rm()", /\(exception\): TypeError: not a function \(line 1\)$/],
      [
        "waits for a clock",
        "setTimeout(() => {}, 1)",
        /ReferenceError: .*setTimeout.* is not defined \(line 1\)$/,
      ],
    ];
  for (const [what, source, message, options] of failures) {
    it(`fails when the program ${what}`, async () => {
      const error = await failure(source, options);
      if (typeof message === "string") assert.equal(error.message, message);
      else assert.match(error.message, message);
    });
  }

  it("ends when nobody waits any longer: the tool is told, and not waited for", async () => {
    const controller = new AbortController();
    const begun = deferred<AbortSignal>();
    const tools = {
      hang(_: unknown, _number: number, signal: AbortSignal) {
        begun.resolve(signal);
        return new Promise(() => {});
      },
    };
    const source = 'console.log("begun"); try { await tools.hang() } finally { console.log("never") }';
    const running = run(source, { tools, signal: controller.signal });
    const signal = await begun.promise;
    assert.deepEqual([await isSettled(running), signal.aborted], [false, false]);
    controller.abort(new Error("the turn is over"));
    await assert.rejects(running, {
      code: "CODE_RUN_FAILED",
      kind: "aborted",
      message: "code run failed (aborted): nobody waits for the program any longer\nbegun",
    });
    assert.equal(signal.reason, controller.signal.reason);
  });

  it("does not begin when nobody waits", async () => {
    const error = await failure("console.log('begun')", { signal: AbortSignal.abort() });
    assert.equal(error.message, "code run failed (aborted): nobody waits for the program any longer");
  });

  it("rejects with what its host's own code throws", async () => {
    const thrown = new Error("of the host");
    const { runProgram } = await import("./run_program.ts");
    const { LIMITS } = await import("./program_fixtures_test.ts");
    const callTool = () => Promise.reject(thrown);
    await assert.rejects(
      runProgram("await tools.a()", { toolNames: ["a"], callTool, limits: LIMITS }),
      (error) => error === thrown,
    );
  });
});
