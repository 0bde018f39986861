import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runSteps, type StepResult } from "./run_steps.ts";
import type { Step } from "./steps.ts";

/** A step whose command is its name. */
function step(name: string, more: Partial<Step> = {}): Step {
  return { name, holds: `holds ${name}`, command: { command: name, args: ["--now"] }, ...more };
}

/** Runs steps whose ends the test decides, with a clock that stands still. */
class Bench {
  readonly lines: string[] = [];
  readonly begun: string[] = [];
  readonly #ends = new Map<string, (result: StepResult) => void>();
  readonly done: Promise<boolean>;
  #time = 0;

  constructor(steps: readonly Step[]) {
    this.done = runSteps(steps, {
      run: ({ name }) => {
        this.begun.push(name);
        return new Promise((resolve) => this.#ends.set(name, resolve));
      },
      say: (line) => this.lines.push(line),
      now: () => this.#time,
    });
  }

  /** Ends a running step, 1.5 s later, and lets the next ones begin. */
  async end(name: string, result: Partial<StepResult> = {}): Promise<void> {
    this.#time += 1500;
    const end = this.#ends.get(name);
    assert.ok(end, `"${name}" has not begun`);
    end({ passed: true, output: "", ...result });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("runSteps()", () => {
  it("runs two steps at once, in order", async () => {
    const bench = new Bench([step("a"), step("b"), step("c")]);
    assert.deepEqual(bench.begun, ["a", "b"]);
    await bench.end("b");
    assert.deepEqual(bench.begun, ["a", "b", "c"]);
    await bench.end("a");
    await bench.end("c");
    assert.equal(await bench.done, true);
  });

  it("runs a step that must be alone by itself", async () => {
    const bench = new Bench([step("a"), step("b", { alone: true }), step("c")]);
    assert.deepEqual(bench.begun, ["a"]);
    await bench.end("a");
    assert.deepEqual(bench.begun, ["a", "b"]);
    await bench.end("b");
    assert.deepEqual(bench.begun, ["a", "b", "c"]);
    await bench.end("c");
    assert.equal(await bench.done, true);
  });

  it("waits for what a step needs", async () => {
    const bench = new Bench([step("a"), step("b", { needs: ["a"] })]);
    assert.deepEqual(bench.begun, ["a"]);
    await bench.end("a");
    await bench.end("b");
    assert.deepEqual(bench.begun, ["a", "b"]);
  });

  it("reports each step with its time, and the lines that it shows", async () => {
    const bench = new Bench([step("a", { shows: /^\d+ passed/ }), step("b", { alone: true })]);
    await bench.end("a", { output: "noise\n12 passed\nmore noise\n" });
    await bench.end("b", { output: "all is well\n" });
    await bench.done;
    assert.deepEqual(bench.lines, [
      "ok   a              1.5 s  holds a",
      "12 passed",
      "ok   b              1.5 s  holds b",
      "\ncheck passed in 3.0 s",
    ]);
  });

  it("stops at a failure, lets what runs end, and reports the failure's output last", async () => {
    const bench = new Bench([step("a"), step("b"), step("c")]);
    await bench.end("a", { passed: false, output: "line 1\nline 2\n" });
    await bench.end("b");
    assert.equal(await bench.done, false);
    assert.deepEqual(bench.begun, ["a", "b"]);
    assert.deepEqual(bench.lines, [
      "FAIL a              1.5 s  holds a",
      "ok   b              3.0 s  holds b",
      "\na: a --now\nline 1\nline 2",
      '\ncheck failed at "a" after 3.0 s',
    ]);
  });

  it("reports both of two failures", async () => {
    const bench = new Bench([step("a"), step("b")]);
    await bench.end("a", { passed: false });
    await bench.end("b", { passed: false });
    assert.equal(await bench.done, false);
    assert.equal(bench.lines.at(-1), '\ncheck failed at "a" and "b" after 3.0 s');
  });

  it("takes a step that cannot be started for a failure", async () => {
    const lines: string[] = [];
    const run = () => Promise.reject(new Error("Cannot start it"));
    assert.equal(await runSteps([step("a")], { run, say: (line) => lines.push(line), now: () => 0 }), false);
    assert.ok(lines.includes("\na: a --now\nCannot start it"), lines.join("\n"));
  });
});
