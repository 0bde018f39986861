import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred, isSettled, reactions } from "../agent/agent_fixtures_test.ts";
import type { AgentsHost } from "../agent/agents_types.ts";
import { InactiveScopeError } from "../agent/scope/inactive_scope_error.ts";
import { openOwnerScope, type OwnerScope } from "../agent/scope/owner_scope.ts";
import { type InProcessRun, startInProcessRun } from "./start_in_process_run.ts";
import {
  type CountedSignal,
  countedSignal,
  type StubAgents,
  stubAgents,
  stubChild,
  type StubParent,
  stubParent,
} from "./stub_fixtures_test.ts";

const ABORTED = { output: [], stopReason: "aborted" };
const INACTIVE = { message: "subagent run owner became inactive before child creation" };

interface Started {
  readonly run: InProcessRun;
  readonly owner: OwnerScope;
  readonly parent: StubParent;
  readonly agents: StubAgents;
  readonly signal: CountedSignal;
}

function start(
  create?: AgentsHost["create"],
  prepare: (parts: Omit<Started, "run">) => void = () => {},
): Started {
  const parts = {
    owner: openOwnerScope("provider"),
    parent: stubParent(),
    agents: stubAgents(create),
    signal: countedSignal(),
  };
  prepare(parts);
  const run = startInProcessRun(parts.owner, {
    prompt: "go",
    parent: parts.parent.agent,
    signal: parts.signal.signal,
  }, { agents: parts.agents });
  return { run, ...parts };
}

/** Starts a run whose child is half made when it ends, and whose undoing fails. */
function startHalfMade(fault: Error): Started {
  return start((owner) =>
    new Promise((_, reject) => {
      owner.addEffect("half a child", () => {
        reject(new Error("rolled back"));
        throw fault;
      });
    })
  );
}

function assertNothingLeft({ owner, parent, signal }: Started): void {
  assert.deepEqual([owner.effects, owner.children, parent.owner.effects, parent.owner.children], [
    [],
    [],
    [],
    [],
  ]);
  assert.equal(signal.listeners(), 0);
}

describe("A run that was begun", () => {
  it("is one effect of its provider, one listener of its signal and one scope under its parent", async () => {
    const started = start();
    const { run, owner, parent, signal } = started;
    assert.deepEqual(owner.effects, ["subagent-inprocess.run()"]);
    assert.deepEqual(owner.children, []);
    assert.equal(signal.listeners(), 1);
    assert.deepEqual(parent.owner.children.map(({ label }) => label), [`subagent run ${run.id}`]);
    assert.deepEqual(parent.owner.effects, []);
    await run.dispose();
    assertNothingLeft(started);
  });

  it("is given back before anything is made, and nothing on it sends or resumes", async () => {
    const { run, agents } = start();
    assert.equal(agents.requests.length, 0);
    assert.equal(run.localAgent, undefined);
    assert.deepEqual(Object.keys(run).sort(), [
      "cancel",
      "dispose",
      "id",
      "localAgent",
      "result",
      "started",
    ]);
    assert.ok(Object.isFrozen(run));
    await run.dispose();
  });

  it("asks for its child through its own scope", async () => {
    const { run, agents, parent } = start();
    const [scope] = parent.owner.children;
    await reactions();
    assert.equal(agents.requests.length, 1);
    assert.equal(agents.requests[0]?.owner, scope);
    assert.equal(agents.requests[0]?.agentId, run.id);
    await run.dispose();
  });

  it("may be left to itself: no promise of it is an unhandled rejection", async () => {
    const { run } = start(() => Promise.reject(new Error("no child")));
    await reactions();
    await assert.rejects(run.started, { message: "no child" });
    await run.dispose();
  });
});

describe("Readiness", () => {
  it("comes when the child was created, not before", async () => {
    const creation = deferred();
    const child = stubChild();
    const { run } = start(async () => {
      await creation.promise;
      return child.handle;
    });
    assert.equal(await isSettled(run.started), false);
    assert.equal(run.localAgent, undefined);
    creation.resolve();
    await run.started;
    assert.equal(run.localAgent, child.handle.agent);
    await run.dispose();
  });

  it("fails, and with it the result, with the very error that kept the child from being made", async () => {
    const fault = new Error("setup failed");
    const started = start(() => Promise.reject(fault));
    const { run } = started;
    await assert.rejects(run.started, (error) => error === fault);
    await assert.rejects(run.result, (error) => error === fault);
    await run.dispose();
    assertNothingLeft(started);
  });

  it("fails as it is with what is no error, and the result with an error about it", async () => {
    const { run } = start(() => Promise.reject("text"));
    await assert.rejects(run.started, (error) => error === "text");
    await assert.rejects(run.result, {
      message: "subagent child creation failed with a non-Error value",
      cause: "text",
    });
    await run.dispose();
  });

  it("fails when the parent has ended already, which is no fault of the call", async () => {
    const started = start(undefined, ({ parent }) => void parent.owner.close());
    const { run, agents } = started;
    await assert.rejects(run.started, InactiveScopeError);
    await assert.rejects(run.result, InactiveScopeError);
    assert.equal(agents.requests.length, 0);
    await run.dispose();
    assertNothingLeft(started);
  });

  it("fails with an error about it when the parent's scope throws what is no error", async () => {
    const { run } = start(undefined, ({ parent }) => {
      Object.defineProperty(parent.agent, "scope", {
        get() {
          throw "no scope";
        },
      });
    });
    const expected = {
      message: "subagent run owner setup failed with a non-Error value",
      cause: "no scope",
    };
    await assert.rejects(run.started, expected);
    await assert.rejects(run.result, expected);
    await run.dispose();
  });

  it("fails when the parent ends before the creation was begun", async () => {
    const { run, parent, agents } = start();
    await parent.owner.close();
    await assert.rejects(run.started, INACTIVE);
    await assert.rejects(run.result, INACTIVE);
    assert.equal(agents.requests.length, 0);
  });

  it("fails when the parent ends between the creation and the news of it", async () => {
    const child = stubChild();
    const started = start((owner) => {
      owner.addEffect("child", () => child.handle.dispose());
      void started.parent.owner.close();
      return Promise.resolve(child.handle);
    });
    await assert.rejects(started.run.started, INACTIVE);
    await started.run.dispose();
    assert.deepEqual(child.calls, ["dispose"]);
    assertNothingLeft(started);
  });
});

describe("A cancellation before readiness", () => {
  it("that came before the start is recorded at once: nothing is made, nothing listens", async () => {
    const started = start(undefined, ({ signal }) => signal.abort());
    const { run, agents, signal, parent } = started;
    assert.equal(signal.listeners(), 0);
    assert.notEqual(parent.owner.children[0]?.state, "active");
    await assert.rejects(run.started, INACTIVE);
    assert.deepEqual(await run.result, ABORTED);
    assert.equal(agents.requests.length, 0);
    await run.dispose();
    assertNothingLeft(started);
  });

  const WAYS: readonly (readonly [string, (started: Started) => unknown])[] = [
    ["by the request's signal", ({ signal }) => signal.abort()],
    ["by cancel()", ({ run }) => run.cancel()],
    ["by dispose()", ({ run }) => void run.dispose()],
    ["by the end of the provider", ({ owner }) => void owner.close()],
  ];
  for (const [name, cancel] of WAYS) {
    it(`${name} ends the scope of the run within the call and makes the result aborted`, async () => {
      const started = start();
      const { run, parent, agents } = started;
      await reactions();
      assert.equal(agents.requests.length, 1);
      const [scope] = parent.owner.children;
      assert.equal(scope?.state, "active");
      cancel(started);
      assert.notEqual(scope?.state, "active");
      await assert.rejects(run.started);
      assert.deepEqual(await run.result, ABORTED);
      await run.dispose();
      assertNothingLeft(started);
    });
  }

  it("by the end of the parent ends the scope too, but nobody asked for it: the fault comes through", async () => {
    const started = start();
    const { run, parent } = started;
    await reactions();
    await parent.owner.close();
    await assert.rejects(run.started, { message: "the owner was closed" });
    await assert.rejects(run.result, { message: "the owner was closed" });
    await run.dispose();
    assertNothingLeft(started);
  });

  const ENDS: readonly (readonly [string, (started: Started) => Promise<void>])[] = [
    ["dispose()", ({ run }) => run.dispose()],
    ["the end of the provider", ({ owner }) => owner.close()],
    ["the end of the parent", ({ parent }) => parent.owner.close()],
  ];
  for (const [name, end] of ENDS) {
    it(`${name} waits until what was half made is undone`, async () => {
      const undone = deferred();
      const started = start((owner) =>
        new Promise((_, reject) => {
          owner.addEffect("half a child", async () => {
            await undone.promise;
            reject(new Error("rolled back"));
          });
        })
      );
      await reactions();
      const ended = end(started);
      assert.equal(await isSettled(ended), false);
      undone.resolve();
      await ended;
      await assert.rejects(started.run.started, { message: "rolled back" });
      await started.run.dispose();
      assertNothingLeft(started);
    });
  }

  it("may come from dispose() while another end is on its way: both wait for the same", async () => {
    const undone = deferred();
    const started = start((owner) =>
      new Promise((_, reject) => {
        owner.addEffect("half a child", async () => {
          await undone.promise;
          reject(new Error("rolled back"));
        });
      })
    );
    await reactions();
    const ends = [started.owner.close(), started.parent.owner.close(), started.run.dispose()];
    for (const end of ends) assert.equal(await isSettled(end), false);
    undone.resolve();
    await Promise.all(ends);
    assertNothingLeft(started);
  });
});

describe("The drive", () => {
  it("sends the prompt first and waits for idleness then, each once", async () => {
    const child = stubChild();
    const { run } = start(() => Promise.resolve(child.handle));
    await run.started;
    await reactions();
    assert.deepEqual(child.calls, ['send [{"type":"text","text":"go"}]', "whenIdle"]);
    child.session.append("turn/end", { reason: "completed" });
    child.settle();
    assert.deepEqual(await run.result, { output: [], stopReason: "completed" });
    assert.deepEqual(child.calls.length, 2);
    await run.dispose();
  });

  it("does not send to a child that was cancelled on the news of it", async () => {
    const child = stubChild();
    const { run } = start(() => Promise.resolve(child.handle));
    // Whoever follows the creation closely is there before the drive has its turn.
    while (run.localAgent === undefined) await Promise.resolve();
    run.cancel("too early");
    assert.deepEqual(await run.result, ABORTED);
    assert.deepEqual(child.calls, ["cancel too early"]);
    await run.dispose();
  });

  it("does not send to a child that ended on the news of it, which is an error", async () => {
    const child = stubChild();
    Object.assign(child.handle.agent, { status: "disposed" });
    const { run } = start(() => Promise.resolve(child.handle));
    assert.deepEqual(await run.result, { output: [], stopReason: "error" });
    assert.deepEqual(child.calls, []);
    await run.dispose();
  });

  it("stops listening to the signal when it is over", async () => {
    const child = stubChild();
    const { run, signal } = start(() => Promise.resolve(child.handle));
    await run.started;
    assert.equal(signal.listeners(), 1);
    child.settle();
    await run.result;
    assert.equal(signal.listeners(), 0);
    signal.abort();
    assert.ok(!child.calls.some((call) => call.startsWith("cancel")));
    await run.dispose();
  });
});

describe("A cancellation after readiness", () => {
  for (
    const [name, cancel, reason] of [
      ["by cancel() with a reason", ({ run }: Started) => run.cancel("enough"), "enough"],
      ["by cancel() without one", ({ run }: Started) => run.cancel(), "subagent cancelled"],
      ["by the request's signal", ({ signal }: Started) => signal.abort(), "subagent cancelled"],
      [
        "by the end of the provider",
        ({ owner }: Started) => void owner.close(),
        "subagent provider disposed",
      ],
      ["by dispose()", ({ run }: Started) => void run.dispose(), "subagent disposed during creation"],
    ] as const
  ) {
    it(`${name} reaches the child within the call`, async () => {
      const child = stubChild();
      const started = start(() => Promise.resolve(child.handle));
      await started.run.started;
      await reactions();
      cancel(started);
      assert.ok(child.calls.includes(`cancel ${reason}`), child.calls.join());
      assert.deepEqual(await started.run.result, ABORTED);
      await started.run.dispose();
      assertNothingLeft(started);
    });
  }

  it("settles only when the child is still (older generation)", async () => {
    const child = stubChild();
    const idle = deferred();
    Object.assign(child.handle.agent, { cancel: () => {}, whenIdle: () => idle.promise });
    const { run } = start(() => Promise.resolve(child.handle));
    await run.started;
    await reactions();
    run.cancel();
    assert.equal(await isSettled(run.result), false);
    idle.resolve();
    assert.deepEqual(await run.result, ABORTED);
    await run.dispose();
  });
});

describe("dispose()", () => {
  it("is one promise, whoever asks and how often", async () => {
    const child = stubChild();
    const { run } = start(() => Promise.resolve(child.handle));
    await run.started;
    const first = run.dispose();
    assert.equal(run.dispose(), first);
    assert.equal(run[Symbol.asyncDispose](), first);
    await first;
    assert.equal(child.calls.filter((call) => call === "dispose").length, 1);
  });

  it("waits for the child's own disposal, and fails when that fails", async () => {
    const gone = deferred();
    const child = stubChild(() => gone.promise);
    const { run } = start(() => Promise.resolve(child.handle));
    await run.started;
    const disposal = run.dispose();
    assert.equal(await isSettled(disposal), false);
    const fault = new Error("will not go");
    gone.reject(fault);
    await assert.rejects(disposal, (error) => error === fault);
  });

  it("is quiet about a child that could not be made: that is the result's to tell", async () => {
    const { run } = start(() => Promise.reject(new Error("no child")));
    await assert.rejects(run.started);
    await run.dispose();
    await assert.rejects(run.result, { message: "no child" });
  });

  it("reports the failure of an end that a cancellation began and nobody waited for", async () => {
    const fault = new Error("half a child stays");
    const started = startHalfMade(fault);
    await reactions();
    started.run.cancel();
    assert.deepEqual(await started.run.result, ABORTED);
    await reactions();
    await assert.rejects(started.run.dispose(), (error) => error === fault);
  });

  it("reports the failure of the provider's end, as that does itself", async () => {
    const fault = new Error("half a child stays");
    const started = startHalfMade(fault);
    await reactions();
    await assert.rejects(started.owner.close(), (error) => error === fault);
    await assert.rejects(started.run.dispose(), (error) => error === fault);
  });

  it("ends a run that was begun by `await using`", async () => {
    const child = stubChild();
    const owner = openOwnerScope("provider");
    {
      const { agent: parent } = stubParent();
      await using run = startInProcessRun(owner, { prompt: "x", parent }, {
        agents: stubAgents(() => Promise.resolve(child.handle)),
      });
      await run.started;
    }
    assert.deepEqual([owner.effects, child.calls.at(-1)], [[], "dispose"]);
  });
});
