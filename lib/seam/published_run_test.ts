import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { SubagentFailure } from "./errors.ts";
import { publishedRun } from "./published_run.ts";
import type { SubagentResult } from "./types.ts";

const result = Promise.resolve<SubagentResult>({ output: [], stopReason: "completed" });
const line = "Subagent failure (provider: mine; stage: start; category: unknown)";
const disposeLine = "Subagent failure (provider: mine; stage: dispose; category: unknown)";
const refuse = (): never => {
  throw new Error("broken");
};
const unreported = (): never => assert.fail("nothing was to be reported");

function run(overrides: object = {}) {
  return { id: "run-1", localAgent: undefined, result, dispose: () => Promise.resolve(), ...overrides };
}

describe("publishedRun()", () => {
  it("gives id, result and local agent as they are, frozen", async () => {
    const localAgent = { id: "child-1" };
    const published = await publishedRun(run({ localAgent }), "mine", unreported);
    assert.equal(published.id, "run-1");
    assert.equal(published.result, result);
    assert.equal(published.localAgent, localAgent);
    assert.ok(Object.isFrozen(published));
  });

  it("takes a local agent of null for none", async () =>
    assert.equal((await publishedRun(run({ localAgent: null }), "mine", unreported)).localAgent, undefined));

  it("disposes once on the original object, also through await using", async () => {
    let calls = 0;
    const original = run({
      dispose(this: unknown) {
        assert.equal(this, original);
        calls++;
        return Promise.resolve();
      },
    });
    const published = await publishedRun(original, "mine", unreported);
    {
      await using _scope = published;
    }
    const disposal = published.dispose();
    assert.equal(published.dispose(), disposal);
    assert.equal(published[Symbol.asyncDispose](), disposal);
    await disposal;
    assert.equal(calls, 1);
  });

  for (
    const [name, dispose] of [
      ["throws", refuse],
      ["rejects", () => Promise.reject(new Error("broken"))],
    ] as const
  ) {
    it(`shares and reports the failure of a dispose that ${name}`, async () => {
      const reports: unknown[] = [];
      const published = await publishedRun(run({ dispose }), "mine", (...report) => reports.push(report));
      const disposal = published.dispose();
      assert.equal(published.dispose(), disposal);
      await assert.rejects(disposal, { message: "broken" });
      assert.deepEqual(reports, [["dispose", new Error("broken"), "run-1"]]);
    });
  }

  it("reads each field once", async () => {
    const reads: PropertyKey[] = [];
    const watched = new Proxy(run(), {
      get(target, key) {
        reads.push(key);
        return Reflect.get(target, key) as unknown;
      },
    });
    await (await publishedRun(watched, "mine", unreported)).dispose();
    assert.deepEqual(reads, ["result", "dispose", "id", "localAgent"]);
  });

  it("observes the result of a run that it refuses, whose rejection would end the host", async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", listener);
    try {
      const refused = run({ id: 7, result: Promise.reject(new Error("nobody waits for this")) });
      await assert.rejects(publishedRun(refused, "mine", () => {}), { name: "SubagentFailure" });
      await new Promise((resolve) => setTimeout(resolve, 0));
      assert.deepEqual(unhandled, []);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });

  const malformed: readonly (readonly [string, unknown, string])[] = [
    ["undefined", undefined, "start must fulfil with a SubagentRun"],
    ["null", null, "start must fulfil with a SubagentRun"],
    ["a string", "secret", "start must fulfil with a SubagentRun"],
    ["a run without dispose", run({ dispose: undefined }), "run dispose must be a function"],
    ["a run without id", run({ id: undefined }), "run id must be a string"],
    ["a run with a numeric id", run({ id: 7 }), "run id must be a string"],
    ["a run without result", run({ result: undefined }), "run result must be a promise"],
    ["a run whose result is null", run({ result: null }), "run result must be a promise"],
    ["a run whose result is there already", run({ result: { output: [] } }), "run result must be a promise"],
    [
      "a run whose result only looks like a promise",
      run({ result: { then: true } }),
      "run result must be a promise",
    ],
    ["a run whose id cannot be read", {
      ...run(),
      get id() {
        return refuse();
      },
    }, "broken"],
    ["a run whose dispose cannot be read", {
      get dispose() {
        return refuse();
      },
    }, "broken"],
  ].map(([name, value, cause]) => [name as string, value, cause as string]);
  for (const [name, value, cause] of malformed) {
    it(`refuses ${name} with fixed text and reports why`, async () => {
      const reports: (readonly [string, unknown, ...unknown[]])[] = [];
      await assert.rejects(publishedRun(value, "mine", (...report) => reports.push(report)), (error) => {
        assert.ok(SubagentFailure.is(error));
        assert.equal(error.message, line);
        assert.equal((error.cause as Error).message, cause);
        assert.deepEqual(reports.map(([operation, reported]) => [operation, reported]), [[
          "start",
          error.cause,
        ]]);
        return true;
      });
    });
  }

  it("disposes of what is no run, before it rejects", async () => {
    const steps: string[] = [];
    const value = run({
      id: 7,
      async dispose() {
        steps.push("begun");
        await new Promise((resolve) => setTimeout(resolve, 0));
        steps.push("done");
      },
    });
    await assert.rejects(publishedRun(value, "mine", () => {}), { message: line });
    assert.deepEqual(steps, ["begun", "done"]);
  });

  it("says so when what is no run cannot be disposed of", async () => {
    const reports: unknown[] = [];
    await assert.rejects(
      publishedRun(run({ result: 7, dispose: refuse }), "mine", (operation) => reports.push(operation)),
      (error) => {
        assert.ok(error instanceof AggregateError);
        assert.equal(error.message, `${line}; ${disposeLine}`);
        assert.deepEqual(error.errors.map((inner: Error) => (inner.cause as Error).message), [
          "run result must be a promise",
          "broken",
        ]);
        return true;
      },
    );
    assert.deepEqual(reports, ["start", "dispose"]);
  });
});
