import assert from "node:assert/strict";
import { inspect } from "node:util";
import { describe, it } from "node:test";
import type { Agent, AgentOptions } from "../agent/agent.ts";
import { deferred, isSettled, reactions } from "../agent/agent_fixtures_test.ts";
import type { AgentsHost } from "../agent/agents_types.ts";
import { openOwnerScope, type OwnerScope } from "../agent/scope/owner_scope.ts";
import type { SessionHeader } from "../agent/session/session_event.ts";
import type { JsonValue } from "../schema/json_value.ts";
import { SubagentAbortedError, SubagentError, SubagentFailure } from "../seam/errors.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import { presentableError } from "../seam/presentable_error.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentRun, SubagentStartRequest } from "../seam/types.ts";
import { forkProvider, spawnProvider } from "./provider.ts";
import { countedSignal, type StubAgents, stubAgents, stubChild, stubParent } from "./stub_fixtures_test.ts";

const CANARY = "canary-77e0";
const START_LINE = "Subagent failure (provider: spawn; stage: start; category: unknown)";
const RESULT_LINE = "Subagent failure (provider: spawn; stage: result; category: unknown)";
const DISPOSE_LINE = "Subagent failure (provider: spawn; stage: dispose; category: unknown)";

interface Host {
  readonly subagents: Subagents;
  readonly agents: StubAgents;
  readonly runtimeOwner: OwnerScope;
  readonly parent: Agent;
  readonly parentOwner: OwnerScope;
  readonly failures: readonly HostFailure[];
  start(request?: Partial<SubagentStartRequest>, provider?: string): Promise<SubagentRun>;
}

function openHost(
  create?: AgentsHost["create"],
  options: AgentOptions = {},
  header: Partial<SessionHeader> = {},
): Host {
  const { agent: parent, owner: parentOwner } = stubParent(options, header);
  const agents = Object.assign(stubAgents(create), {
    get: (id: string) => id === parent.id ? parent : undefined,
  });
  const runtimeOwner = openOwnerScope("runtime");
  const runtime = { agents, owner: runtimeOwner };
  const failures: HostFailure[] = [];
  const subagents = new Subagents({ onHostFailure: (failure) => failures.push(failure) });
  subagents.register(spawnProvider({ runtime }));
  subagents.register(forkProvider({ runtime }));
  return {
    subagents,
    agents,
    runtimeOwner,
    parent,
    parentOwner,
    failures,
    start: (request = {}, provider = "spawn") =>
      subagents.start(provider, { prompt: "go", parent, ...request } as SubagentStartRequest),
  };
}

/** A start that its test expects to fail. */
async function faultOf(started: Promise<SubagentRun>): Promise<Error> {
  try {
    await started;
  } catch (error) {
    return error as Error;
  }
  assert.fail("start() fulfilled");
}

describe("spawnProvider() and forkProvider()", () => {
  const runtime = { agents: stubAgents(), owner: openOwnerScope("runtime") };

  it("make providers of version v1 that can do everything and differ in what the child begins with", () => {
    const all = { agentOptions: true, outputSchema: true, depthLimit: true, toolFilter: true, persona: true };
    const factsOf = ({ start: _, ...facts }: ReturnType<typeof spawnProvider>) => facts;
    assert.deepEqual(factsOf(spawnProvider({ runtime })), {
      specificationVersion: "v1",
      name: "spawn",
      capabilities: all,
      inheritsParentContext: false,
    });
    assert.deepEqual(factsOf(forkProvider({ runtime })), {
      specificationVersion: "v1",
      name: "fork",
      capabilities: all,
      inheritsParentContext: true,
    });
  });

  it("take another name, which the failure lines say too", async () => {
    const subagents = new Subagents();
    const agents = stubAgents(() => Promise.reject(new Error(CANARY)));
    subagents.register(spawnProvider({ runtime: { agents, owner: openOwnerScope("r") }, name: "helper" }));
    const fault = await faultOf(subagents.start("helper", { prompt: "x", parent: { id: "host" } }));
    assert.equal(fault.message, "Subagent failure (provider: helper; stage: start; category: unknown)");
  });

  it("register nothing by themselves: a host registers what they make", () => {
    assert.deepEqual(new Subagents().names(), []);
    assert.deepEqual(runtime.owner.effects, []);
  });
});

describe("What the seam gives a child (newer generation)", () => {
  it("is one id for the run, the agent and its session", async () => {
    const child = stubChild();
    const { start, agents } = openHost(() => Promise.resolve(child.handle));
    const run = await start();
    assert.deepEqual([agents.requests[0]?.agentId, agents.requests[0]?.sessionId], [run.id, run.id]);
    await run.dispose();
  });

  it("is provider, model and token limit of its parent, unless the request says otherwise", async () => {
    const child = stubChild();
    const options = { provider: "p", model: "m", maxTokens: 9, other: "kept from it" };
    const { start, agents } = openHost(() => Promise.resolve(child.handle), options);
    const run = await start({ agentOptions: { model: "mine" } });
    assert.deepEqual(agents.requests[0]?.agentOptions, {
      provider: "p",
      model: "mine",
      maxTokens: 9,
      subagentDepth: 1,
    });
    await run.dispose();
  });

  it("is its lineage with depth and origin", async () => {
    const child = stubChild();
    const { start, agents } = openHost(() => Promise.resolve(child.handle), { subagentDepth: 2 }, {
      cwd: "/srv",
    });
    const run = await start();
    assert.deepEqual(agents.requests[0]?.meta, {
      cwd: "/srv",
      parentSession: "parent-session",
      origin: "subagent",
      delegationDepth: 3,
    });
    await run.dispose();
  });

  it("is a depth that the parent's session sets the floor of, and that the cap is held against", async () => {
    const child = stubChild();
    const { start, agents } = openHost(() => Promise.resolve(child.handle), { subagentDepth: 1 }, {
      delegationDepth: 4,
    });
    const fault = await faultOf(start({ maxDepth: 4 }));
    assert.equal(`${fault}`, "SubagentDepthError: subagent depth 5 exceeds maxDepth 4");
    const run = await start({ maxDepth: 5 });
    assert.equal(agents.requests[0]?.agentOptions?.subagentDepth, 5);
    await run.dispose();
  });

  it("is a place in the scope of the parent, and the run is an effect of the runtime", async () => {
    const child = stubChild();
    const host = openHost(() => Promise.resolve(child.handle));
    const run = await host.start();
    assert.deepEqual(host.parentOwner.children.map(({ label }) => label), [`subagent run ${run.id}`]);
    assert.deepEqual([host.runtimeOwner.effects, host.runtimeOwner.children], [
      ["subagent-inprocess.run()"],
      [],
    ]);
    await run.dispose();
    assert.deepEqual([host.parentOwner.children, host.runtimeOwner.effects], [[], []]);
  });
});

describe("A parent that is no agent", () => {
  it("has its children in the scope of the runtime, at depth 1", async () => {
    const child = stubChild();
    const { start, agents, runtimeOwner } = openHost(() => Promise.resolve(child.handle));
    const run = await start({ parent: { id: "host-1", cwd: "/srv" } });
    assert.deepEqual(runtimeOwner.children.map(({ label }) => label), [`subagent run ${run.id}`]);
    assert.deepEqual(agents.requests[0]?.meta, {
      cwd: "/srv",
      parentSession: "host-1",
      origin: "subagent",
      delegationDepth: 1,
    });
    assert.deepEqual(agents.requests[0]?.agentOptions, { subagentDepth: 1 });
    await run.dispose();
  });

  it("may say how deep it is itself", async () => {
    const child = stubChild();
    const { start, agents } = openHost(() => Promise.resolve(child.handle));
    const parent = { id: "host-1", options: { subagentDepth: 3 } };
    assert.equal(
      `${await faultOf(start({ parent, maxDepth: 3 }))}`,
      "SubagentDepthError: subagent depth 4 exceeds maxDepth 3",
    );
    const run = await start({ parent });
    assert.equal(agents.requests[0]?.agentOptions?.subagentDepth, 4);
    await run.dispose();
  });

  it("may have the id of an agent and is none for that", async () => {
    const child = stubChild();
    const { start, runtimeOwner } = openHost(() => Promise.resolve(child.handle));
    const run = await start({ parent: { id: "parent" } });
    assert.equal(runtimeOwner.children.length, 1);
    await run.dispose();
  });

  it("cannot be forked: nothing is made, and the reason is said", async () => {
    const { start, agents } = openHost();
    const fault = await faultOf(start({ parent: { id: "host" } }, "fork"));
    assert.ok(SubagentError.is(fault));
    assert.equal(fault.code, "INVALID_REQUEST");
    assert.equal(
      fault.message,
      "subagent request parent must be an agent of the provider's runtime: " +
        "a forked child begins with the parent's turns, and a host without agents has none",
    );
    assert.equal(agents.requests.length, 0);
  });

  for (const provider of ["spawn", "fork"]) {
    it(`is refused by ${provider} when it is an agent of another runtime, or one that is disposed`, async () => {
      const { start, agents } = openHost();
      for (const id of ["stranger", "parent"]) {
        const other = { ...stubParent().agent, id };
        const fault = await faultOf(start({ parent: other }, provider));
        assert.ok(SubagentError.is(fault) && fault.code === "INVALID_REQUEST", `${fault}`);
        assert.equal(
          fault.message,
          "subagent request parent must be a living agent of the provider's own runtime, " +
            "got one that is disposed or belongs to another runtime",
        );
      }
      assert.equal(agents.requests.length, 0);
    });
  }
});

describe("A start that is refused (newer generation)", () => {
  const REFUSALS: readonly (readonly [string, Partial<SubagentStartRequest>, AgentOptions, string])[] = [
    [
      "agent options that JSON would not carry",
      { agentOptions: { when: new Date(0) } },
      {},
      "SubagentError: subagent agent options must be losslessly JSON-serializable",
    ],
    [
      "a prompt that JSON would not carry",
      { prompt: [{ type: "x", when: new Date(0) }] },
      {},
      "SubagentError: subagent prompt must be losslessly JSON-serializable",
    ],
    [
      "a parent whose depth is malformed",
      {},
      { subagentDepth: -1 },
      "SubagentError: agent subagentDepth must be a non-negative safe integer",
    ],
    [
      "a depth past the safe integers, a RangeError of the older generation",
      {},
      { subagentDepth: Number.MAX_SAFE_INTEGER },
      "SubagentError: subagent child depth exceeds the safe-integer range",
    ],
    ["a depth past the cap", { maxDepth: 0 }, {}, "SubagentDepthError: subagent depth 1 exceeds maxDepth 0"],
    [
      "a schema outside the subset",
      { outputSchema: { type: "array" } },
      {},
      "OutputSchemaError: unsupported JSON schema: " +
      'schema.type must be "object" (structured output is object-rooted)',
    ],
  ];
  for (const [name, request, options, shown] of REFUSALS) {
    it(`for ${name} says so to a model, and nothing is made`, async () => {
      const { start, agents, failures, runtimeOwner, parentOwner } = openHost(undefined, options);
      const fault = await faultOf(start(request));
      assert.equal(`${fault}`, shown);
      assert.equal(`${presentableError(fault, "spawn", "start")}`, shown);
      assert.deepEqual([agents.requests, failures, runtimeOwner.effects, parentOwner.children], [
        [],
        [],
        [],
        [],
      ]);
    });
  }

  it("by a getter's error shows nothing of it, which goes to the host", async () => {
    const { start, failures } = openHost();
    const error = new TypeError(CANARY);
    const agentOptions = {
      get model() {
        throw error;
      },
    };
    const fault = await faultOf(start({ agentOptions }));
    assert.equal(`${fault}`, `SubagentFailure: ${START_LINE}`);
    assert.deepEqual(failures, [{ provider: "spawn", operation: "start", error }]);
  });

  it("because the runtime has ended is a failure of the start", async () => {
    const { start, failures, runtimeOwner, agents } = openHost();
    await runtimeOwner.close();
    const fault = await faultOf(start());
    assert.equal(`${fault}`, `SubagentFailure: ${START_LINE}`);
    assert.match(`${failures[0]?.error}`, /inactive context "runtime"/);
    assert.equal(agents.requests.length, 0);
  });
});

describe("A child that cannot be made", () => {
  it("is a failure of the start, whose raw error goes to the host alone", async () => {
    const error = new Error(CANARY);
    const { start, failures, runtimeOwner, parentOwner } = openHost(() => Promise.reject(error));
    const fault = await faultOf(start());
    assert.ok(SubagentFailure.is(fault));
    assert.equal(fault.message, START_LINE);
    assert.equal(fault.cause, error);
    assert.deepEqual(failures, [{ provider: "spawn", operation: "start", error }]);
    assert.deepEqual([runtimeOwner.effects, parentOwner.children], [[], []]);
    const shown = inspect(presentableError(fault, "spawn", "start"), { depth: Infinity, showHidden: true });
    assert.ok(!shown.includes(CANARY), shown);
  });

  it("whose remains stay makes an error with both lines", async () => {
    const { start, failures } = openHost((owner) => {
      owner.addEffect("half a child", () => {
        throw new Error(`${CANARY} stays`);
      });
      return Promise.reject(new Error(CANARY));
    });
    const fault = await faultOf(start());
    assert.equal(`${fault}`, `AggregateError: ${START_LINE}; ${DISPOSE_LINE}`);
    assert.deepEqual(failures.map(({ operation, error }) => [operation, `${error}`]), [
      ["start", `Error: ${CANARY}`],
      ["dispose", `Error: ${CANARY} stays`],
    ]);
  });
});

describe("A start that is cancelled", () => {
  const ABORTED = "SubagentAbortedError: subagent request was aborted before child publication";

  it("before it began touches nothing, whatever else is wrong with it", async () => {
    const { start, agents } = openHost();
    const fault = await faultOf(start({ signal: AbortSignal.abort(), parent: stubParent().agent }));
    assert.equal(`${fault}`, ABORTED);
    assert.equal(agents.requests.length, 0);
  });

  it("while the child is made rejects when all is undone, not before", async () => {
    const undone = deferred();
    const { start, failures, parentOwner, runtimeOwner } = openHost((owner) =>
      new Promise((_, reject) => {
        owner.addEffect("half a child", async () => {
          await undone.promise;
          reject(new Error(CANARY));
        });
      })
    );
    const { signal, abort, listeners } = countedSignal();
    const started = start({ signal });
    started.catch(() => {});
    await reactions();
    abort();
    assert.equal(await isSettled(started), false);
    undone.resolve();
    const fault = await faultOf(started);
    assert.equal(`${fault}`, ABORTED);
    assert.ok(SubagentAbortedError.is(fault));
    assert.deepEqual([listeners(), failures, parentOwner.children, runtimeOwner.effects], [0, [], [], []]);
  });

  it("and cannot be undone does not claim to have left nothing behind", async () => {
    const { start } = openHost((owner) =>
      new Promise((_, reject) => {
        owner.addEffect("half a child", () => {
          reject(new Error(CANARY));
          throw new Error(CANARY);
        });
      })
    );
    const { signal, abort } = countedSignal();
    const started = start({ signal });
    started.catch(() => {});
    await reactions();
    abort();
    assert.equal(`${await faultOf(started)}`, `AggregateError: ${DISPOSE_LINE}`);
  });

  it("around its publication leaves no child, whichever of the two was first", async () => {
    const outcomes = new Set<string>();
    for (let reactionsBefore = 0; reactionsBefore < 16; reactionsBefore++) {
      const child = stubChild();
      const { signal, abort } = countedSignal();
      const { start, parentOwner } = openHost(() => {
        void (async () => {
          for (let count = 0; count < reactionsBefore; count++) await Promise.resolve();
          abort();
        })();
        return Promise.resolve(child.handle);
      });
      try {
        const run = await start({ signal });
        outcomes.add((await run.result).stopReason);
        await run.dispose();
      } catch (error) {
        outcomes.add(`${error}`);
      }
      assert.equal(child.calls.some((call) => call === "dispose") || child.calls.length === 0, true);
      assert.deepEqual(parentOwner.children, []);
    }
    assert.deepEqual(outcomes, new Set([ABORTED, "aborted"]));
  });

  it("by the end of the runtime is a failure: nobody aborted the request", async () => {
    const { start, runtimeOwner } = openHost();
    const started = start();
    started.catch(() => {});
    await reactions();
    await runtimeOwner.close();
    assert.equal(`${await faultOf(started)}`, `SubagentFailure: ${START_LINE}`);
  });
});

describe("A published run", () => {
  it("has the child as its local agent and is announced as local", async () => {
    const child = stubChild();
    const { start, subagents } = openHost(() => Promise.resolve(child.handle));
    const events: unknown[] = [];
    subagents.on("subagent/start", ({ id, local }) => void events.push([id, local]));
    const run = await start();
    assert.equal(run.localAgent, child.handle.agent);
    assert.deepEqual(events, [[run.id, true]]);
    await run.dispose();
  });

  it("settles as aborted the moment its signal is, however long the child takes to stop (newer generation)", async () => {
    const child = stubChild();
    const idle = deferred();
    Object.assign(child.handle.agent, { cancel: () => {}, whenIdle: () => idle.promise });
    const { signal, abort } = countedSignal();
    const { start } = openHost(() => Promise.resolve(child.handle));
    const run = await start({ signal });
    child.session.append("assistant/chunk", { chunk: { type: "text-delta", text: "so far" } });
    assert.equal(await isSettled(run.result), false);
    abort();
    assert.deepEqual(await run.result, {
      output: [{ type: "text", text: "so far" }],
      stopReason: "aborted",
    });
    idle.resolve();
    await run.dispose();
  });

  it("settles as aborted when it is disposed of, and one promise tells everybody that it is gone", async () => {
    const child = stubChild();
    const { start } = openHost(() => Promise.resolve(child.handle));
    const run = await start();
    await reactions();
    const disposal = run.dispose();
    assert.equal(run.dispose(), disposal);
    assert.deepEqual(await run.result, { output: [], stopReason: "aborted" });
    await disposal;
  });

  const FAILED_TURNS: readonly (readonly [string, JsonValue, string])[] = [
    ["that failed", { reason: "error", message: CANARY }, "error"],
    ["that was disposed of", { reason: "disposed" }, "disposed"],
  ];
  for (const [name, data, reason] of FAILED_TURNS) {
    it(`of a turn ${name} has the fixed line as its diagnostic; the host alone is told more`, async () => {
      const child = stubChild();
      const { start, failures } = openHost(() => Promise.resolve(child.handle));
      const run = await start();
      await reactions();
      child.session.append("turn/end", data);
      child.settle();
      assert.deepEqual(await run.result, { output: [], stopReason: "error", diagnostic: RESULT_LINE });
      assert.deepEqual(failures.map(({ error: _, ...rest }) => rest), [
        { provider: "spawn", operation: "run", runId: run.id },
      ]);
      const error = failures[0]?.error as Error;
      assert.equal(error.message, `The child's turn ended as "${reason}": see onFailure of its runtime`);
      assert.deepEqual(error.cause, data);
      await run.dispose();
    });
  }

  it("without any end of a turn has the fixed line too", async () => {
    const child = stubChild();
    const { start, failures } = openHost(() => Promise.resolve(child.handle));
    const run = await start();
    await reactions();
    child.settle();
    assert.deepEqual(await run.result, { output: [], stopReason: "error", diagnostic: RESULT_LINE });
    assert.equal(`${failures[0]?.error}`, "Error: The child ended before its turn did");
    await run.dispose();
  });

  it("whose structured result is missing says so to the host", async () => {
    const child = stubChild();
    const { start, failures } = openHost(() => Promise.resolve(child.handle));
    const run = await start({ outputSchema: { type: "object" } });
    await reactions();
    child.session.append("turn/end", { reason: "completed" });
    child.settle();
    assert.deepEqual(await run.result, { output: [], stopReason: "error", diagnostic: RESULT_LINE });
    assert.equal(`${failures[0]?.error}`, "Error: The child finished without reporting a structured result");
    await run.dispose();
  });

  for (
    const [reason, stopReason] of [["blocked", "refusal"], ["max-tokens", "max-tokens"], [
      "completed",
      "completed",
    ]]
  ) {
    it(`that ended as ${stopReason} has no diagnostic`, async () => {
      const child = stubChild();
      const { start, failures } = openHost(() => Promise.resolve(child.handle));
      const run = await start();
      await reactions();
      child.session.append("turn/end", { reason });
      child.settle();
      assert.deepEqual(await run.result, { output: [], stopReason });
      assert.deepEqual(failures, []);
      await run.dispose();
    });
  }

  it("of a child that takes no prompt is an error, not a rejection", async () => {
    const child = stubChild();
    const error = new Error(CANARY);
    Object.assign(child.handle.agent, {
      send() {
        throw error;
      },
    });
    const { start, failures } = openHost(() => Promise.resolve(child.handle));
    const run = await start();
    assert.deepEqual(await run.result, { output: [], stopReason: "error", diagnostic: RESULT_LINE });
    assert.deepEqual(failures, [{ provider: "spawn", operation: "run", runId: run.id, error }]);
    await run.dispose();
  });

  it("whose child will not go fails its disposal with the fixed line", async () => {
    const error = new Error(CANARY);
    const child = stubChild(() => Promise.reject(error));
    const { start, failures } = openHost(() => Promise.resolve(child.handle));
    const run = await start();
    await assert.rejects(run.dispose(), { name: "SubagentFailure", message: DISPOSE_LINE });
    assert.deepEqual(failures, [{ provider: "spawn", operation: "dispose", runId: run.id, error }]);
  });
});
