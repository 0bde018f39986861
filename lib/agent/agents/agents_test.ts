import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AgentEvents, CreateAgentOptions } from "../agents_types.ts";
import { deferred, isSettled, reactions } from "../agent_fixtures_test.ts";
import { openOwnerScope } from "../scope/owner_scope.ts";
import { type AgentRuntime, createAgentRuntime, type RuntimeFailure } from "../runtime.ts";
import { outline, say, scriptedModel, stuck } from "../scripted_model_fixtures_test.ts";

const EVENTS = [
  "session/created",
  "agent/created",
  "agent/session-start",
  "agent/disposed",
  "session/disposed",
] as const satisfies readonly (keyof AgentEvents)[];

function workplace(model = scriptedModel(() => say("ok"))) {
  const failures: RuntimeFailure[] = [];
  const runtime = createAgentRuntime({ model, onFailure: (failure) => void failures.push(failure) });
  const told: string[] = [];
  for (const type of EVENTS) runtime.agents.on(type, () => void told.push(type));
  return { runtime, told, failures, model };
}

function assertNothingLeft({ agents, owner, sessions, tools, prompt, turn }: AgentRuntime): void {
  assert.deepEqual([agents.list(), sessions(), owner.children], [[], [], []]);
  for (const host of [tools, prompt, turn]) {
    assert.equal((host as unknown as { agentCount: number }).agentCount, 0);
  }
}

describe("agents.create()", () => {
  it("sets up, enters, tells, unlocks, and only then fulfils", async () => {
    const { runtime, told } = workplace();
    const seen: unknown[] = [];
    const look = (at: string) =>
      seen.push([at, runtime.agents.get("a")?.id, runtime.sessions().map(({ id }) => id)]);
    for (const type of EVENTS) runtime.agents.on(type, () => look(type));
    const handle = await runtime.agents.create(runtime.owner, {
      agentId: "a",
      sessionId: "s",
      meta: { cwd: "/srv", parentSession: "p", delegationDepth: 1 },
      agentOptions: { model: "m" },
      setup(child) {
        look("setup");
        child.prompt.section({ name: "x", order: 1, text: "x" });
      },
    });
    look("created");
    await handle.dispose();
    look("disposed");
    assert.deepEqual(seen, [
      ["setup", undefined, []],
      ["session/created", "a", ["s"]],
      ["agent/created", "a", ["s"]],
      ["agent/session-start", "a", ["s"]],
      ["created", "a", ["s"]],
      ["agent/disposed", undefined, ["s"]],
      ["session/disposed", undefined, []],
      ["disposed", undefined, []],
    ]);
    assert.deepEqual(told, EVENTS);
    assert.deepEqual(handle.agent.session.header, {
      id: "s",
      cwd: "/srv",
      parentSession: "p",
      delegationDepth: 1,
    });
    assert.deepEqual([handle.agent.cwd, handle.agent.options], ["/srv", { model: "m" }]);
    assertNothingLeft(runtime);
  });

  it("takes a prompt that a listener sends, but runs it only when the agent is started", async () => {
    const { runtime, model } = workplace();
    runtime.agents.on(
      "session/created",
      ({ id }) => void runtime.agents.list().find((a) => a.session.id === id)?.send("early"),
    );
    runtime.agents.on("agent/session-start", () => assert.equal(model.requests.length, 0));
    const { agent } = await runtime.agents.create(runtime.owner);
    await agent.whenIdle();
    assert.equal(outline(agent).at(-1), "turn/end 1 completed");
    await runtime.dispose();
  });

  it("publishes nothing when setup throws, and undoes what it did", async () => {
    for (
      const setup of [() => Promise.reject(new Error("no")), () => {
        throw new Error("no");
      }]
    ) {
      const { runtime, told } = workplace();
      let undone = 0;
      const creation = runtime.agents.create(runtime.owner, {
        agentId: "a",
        setup(child) {
          child.owner.addEffect("something", () => void undone++);
          return setup();
        },
      });
      await assert.rejects(creation, new Error("no"));
      assert.deepEqual([told, undone], [[], 1]);
      assertNothingLeft(runtime);
      await (await runtime.agents.create(runtime.owner, { agentId: "a" })).dispose(); // the id is free again
    }
  });

  for (const [index, type] of EVENTS.slice(0, 3).entries()) {
    for (
      const [how, end] of [
        ["the owner closes", (_: AbortController, owner: { close(): Promise<void> }) => void owner.close()],
        ["the signal is aborted", (controller: AbortController) => controller.abort()],
      ] as const
    ) {
      it(`pairs what was told, and starts nothing, when ${how} during ${type}`, async () => {
        const { runtime, told, model } = workplace();
        const owner = runtime.owner.openChild("owner");
        const controller = new AbortController();
        runtime.agents.on(type, () => {
          runtime.agents.list()[0]?.send("go");
          end(controller, owner);
        });
        await assert.rejects(runtime.agents.create(owner, { agentId: "a", signal: controller.signal }), {
          message: how === "the owner closes"
            ? /^Cannot create agent "a": inactive context "agent "a"" is clos/
            : 'Cannot create agent "a": the creation was aborted',
        });
        const pairs = index === 0 ? ["session/disposed"] : ["agent/disposed", "session/disposed"];
        assert.deepEqual(told, [...EVENTS.slice(0, index + 1), ...pairs]);
        await reactions();
        assert.equal(model.requests.length, 0);
        await owner.close();
        assertNothingLeft(runtime);
      });
    }
  }

  it("does not wait for a setup that never ends when owner or signal do", async () => {
    for (const how of ["owner", "signal"]) {
      const { runtime, told } = workplace();
      const owner = runtime.owner.openChild("owner");
      const controller = new AbortController();
      const creation = runtime.agents.create(owner, {
        signal: controller.signal,
        setup: () => new Promise(() => {}),
      });
      assert.equal(await isSettled(creation), false);
      if (how === "owner") await owner.close();
      else controller.abort();
      await assert.rejects(creation, how === "owner" ? /inactive context/ : /aborted/);
      assert.deepEqual(told, []);
      await owner.close();
      assertNothingLeft(runtime);
    }
  });

  it("means nothing to a signal that is aborted later", async () => {
    const { runtime } = workplace();
    const controller = new AbortController();
    const { agent } = await runtime.agents.create(runtime.owner, { signal: controller.signal });
    controller.abort();
    assert.equal(agent.status, "idle");
    await runtime.dispose();
  });

  const refused: readonly (readonly [string, CreateAgentOptions, RegExp])[] = [
    [
      "options that are no JSON",
      { agentOptions: { model: 1n } as never },
      /agent options must be a losslessly/,
    ],
    ["options that are no object", { agentOptions: [] as never }, /agent options must be a losslessly/],
    ["a seed with a gap", { seed: [{ seq: 1, type: "x", data: {} }] }, /must be 0/],
    [
      "a seed that ends in a turn",
      { seed: [{ seq: 0, type: "turn/start", data: {} }] },
      /seed\[0\] begins a turn that does not end/,
    ],
    [
      "a seed that ends a turn that never began",
      { seed: [{ seq: 0, type: "turn/end", data: {} }] },
      /seed\[0\] ends a turn/,
    ],
    ["a seed whose turns overlap", {
      seed: [{ seq: 0, type: "turn/start", data: {} }, { seq: 1, type: "turn/start", data: {} }],
    }, /seed\[0\] begins a turn that does not end/],
    ["a seed that is no list", { seed: {} as never }, /session seed must be an array of events, got object/],
    [
      "an id that is empty",
      { agentId: "" },
      /option "agentId" must be a string that is not empty, got string/,
    ],
    ["an id that is no text", { sessionId: 5 as never }, /option "sessionId" must be .*, got number/],
    ["meta that is no object", { meta: [] as never }, /option "meta" must be an object, got array/],
    ["a signal that is none", { signal: {} as never }, /option "signal" must be .*, got object/],
    ["a setup that is no function", { setup: {} as never }, /option "setup" must be a function, got object/],
    ["an option that there is not", { setUp() {} } as never, /no option "setUp"; did you mean "setup"\?/],
    ["options that are none", null as never, /options must be an object, got null/],
    ["an id that is taken", { agentId: "taken" }, /agent "taken" exists already/],
    ["a session id that is taken", { sessionId: "taken" }, /session "taken" exists already/],
  ];
  for (const [what, options, message] of refused) {
    it(`refuses ${what}`, async () => {
      const { runtime } = workplace();
      await runtime.agents.create(runtime.owner, { agentId: "taken", sessionId: "taken" });
      await assert.rejects(runtime.agents.create(runtime.owner, options), message);
      assert.equal(runtime.agents.list().length, 1);
      await runtime.dispose();
      assertNothingLeft(runtime);
    });
  }

  it("refuses an id that is on its way", async () => {
    const { runtime } = workplace();
    const gate = deferred<void>();
    const first = runtime.agents.create(runtime.owner, { agentId: "a", setup: () => gate.promise });
    await assert.rejects(runtime.agents.create(runtime.owner, { agentId: "a" }), /agent "a" exists already/);
    gate.resolve();
    assert.equal((await first).agent.id, "a");
    await runtime.dispose();
  });

  it("refuses an owner that is none", async () => {
    const { runtime } = workplace();
    for (const [owner, got] of [[undefined, "undefined"], [null, "null"], [{}, "object"]] as const) {
      await assert.rejects(
        runtime.agents.create(owner as never),
        new TypeError(
          `agents.create() takes the scope that owns the agent, such as runtime.owner; got ${got}`,
        ),
      );
    }
  });

  it("makes an agent whose seed holds what is no message; the rest of it is the conversation", async () => {
    const { runtime, model, failures } = workplace();
    const said = (content: unknown[]) => ({ message: { role: "user", content } });
    const seed = [
      ["turn/start", { turn: 1 }],
      ["user/message", said([null, { type: "text", text: "a" }])],
      ["assistant/message", said([null, 1, { type: 3 }])],
      ["turn/end", null],
    ].map(([type, data], seq) => ({ seq, type, data })) as never;
    const { agent } = await runtime.agents.create(runtime.owner, { seed });
    for (const prompt of ["b", "c"]) {
      agent.send(prompt);
      await agent.whenIdle();
    }
    assert.deepEqual(failures, []);
    assert.deepEqual(
      model.requests[1]?.messages.map(({ role, content }) =>
        [role, ...content.map((block) => (block as { text: string }).text)].join(" ")
      ),
      ["user a b", "assistant ok", "user c"],
    );
    await runtime.dispose();
  });

  it("refuses an owner that is closed", async () => {
    const { runtime } = workplace();
    const owner = openOwnerScope("gone");
    await owner.close();
    await assert.rejects(runtime.agents.create(owner), /inactive context "gone" is closed/);
    assertNothingLeft(runtime);
  });

  it("goes on counting turns behind a seed", async () => {
    const { runtime } = workplace();
    const seed = [{ seq: 0, type: "turn/start", data: { turn: 1 } }, {
      seq: 1,
      type: "turn/end",
      data: { turn: 1, reason: "completed" },
    }];
    const { agent } = await runtime.agents.create(runtime.owner, { seed });
    agent.send("go");
    await agent.whenIdle();
    assert.equal(outline(agent)[2], "turn/start 2");
    await runtime.dispose();
  });
});

describe("A handle's dispose()", () => {
  it("ends a running turn as disposed before anybody hears of the end, in one shared promise", async () => {
    const { runtime, told } = workplace(scriptedModel(() => stuck()));
    const handle = await runtime.agents.create(runtime.owner);
    handle.agent.send("go");
    await reactions();
    runtime.agents.on(
      "agent/disposed",
      (agent) => assert.equal(outline(agent as never).at(-1), "turn/end 1 disposed"),
    );
    const disposal = handle.dispose();
    assert.equal(handle.dispose(), disposal);
    assert.equal(handle.agent.status, "disposed");
    await disposal;
    assert.deepEqual(told.slice(3), ["agent/disposed", "session/disposed"]);
    assert.equal(outline(handle.agent).at(-1), "turn/end 1 disposed");
    assertNothingLeft(runtime);
  });

  it("is what the end of the owner comes to", async () => {
    const { runtime, failures } = workplace(scriptedModel(() => stuck()));
    const owner = runtime.owner.openChild("owner");
    const { agent } = await runtime.agents.create(owner);
    agent.send("go");
    await reactions();
    await owner.close();
    assert.equal(outline(agent).at(-1), "turn/end 1 disposed");
    assert.deepEqual(failures, []);
    assertNothingLeft(runtime);
  });

  it("may be called by a tool of the agent itself", async () => {
    const model = scriptedModel(() => [
      { type: "tool-call", id: "1", name: "leave", arguments: "{}" },
      { type: "finish", reason: "tool-calls" },
    ]);
    const { runtime } = workplace(model);
    const handle = await runtime.agents.create(runtime.owner);
    runtime.tools.register({
      name: "leave",
      description: "",
      parameters: { type: "object" },
      execute: async () => (await handle.dispose(), "gone"),
    });
    handle.agent.send("go");
    await handle.agent.whenIdle();
    assert.equal(outline(handle.agent).at(-1), "turn/end 1 disposed");
    await handle.dispose();
    assertNothingLeft(runtime);
  });
});

describe("agents.on()", () => {
  it("contains what a listener throws and tells the others; the host hears of it", async () => {
    const { runtime, told, failures } = workplace();
    const error = new Error("broken listener");
    runtime.agents.on("agent/created", () => {
      throw error;
    });
    const end = runtime.agents.on("agent/created", () => void told.push("another"));
    await runtime.agents.create(runtime.owner);
    assert.deepEqual(failures, [{ kind: "listener", event: "agent/created", error }]);
    assert.ok(told.includes("another"));
    end();
    told.length = 0;
    await runtime.agents.create(runtime.owner);
    assert.ok(!told.includes("another"));
    await runtime.dispose();
  });

  it("refuses what is no event and what is no function", () => {
    const { runtime } = workplace();
    assert.throws(
      () => runtime.agents.on("agent/born" as never, () => {}),
      /must be one of session\/created, .*"agent\/born"/,
    );
    assert.throws(() => runtime.agents.on("agent/created", 1 as never), /takes a function, got number/);
  });
});

describe("createAgentRuntime()", () => {
  it("tells every agent what it runs in and who it is, in this order", async () => {
    const model = scriptedModel(() => say("ok"));
    await using runtime = createAgentRuntime({
      model,
      persona: "You are Ann.",
      identity: "You run in a test.",
    });
    const { agent } = await runtime.agents.create(runtime.owner);
    agent.send("go");
    await agent.whenIdle();
    assert.equal(model.requests[0]?.system, "You run in a test.\n\nYou are Ann.");
    const { sections } = await runtime.prompt.assemble();
    assert.deepEqual(sections.map(({ name }) => name), ["harness:identity", "deployment:persona"]);
  });

  it("runs a hundred agents at once and leaves nothing", async () => {
    const { runtime, failures } = workplace(scriptedModel(async ({ messages }) => {
      await reactions();
      return say(`re: ${(messages[0]?.content[0] as { text: string }).text}`);
    }));
    const handles = await Promise.all(
      Array.from({ length: 100 }, () => runtime.agents.create(runtime.owner)),
    );
    handles.forEach(({ agent }, index) => agent.send(`task ${index}`));
    await Promise.all(handles.map(({ agent }) => agent.whenIdle()));
    handles.forEach(({ agent }, index) =>
      assert.ok(outline(agent).includes(`assistant/message re: task ${index}`))
    );
    await runtime.dispose();
    assert.deepEqual(failures, []);
    assertNothingLeft(runtime);
  });
});
