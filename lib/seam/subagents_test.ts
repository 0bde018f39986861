import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SubagentAbortedError, SubagentError, SubagentFailure } from "./errors.ts";
import type { HostFailure } from "./host_failure.ts";
import { NO_START_CAPABILITIES } from "./no_start_capabilities.ts";
import { Subagents, type SubagentsOptions } from "./subagents.ts";
import type {
  ProviderContext,
  ProviderStartRequest,
  SubagentEvents,
  SubagentProvider,
  SubagentResult,
  SubagentRun,
  SubagentStartRequest,
} from "./types.ts";

const answer: SubagentResult = { output: [{ type: "text", text: "answer" }], stopReason: "completed" };
const request: SubagentStartRequest = { prompt: "do it", parent: { id: "parent-1" } };
/** A listener that is asynchronous though its type does not say so. */
const rejecting = (error: Error) => (() => Promise.reject(error)) as () => void;

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
const refuse = (): never => {
  throw new Error("broken");
};

function run(overrides: Partial<SubagentRun> = {}): SubagentRun {
  const dispose = () => Promise.resolve();
  return {
    id: "run-1",
    localAgent: undefined,
    result: Promise.resolve(answer),
    dispose,
    [Symbol.asyncDispose]: dispose,
    ...overrides,
  };
}

function provider(overrides: Partial<SubagentProvider> = {}): SubagentProvider {
  return {
    specificationVersion: "v1",
    name: "mine",
    capabilities: NO_START_CAPABILITIES,
    inheritsParentContext: false,
    start: () => Promise.resolve(run()),
    ...overrides,
  };
}

/** A service with one provider, and a list of everything that its host is told. */
function service(overrides: Partial<SubagentProvider> = {}, options: SubagentsOptions = {}) {
  const failures: HostFailure[] = [];
  const subagents = new Subagents({ onHostFailure: (failure) => failures.push(failure), ...options });
  const remove = subagents.register(provider(overrides));
  return { subagents, remove, failures };
}

function record<T extends keyof SubagentEvents>(subagents: Subagents, ...types: readonly T[]) {
  const heard: (readonly [T, SubagentEvents[T]])[] = [];
  for (const type of types) subagents.on(type, (payload) => heard.push([type, payload]));
  return heard;
}

describe("Subagents.register()", () => {
  it("adds a provider and tells its listeners, after the insertion", () => {
    const subagents = new Subagents();
    const heard: unknown[] = [];
    subagents.on("subagent/provider-added", (added) => heard.push(added, subagents.provider("mine")));
    subagents.register(provider());
    assert.equal(heard[0], subagents.provider("mine"));
    assert.equal(heard[1], subagents.provider("mine"));
    assert.equal(subagents.provider("mine")?.name, "mine");
    assert.equal(subagents.provider("other"), undefined);
  });

  it("lists names in the order of registration", () => {
    const subagents = new Subagents();
    for (const name of ["b", "a", "c"]) subagents.register(provider({ name }));
    assert.deepEqual(subagents.names(), ["b", "a", "c"]);
    subagents.names().pop();
    assert.deepEqual(subagents.names(), ["b", "a", "c"]);
  });

  it("refuses a name that is taken and leaves the first provider alone", () => {
    const { subagents } = service();
    const first = subagents.provider("mine");
    assert.throws(() => subagents.register(provider({ inheritsParentContext: true })), (error) => {
      assert.ok(SubagentError.is(error));
      assert.equal(error.code, "DUPLICATE_PROVIDER");
      assert.equal(error.message, 'a subagent provider named "mine" is already registered');
      return true;
    });
    assert.equal(subagents.provider("mine"), first);
  });

  it("refuses a malformed provider without an event", () => {
    const subagents = new Subagents();
    const heard = record(subagents, "subagent/provider-added", "subagent/provider-removed");
    assert.throws(
      () => subagents.register({ ...provider(), start: undefined } as unknown as SubagentProvider),
      {
        code: "INVALID_PROVIDER",
        message: 'subagent provider "mine" start must be a function, got undefined',
      },
    );
    assert.deepEqual([heard, subagents.names()], [[], []]);
  });

  it("takes the provider back when a listener throws, and throws that", () => {
    const subagents = new Subagents();
    const steps: string[] = [];
    const broken = new Error("no room");
    subagents.on("subagent/provider-added", ({ name }) => steps.push(`added ${name}`));
    const off = subagents.on("subagent/provider-added", () => {
      throw broken;
    });
    subagents.on("subagent/provider-added", () => steps.push("never reached"));
    subagents.on("subagent/provider-removed", (name) => steps.push(`removed ${name}`));
    assert.throws(() => subagents.register(provider()), broken);
    assert.deepEqual(steps, ["added mine", "removed mine"]);
    assert.deepEqual(subagents.names(), []);
    off();
    subagents.register(provider());
    assert.deepEqual(subagents.names(), ["mine"]);
  });

  it("reports a listener whose promise rejects, and keeps the provider", async () => {
    const failures: HostFailure[] = [];
    const subagents = new Subagents({ onHostFailure: (failure) => failures.push(failure) });
    const error = new Error("late");
    subagents.on("subagent/provider-added", rejecting(error));
    subagents.register(provider());
    await turn();
    assert.deepEqual(failures, [{ provider: "mine", operation: "listener", error }]);
    assert.deepEqual(subagents.names(), ["mine"]);
  });

  it("returns what removes the provider, then tells listeners, once", () => {
    const { subagents, remove } = service();
    const heard: unknown[] = [];
    subagents.on("subagent/provider-removed", (name) => heard.push(name, subagents.names()));
    remove();
    remove();
    assert.deepEqual(heard, ["mine", []]);
  });

  it("reports a listener that throws at a removal, and tells the others", () => {
    const { subagents, remove, failures } = service();
    const heard: string[] = [];
    subagents.on("subagent/provider-removed", refuse);
    subagents.on("subagent/provider-removed", (name) => heard.push(name));
    remove();
    assert.deepEqual(heard, ["mine"]);
    assert.deepEqual(failures, [{ provider: "mine", operation: "listener", error: new Error("broken") }]);
  });

  it("lets a name be taken again, by one that an old disposer does not remove", () => {
    const { subagents, remove } = service();
    remove();
    const removeAgain = subagents.register(provider());
    remove();
    assert.deepEqual(subagents.names(), ["mine"]);
    removeAgain();
    assert.deepEqual(subagents.names(), []);
  });

  it("lets a listener of its removal take the name", () => {
    const { subagents, remove } = service();
    subagents.on(
      "subagent/provider-removed",
      () => subagents.register(provider({ inheritsParentContext: true })),
    );
    remove();
    remove();
    assert.equal(subagents.provider("mine")?.inheritsParentContext, true);
  });
});

describe("Subagents.start()", () => {
  it("hands the provider a fresh request and a sink, and gives its run", async () => {
    const calls: (readonly [ProviderStartRequest, ProviderContext])[] = [];
    const published = run();
    const { subagents, failures } = service({
      start: (...call) => {
        calls.push(call);
        return Promise.resolve(published);
      },
    });
    const started = await subagents.start("mine", { ...request, label: "a task" });
    assert.equal(started.id, "run-1");
    assert.equal(started.result, published.result);
    assert.deepEqual(calls[0]?.[0], {
      prompt: [{ type: "text", text: "do it" }],
      parent: { id: "parent-1" },
      label: "a task",
      descriptor: { version: 2, mode: "one-shot", provider: "mine", label: "a task" },
    });
    const failure: HostFailure = { provider: "mine", operation: "run", runId: "run-1", error: "raw" };
    calls[0]?.[1].onHostFailure(failure);
    assert.deepEqual(failures, [failure]);
  });

  const gates: readonly (readonly [string, unknown, unknown, object])[] = [
    ["no provider of that name", "other", request, {
      name: "SubagentError",
      code: "NO_PROVIDER",
      message: 'no subagent provider registered for "other"',
    }],
    ["a name of an object's property", "constructor", request, {
      name: "SubagentError",
      code: "NO_PROVIDER",
      message: 'no subagent provider registered for "constructor"',
    }],
    ["a name that is no string", Symbol("mine"), request, {
      name: "SubagentError",
      code: "INVALID_REQUEST",
      message: "subagent provider name must be a string, got symbol",
    }],
    ["a missing provider before a missing request", "other", undefined, {
      name: "SubagentError",
      code: "NO_PROVIDER",
      message: 'no subagent provider registered for "other"',
    }],
    ["a capability that is missing", "mine", { ...request, persona: "", outputSchema: {} }, {
      name: "SubagentError",
      code: "UNSUPPORTED_CAPABILITY",
      message: 'subagent provider "mine" does not support the "outputSchema" capability',
    }],
    ["a request that is none", "mine", null, {
      name: "SubagentError",
      code: "INVALID_REQUEST",
      message: "subagent request must be an object, got null",
    }],
    ["a prompt that is none", "mine", { ...request, prompt: 7 }, {
      name: "SubagentError",
      code: "INVALID_REQUEST",
      message: "subagent request prompt must be a string or an array of content blocks, got number",
    }],
  ];
  for (const [name, providerName, given, expected] of gates) {
    it(`rejects ${name}, without a call, an event or a report`, async () => {
      const { subagents, failures } = service({ start: () => assert.fail("must not be called") });
      const heard = record(subagents, "subagent/start", "subagent/end");
      await assert.rejects(subagents.start(providerName as string, given as SubagentStartRequest), expected);
      await turn();
      assert.deepEqual([heard, failures], [[], []]);
    });
  }

  for (
    const [field, value, message] of [
      ["maxDepth", -0, "subagent maxDepth must be a non-negative safe integer"],
      ["persona", null, "subagent persona must be a string"],
    ] as const
  ) {
    it(`rejects a malformed ${field} with a TypeError`, async () => {
      const { subagents } = service({
        capabilities: { ...NO_START_CAPABILITIES, depthLimit: true, persona: true },
        start: () => assert.fail("must not be called"),
      });
      await assert.rejects(
        subagents.start("mine", { ...request, [field]: value } as unknown as SubagentStartRequest),
        { name: "TypeError", message },
      );
    });
  }

  const raw = new Error("raw text of a stranger");
  const throwers: readonly (readonly [string, () => Promise<SubagentRun>, unknown, boolean])[] = [
    ["what a stranger's start rejects with", () => Promise.reject(raw), raw, true],
    [
      "what a stranger's start throws",
      () => {
        throw raw;
      },
      raw,
      true,
    ],
    ["a SubagentFailure", () => Promise.reject(failure), undefined, false],
    ["a SubagentAbortedError", () => Promise.reject(aborted), undefined, false],
    ["an aggregate of SubagentFailures", () => Promise.reject(aggregate), undefined, false],
  ];
  const failure = new SubagentFailure({ provider: "ACP", stage: "initialize", category: "transport" });
  const aborted = new SubagentAbortedError("ACP");
  const aggregate = new AggregateError([failure], "x");
  for (const [name, start, reported, isReported] of throwers) {
    it(`passes on ${name} unchanged, ${isReported ? "with" : "without"} a report and without events`, async () => {
      const { subagents, failures } = service({ start });
      const heard = record(subagents, "subagent/start", "subagent/end");
      const expected = await Promise.resolve().then(start).then(
        () => assert.fail(),
        (error: unknown) => error,
      );
      await assert.rejects(subagents.start("mine", request), (error) => error === expected);
      await turn();
      assert.deepEqual(heard, []);
      assert.deepEqual(
        failures,
        isReported ? [{ provider: "mine", operation: "start", error: reported }] : [],
      );
    });
  }

  it("rejects with fixed text when the provider returns no run, and disposes of it", async () => {
    let disposals = 0;
    const malformed = { id: 7, dispose: () => void disposals++ } as unknown as SubagentRun;
    const { subagents, failures } = service({ start: () => Promise.resolve(malformed) });
    const heard = record(subagents, "subagent/start", "subagent/end");
    await assert.rejects(subagents.start("mine", request), {
      name: "SubagentFailure",
      message: "Subagent failure (provider: mine; stage: start; category: unknown)",
    });
    assert.equal(disposals, 1);
    assert.deepEqual(failures, [
      { provider: "mine", operation: "start", error: new TypeError("run id must be a string") },
    ]);
    await turn();
    assert.deepEqual(heard, []);
  });

  it("uses the name of the snapshot in its texts", async () => {
    const original: { name: string } & SubagentProvider = provider({
      start: () => Promise.resolve(undefined as unknown as SubagentRun),
    });
    const subagents = new Subagents();
    subagents.register(original);
    original.name = "renamed";
    await assert.rejects(subagents.start("mine", request), {
      message: "Subagent failure (provider: mine; stage: start; category: unknown)",
    });
    await assert.rejects(subagents.start("renamed", request), { code: "NO_PROVIDER" });
  });

  it("publishes a run whose provider was removed meanwhile", async () => {
    let finish: (published: SubagentRun) => void = refuse;
    const { subagents, remove } = service({ start: () => new Promise((resolve) => finish = resolve) });
    const starting = subagents.start("mine", request);
    remove();
    finish(run());
    assert.equal((await starting).id, "run-1");
    await assert.rejects(subagents.start("mine", request), { code: "NO_PROVIDER" });
  });

  it("takes the run of a provider that forgot to be asynchronous", async () => {
    const { subagents } = service({ start: (() => run()) as unknown as SubagentProvider["start"] });
    assert.equal((await subagents.start("mine", request)).id, "run-1");
  });

  it("shares one disposal, with Symbol.asyncDispose though the provider has none", async () => {
    let disposals = 0;
    const bare = { id: "run-1", result: Promise.resolve(answer), dispose: () => void disposals++ };
    const { subagents } = service({ start: () => Promise.resolve(bare as unknown as SubagentRun) });
    const started = await subagents.start("mine", request);
    {
      await using _scope = started;
    }
    assert.equal(started.dispose(), started.dispose());
    await started.dispose();
    assert.equal(disposals, 1);
  });

  it("reports a disposal that fails with raw text, and one that fails with fixed text not", async () => {
    const errors: unknown[] = [
      raw,
      new SubagentFailure({ provider: "ACP", stage: "teardown", category: "unknown" }),
    ];
    const { subagents, failures } = service({
      start: () => {
        const error = errors.shift();
        return Promise.resolve(run({ dispose: () => Promise.reject(error) }));
      },
    });
    await assert.rejects((await subagents.start("mine", request)).dispose(), raw);
    await assert.rejects((await subagents.start("mine", request)).dispose(), { name: "SubagentFailure" });
    assert.deepEqual(failures, [{ provider: "mine", operation: "dispose", runId: "run-1", error: raw }]);
  });
});

describe("Subagents lifecycle events", () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it("come as one pair a run, the start before start() fulfils", async () => {
    const { subagents } = service({}, { newRunId: () => "event-1" });
    const heard = record(subagents, "subagent/start", "subagent/end");
    await subagents.start("mine", request);
    assert.deepEqual(heard[0], [
      "subagent/start",
      { runId: "event-1", provider: "mine", id: "run-1", parentId: "parent-1", local: false },
    ]);
    await turn();
    assert.deepEqual(heard.slice(1), [[
      "subagent/end",
      {
        runId: "event-1",
        provider: "mine",
        id: "run-1",
        parentId: "parent-1",
        local: false,
        stopReason: "completed",
        lastAssistantMessage: answer.output,
      },
    ]]);
  });

  it("carry a fresh UUID a run, equal in its pair, though run ids repeat", async () => {
    const { subagents } = service();
    const heard = record(subagents, "subagent/start", "subagent/end");
    await Promise.all(Array.from({ length: 20 }, () => subagents.start("mine", request)));
    await turn();
    const starts = heard.filter(([type]) => type === "subagent/start").map(([, { runId }]) => runId);
    const ends = heard.filter(([type]) => type === "subagent/end").map(([, { runId }]) => runId);
    assert.equal(new Set(starts).size, 20);
    assert.deepEqual([...ends].sort(), [...starts].sort());
    for (const runId of starts) assert.match(runId, uuid);
  });

  it("name the parent as it was when the request came in", async () => {
    const parent = { id: "parent-1" };
    const { subagents } = service({
      start: () => {
        parent.id = "changed";
        return Promise.resolve(run());
      },
    });
    const heard = record(subagents, "subagent/start");
    await subagents.start("mine", { ...request, parent });
    assert.equal(heard[0]?.[1].parentId, "parent-1");
  });

  it("end with error when the result is rejected, whose raw error is reported", async () => {
    const error = new Error("raw");
    const { subagents, failures } = service({
      start: () => Promise.resolve(run({ result: Promise.reject(error) })),
    });
    const heard = record(subagents, "subagent/end");
    const started = await subagents.start("mine", request);
    await assert.rejects(started.result, error);
    await turn();
    assert.equal(heard[0]?.[1].stopReason, "error");
    assert.ok(!("lastAssistantMessage" in (heard[0]?.[1] ?? {})));
    assert.deepEqual(failures, [{ provider: "mine", operation: "run", runId: "run-1", error }]);
  });

  it("disturb neither each other nor the run when listeners throw or reject", async () => {
    const { subagents, failures } = service();
    const thrown = new Error("thrown");
    const rejected = new Error("rejected");
    subagents.on("subagent/start", () => {
      throw thrown;
    });
    subagents.on("subagent/start", rejecting(rejected));
    const heard = record(subagents, "subagent/start", "subagent/end");
    const started = await subagents.start("mine", request);
    assert.deepEqual(await started.result, answer);
    await turn();
    assert.deepEqual(heard.map(([type]) => type), ["subagent/start", "subagent/end"]);
    assert.deepEqual(failures, [
      { provider: "mine", operation: "listener", runId: "run-1", error: thrown },
      { provider: "mine", operation: "listener", runId: "run-1", error: rejected },
    ]);
  });

  for (
    const [name, onHostFailure] of [
      ["throws", refuse],
      ["rejects", rejecting(new Error("log is full"))],
    ] as const
  ) {
    it(`go on when the sink itself ${name}`, async () => {
      const { subagents } = service({}, { onHostFailure });
      subagents.on("subagent/start", refuse);
      const heard = record(subagents, "subagent/start", "subagent/end");
      await subagents.start("mine", request);
      await turn();
      assert.deepEqual(heard.map(([type]) => type), ["subagent/start", "subagent/end"]);
    });
  }

  it("do without a sink", async () => {
    const subagents = new Subagents();
    subagents.register(provider());
    subagents.on("subagent/start", refuse);
    assert.equal((await subagents.start("mine", request)).id, "run-1");
  });

  it("stop for a listener that unsubscribes", async () => {
    const { subagents } = service();
    const heard: string[] = [];
    const off = subagents.on("subagent/start", ({ id }) => {
      heard.push(id);
      off();
    });
    await subagents.start("mine", request);
    await subagents.start("mine", request);
    assert.deepEqual(heard, ["run-1"]);
  });
});
