import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadEngine } from "./engine/engine_module.ts";
import { SandboxStopped } from "./meter.ts";
import { LIMITS } from "./program_fixtures_test.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

function open(toolNames: readonly string[] = ["echo"], lines: string[] = []): Promise<Sandbox> {
  const limits = { ...LIMITS, maxText: 100 };
  return openSandbox(toolNames, limits, {
    onCall: () => undefined,
    onLog: (text) => (lines.push(text), text === "stop" ? "output" : undefined),
  });
}

/** Starts a program and answers its calls with their own arguments; a call with `{ fail: true }` fails. */
async function drive(source: string): Promise<Sandbox> {
  const sandbox = await open();
  sandbox.start(source);
  for (
    let call = sandbox.nextCall();
    call !== undefined && sandbox.end === undefined;
    call = sandbox.nextCall()
  ) {
    const isError = (call.args as { fail?: unknown } | null)?.fail === true;
    sandbox.settle({ isError, text: JSON.stringify(call.args) });
  }
  return sandbox;
}

describe("Sandbox", () => {
  it("makes no call by itself: it is asked for the next one", async () => {
    const sandbox = await open(["a", "b"]);
    sandbox.start("tools.b({ n: 1 }); return [await tools.a(), await tools.b(2)].join()");
    assert.deepEqual(sandbox.nextCall(), { name: "b", args: { n: 1 } });
    sandbox.settle({ isError: false, text: "1" });
    assert.deepEqual(sandbox.nextCall(), { name: "a", args: {} });
    assert.equal(sandbox.nextCall(), undefined);
    assert.equal(sandbox.end, undefined);
    sandbox.close();
  });

  // The engine complains when it is taken apart and something of it is still in use: nothing below throws in close().
  const programs: readonly (readonly [what: string, source: string, kind: string | undefined])[] = [
    ["returned", "return { a: [1, 'b'] }", "returned"],
    ["threw", "throw new TypeError('no')", "threw"],
    ["is no program", "const = 1", "unreadable"],
    ["is more than a program", "}); null.x; (() => {", "unreadable"],
    ["throws null where it is more than a program", "}); throw null; (() => {", "unreadable"],
    ["waits for ever", "await new Promise(() => {})", undefined],
    ["made calls", "for (let i = 0; i < 20; i++) await tools.echo({ i }); return 1", "returned"],
    [
      "made calls that failed",
      "try { await tools.echo({ fail: true }) } catch (e) { return e.message }",
      "returned",
    ],
    [
      "left calls behind",
      "tools.echo(1); tools.echo(2); await tools.echo(3); tools.echo(4); return 1",
      "returned",
    ],
    [
      "left rejections behind",
      "Promise.reject(new Error('a')); tools.echo({ fail: true }); await tools.echo()",
      "returned",
    ],
    ["left jobs behind", "(async () => { for (;;) await null })(); return 1", "returned"],
    [
      "left generators behind",
      "const g = (function* () { try { yield 1 } finally { } })(); g.next(); return 1",
      "returned",
    ],
    [
      "refers to itself",
      "globalThis.me = globalThis; const a = { tools, console }; a.a = a; globalThis.a = a; return 1",
      "returned",
    ],
    ["printed a lot", "for (let i = 0; i < 100; i++) console.log('x'.repeat(200), {}, i)", "returned"],
    ["ran out of stack", "const f = () => f(); try { f() } catch {} return 1", "returned"],
    [
      "changed the built-ins",
      "for (const k of Reflect.ownKeys(Array.prototype)) Array.prototype[k] = 1; return 1",
      "returned",
    ],
  ];
  for (const [what, source, kind] of programs) {
    it(`leaves nothing of a program that ${what}`, async () => {
      const sandbox = await drive(source);
      assert.equal(sandbox.end?.kind, kind);
      assert.doesNotThrow(() => sandbox.close());
    });
  }

  it("would be noticed to leave something", async () => {
    const engine = await loadEngine();
    const memory = new WebAssembly.Memory({ initial: 256, maximum: 256 });
    const runtime = (await engine.open(memory, () => {})).newRuntime();
    const context = runtime.newContext();
    context.newObject();
    assert.throws(() => {
      context.dispose();
      runtime.dispose();
    }, /list_empty/);
  });

  it("is no more when it is stopped, and says why again and again", async () => {
    const lines: string[] = [];
    const sandbox = await open(["echo"], lines);
    const stopped = (error: unknown) => error instanceof SandboxStopped && error.kind === "output";
    const source = "console.log('a'); console.log('stop'); console.log('b'); tools.echo(); for (;;);";
    assert.throws(() => sandbox.start(source), stopped);
    assert.throws(() => sandbox.nextCall(), stopped);
    assert.throws(() => sandbox.settle({ isError: false, text: "" }), stopped);
    assert.throws(() => sandbox.start("return 1"), stopped);
    sandbox.close();
    assert.deepEqual(lines, ["a", "stop"]);
    assert.equal(sandbox.end, undefined);
  });

  it("stops at once when a program is told to stop with its last breath", async () => {
    const sandbox = await open();
    assert.throws(() => sandbox.start("console.log('stop')"), SandboxStopped);
    assert.equal(sandbox.end?.kind, undefined);
  });

  it("cuts what it says behind the first character too many", async () => {
    const lines: string[] = [];
    const sandbox = await open([], lines);
    sandbox.start(
      "console.log('x'.repeat(100)); console.log('x'.repeat(1e6)); console.log('x'.repeat(99), 'xx')",
    );
    assert.deepEqual(lines.map(({ length }) => length), [100, 101, 101]);
    sandbox.close();
  });
});
