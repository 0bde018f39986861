import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AgentOptions } from "../agent/agent.ts";
import { InactiveScopeError } from "../agent/scope/inactive_scope_error.ts";
import { openOwnerScope } from "../agent/scope/owner_scope.ts";
import type { SessionEvent } from "../agent/session/session_event.ts";
import { OutputSchemaError } from "../schema/errors.ts";
import { SubagentDepthError } from "../seam/depth_error.ts";
import {
  type InProcessRunOptions,
  type InProcessRunRequest,
  startInProcessRun,
} from "./start_in_process_run.ts";
import { countedSignal, stubAgents, stubParent } from "./stub_fixtures_test.ts";

const lossy = { when: new Date(0) };

/** What a call is made of, each part in order or out of order. */
interface Call {
  request: Record<string, unknown>;
  options: Record<string, unknown>;
  parentOptions: Record<string, unknown>;
  isOwnerClosed: boolean;
}

interface Fault {
  readonly name: string;
  /** Puts the fault into a call. */
  readonly put: (call: Call) => void;
  readonly type: new (...args: never) => Error;
  readonly message: string | RegExp;
}

/** The faults that a call can have, in the order in which they are found. */
const FAULTS: readonly Fault[] = [
  {
    name: "a field that cannot be read",
    put: ({ request }) =>
      Object.defineProperty(request, "agentOptions", {
        enumerable: true,
        get() {
          throw new EvalError("unreadable");
        },
      }),
    type: EvalError,
    message: "unreadable",
  },
  {
    name: "a malformed maxDepth",
    put: ({ request }) => request.maxDepth = -0,
    type: TypeError,
    message: "subagent maxDepth must be a non-negative safe integer",
  },
  {
    name: "a persona that is no string",
    put: ({ request }) => request.persona = 7,
    type: TypeError,
    message: "subagent persona must be a string",
  },
  {
    name: "a tool filter that JSON would not carry",
    put: ({ request }) => request.toolFilter = { allow: new Set(["a"]) },
    type: TypeError,
    message: "subagent tool filter must be losslessly JSON-serializable",
  },
  {
    name: "a seed that JSON would not carry",
    put: ({ options }) => options.seed = [lossy],
    type: TypeError,
    message: "subagent seed must be losslessly JSON-serializable",
  },
  {
    name: "a parent whose depth is malformed",
    put: ({ parentOptions }) => parentOptions.subagentDepth = "1",
    type: TypeError,
    message: "agent subagentDepth must be a non-negative safe integer",
  },
  {
    name: "a depth past the safe integers",
    put: ({ parentOptions }) => parentOptions.subagentDepth ??= Number.MAX_SAFE_INTEGER,
    type: RangeError,
    message: "subagent child depth exceeds the safe-integer range",
  },
  {
    name: "a depth past the cap",
    put: ({ request }) => request.maxDepth ??= 0,
    type: SubagentDepthError,
    message: /^subagent depth 1 exceeds maxDepth 0$/,
  },
  {
    name: "agent options that JSON would not carry",
    put: ({ request }) =>
      Object.getOwnPropertyDescriptor(request, "agentOptions") ?? (request.agentOptions = lossy),
    type: TypeError,
    message: "subagent agent options must be losslessly JSON-serializable",
  },
  {
    name: "a schema that JSON would not carry",
    put: ({ request }) => request.outputSchema = { type: "object", default: lossy },
    type: OutputSchemaError,
    message: "unsupported JSON schema: schema annotation must be JSON data; " +
      "the complete schema must be losslessly JSON-serializable",
  },
  {
    name: "a schema outside the subset",
    put: ({ request }) => request.outputSchema ??= { type: "array" },
    type: OutputSchemaError,
    message: 'unsupported JSON schema: schema.type must be "object" (structured output is object-rooted)',
  },
  {
    name: "a prompt that JSON would not carry",
    put: ({ request }) => request.prompt = [{ type: "text", text: "x", ...lossy }],
    type: TypeError,
    message: "subagent prompt must be losslessly JSON-serializable",
  },
  {
    name: "an inherited model that JSON would not carry",
    put: ({ parentOptions }) => parentOptions.model = 1n,
    type: TypeError,
    message: "subagent agent options must be losslessly JSON-serializable",
  },
  {
    name: "a provider that has ended",
    put: (call) => call.isOwnerClosed = true,
    type: InactiveScopeError,
    message: /inactive context "provider" is clos/,
  },
];

/** Makes a call with faults and gives what it throws, having checked that it left nothing behind. */
function thrownBy(faults: readonly Fault[]): unknown {
  const { signal, listeners } = countedSignal();
  const call: Call = {
    request: { prompt: [{ type: "text", text: "hello" }], signal },
    options: {},
    parentOptions: {},
    isOwnerClosed: false,
  };
  for (const { put } of faults) put(call);
  const parent = stubParent(call.parentOptions as AgentOptions);
  Object.defineProperty(call.request, "parent", { value: parent.agent, enumerable: true });
  const owner = openOwnerScope("provider");
  if (call.isOwnerClosed) void owner.close();
  const agents = stubAgents();
  try {
    startInProcessRun(owner, call.request as unknown as InProcessRunRequest, {
      ...call.options,
      agents,
    } as InProcessRunOptions);
  } catch (error) {
    assert.deepEqual([owner.effects, owner.children, parent.owner.effects, parent.owner.children], [
      [],
      [],
      [],
      [],
    ]);
    assert.equal(listeners(), 0);
    assert.equal(agents.requests.length, 0);
    return error;
  }
  assert.fail("startInProcessRun() did not throw");
}

function assertFault(error: unknown, { name, type, message }: Fault): void {
  assert.ok(error instanceof type, `${name}: got ${error}`);
  if (typeof message === "string") assert.equal(error.message, message, name);
  else assert.match(error.message, message, name);
}

describe("startInProcessRun() refuses at once, and leaves no effect, listener, scope or child behind,", () => {
  for (const fault of FAULTS) {
    it(fault.name, () => assertFault(thrownBy([fault]), fault));
  }
});

describe("startInProcessRun() reports of two faults the earlier one:", () => {
  FAULTS.forEach((earlier, index) => {
    it(`${earlier.name} before whatever comes later`, () => {
      for (const later of FAULTS.slice(index + 1)) {
        assertFault(thrownBy([earlier, later]), earlier);
      }
    });
  });
});

describe("startInProcessRun() accepts", () => {
  const given = (request: object, options: object = {}) => {
    const parent = stubParent({ model: "m" });
    const owner = openOwnerScope("provider");
    const agents = stubAgents();
    const run = startInProcessRun(owner, {
      prompt: "hello",
      parent: parent.agent,
      ...request,
    }, { agents, ...options });
    return { run, agents, owner, parent };
  };

  it("a maxDepth that the child just reaches", async () => {
    const { run, agents } = given({ maxDepth: 1 });
    await Promise.resolve();
    assert.equal(agents.requests[0]?.agentOptions?.subagentDepth, 1);
    await run.dispose();
  });

  it("a request without any optional field", async () => {
    const { run, agents } = given({});
    await Promise.resolve();
    const { agentOptions, meta, seed } = agents.requests[0] ?? {};
    assert.deepEqual([agentOptions, meta, seed], [
      { model: "m", subagentDepth: 1 },
      { parentSession: "parent-session" },
      undefined,
    ]);
    await run.dispose();
  });

  for (
    const [name, options, message] of [
      ["agent options that are a list", { agentOptions: ["x"] }, "subagent agent options must be an object"],
      [
        "a prompt that is a number",
        { prompt: 7 },
        "subagent prompt must be a string or an array of content blocks, not empty",
      ],
      [
        "a prompt without a block",
        { prompt: [] },
        "subagent prompt must be a string or an array of content blocks, not empty",
      ],
      [
        "a prompt whose text is none",
        { prompt: [{ type: "text", text: 7 }] },
        "subagent prompt must be a string or an array of content blocks, not empty",
      ],
      [
        "a prompt whose block has no type",
        { prompt: [{ text: "x" }] },
        "subagent prompt must be a string or an array of content blocks, not empty",
      ],
    ] as const
  ) {
    it(`neither ${name}`, () => {
      assert.throws(() => given(options), (error) => {
        assert.ok(error instanceof TypeError);
        assert.equal(error.message, message);
        return true;
      });
    });
  }

  it("nor a seed that is no list", () => {
    assert.throws(() => given({}, { seed: { length: 0 } }), {
      name: "TypeError",
      message: "subagent seed must be an array of session events",
    });
  });

  it("nor a signal that is none, after which it holds on to nothing", async () => {
    const parent = stubParent();
    const owner = openOwnerScope("provider");
    const signal = { aborted: false } as AbortSignal;
    assert.throws(
      () => startInProcessRun(owner, { prompt: "x", parent: parent.agent, signal }, { agents: stubAgents() }),
      TypeError,
    );
    await owner.close();
    assert.deepEqual([owner.state, owner.effects, parent.owner.children], ["closed", [], []]);
  });
});

describe("What startInProcessRun() reads", () => {
  it("is each field of the request and the seed once, and at once", async () => {
    const parent = stubParent();
    const values = {
      parent: parent.agent,
      signal: new AbortController().signal,
      persona: "p",
      toolFilter: { deny: ["x"] },
      maxDepth: 3,
      outputSchema: { type: "object" },
      prompt: "hello",
      agentOptions: { maxTokens: 5 },
    };
    const reads: string[] = [];
    const counting = <T extends object>(target: T): T =>
      Object.defineProperties(
        {},
        Object.fromEntries(
          Object.entries(target).map(([key, value]) => [key, {
            enumerable: true,
            get() {
              reads.push(key);
              return value;
            },
          }]),
        ),
      ) as T;
    const options = counting({ agents: stubAgents(), seed: [] as SessionEvent[] });
    const run = startInProcessRun(openOwnerScope("provider"), counting(values), options);
    const expected = [...Object.keys(values), "agents", "seed"].sort();
    assert.deepEqual([...reads].sort(), expected);
    await Promise.resolve();
    await run.dispose();
    assert.deepEqual([...reads].sort(), expected);
  });

  it("is parent and signal as they are, by identity", async () => {
    const { signal, listeners, abort } = countedSignal();
    const parent = stubParent();
    const agents = stubAgents();
    const run = startInProcessRun(openOwnerScope("provider"), { prompt: "x", parent: parent.agent, signal }, {
      agents,
    });
    assert.equal(listeners(), 1);
    assert.deepEqual(parent.owner.children.map(({ label }) => label), [`subagent run ${run.id}`]);
    abort();
    assert.deepEqual(await run.result, { output: [], stopReason: "aborted" });
    await run.dispose();
  });

  it("is everything else once and for all: changes of the caller's objects come too late", async () => {
    const parent = stubParent();
    const agents = stubAgents();
    const prompt = [{ type: "text", text: "original" }];
    const toolFilter = { allow: ["a"] };
    const agentOptions = { extra: { list: [1] } };
    const outputSchema = { type: "object", properties: {} as Record<string, unknown> };
    const seed = [{ seq: 0, type: "turn/end", data: { reason: "completed" } }];
    const run = startInProcessRun(
      openOwnerScope("provider"),
      { parent: parent.agent, prompt, toolFilter, agentOptions, outputSchema },
      { agents, seed },
    );
    toolFilter.allow.push("b");
    agentOptions.extra.list.push(2);
    outputSchema.properties.late = { type: "string" };
    seed.push({ seq: 1, type: "turn/start", data: { reason: "late" } });
    await Promise.resolve();
    const asked = agents.requests[0];
    assert.deepEqual(asked?.agentOptions, { extra: { list: [1] }, subagentDepth: 1 });
    assert.deepEqual(asked?.seed?.length, 1);
    assert.equal(asked?.meta?.seedLength, 1);
    await run.dispose();
  });

  it("is of a getter that answers differently each time only what was checked", async () => {
    const parent = stubParent();
    const agents = stubAgents();
    let reads = 0;
    const agentOptions = {
      get model(): unknown {
        return ++reads === 1 ? "first" : new Date();
      },
    };
    const run = startInProcessRun(openOwnerScope("provider"), {
      prompt: "x",
      parent: parent.agent,
      agentOptions,
    }, {
      agents,
    });
    await Promise.resolve();
    assert.deepEqual([reads, agents.requests[0]?.agentOptions], [1, { model: "first", subagentDepth: 1 }]);
    await run.dispose();
  });
});

describe("The depth of a child", () => {
  for (const requested of [0, 99, "malformed"]) {
    it(`is stamped last: agentOptions.subagentDepth ${JSON.stringify(requested)} changes nothing`, async () => {
      const parent = stubParent({ subagentDepth: 2 });
      const agents = stubAgents();
      const run = startInProcessRun(openOwnerScope("provider"), {
        prompt: "x",
        parent: parent.agent,
        agentOptions: { subagentDepth: requested },
      }, { agents });
      await Promise.resolve();
      assert.deepEqual(agents.requests[0]?.agentOptions, { subagentDepth: 3 });
      await run.dispose();
    });
  }

  it("counts from the options alone: a deeper session of the parent does not count (older generation)", async () => {
    const parent = stubParent({ subagentDepth: 1 }, { delegationDepth: 9 });
    const agents = stubAgents();
    const run = startInProcessRun(openOwnerScope("provider"), {
      prompt: "x",
      parent: parent.agent,
      maxDepth: 2,
    }, {
      agents,
    });
    await Promise.resolve();
    assert.equal(agents.requests[0]?.agentOptions?.subagentDepth, 2);
    await run.dispose();
  });
});

describe("What a child takes over from its parent", () => {
  const askedFor = async (request: object, header: object = {}) => {
    const parent = stubParent({ model: "parent-model", maxTokens: 9, provider: "p", other: true }, header);
    const agents = stubAgents();
    const run = startInProcessRun(openOwnerScope("provider"), {
      prompt: "x",
      parent: parent.agent,
      ...request,
    }, { agents });
    await Promise.resolve();
    await run.dispose();
    return agents.requests[0];
  };

  it("is the model and nothing else of its options (older generation)", async () => {
    assert.deepEqual((await askedFor({}))?.agentOptions, { model: "parent-model", subagentDepth: 1 });
  });

  it("gives way to what the request says", async () => {
    const asked = await askedFor({ agentOptions: { model: "mine", maxTokens: 1 } });
    assert.deepEqual(asked?.agentOptions, { model: "mine", maxTokens: 1, subagentDepth: 1 });
  });

  it("is the working directory and the lineage of its session, without depth and origin (older generation)", async () => {
    const asked = await askedFor({}, { cwd: "/srv/project", delegationDepth: 4 });
    assert.deepEqual(asked?.meta, { cwd: "/srv/project", parentSession: "parent-session" });
  });

  it("comes with ids of its own, two different ones that are new for each run (older generation)", async () => {
    const [one, two] = [await askedFor({}), await askedFor({})];
    const ids = [one?.agentId, one?.sessionId, two?.agentId, two?.sessionId];
    assert.equal(new Set(ids).size, 4);
    for (const id of ids) assert.match(id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  });
});
