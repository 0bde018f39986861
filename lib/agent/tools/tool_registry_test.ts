import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fakeAgent } from "../agent_fixtures_test.ts";
import { InactiveScopeError } from "../scope/inactive_scope_error.ts";
import { openOwnerScope } from "../scope/owner_scope.ts";
import { callOf, namedTool, namesSeen, textOf, workshop } from "./tool_fixtures_test.ts";
import { ToolRegistry } from "./tool_registry.ts";
import type { ToolRegistryHost } from "./tool_types.ts";

describe("ToolRegistry.register()", () => {
  it("shows a global tool to everybody and a scoped one to its agent alone", async () => {
    const { registry, agent, scoped } = workshop(["read"]);
    const other = fakeAgent("b");
    registry.openAgent(openOwnerScope("agent b"), other);
    scoped.register(namedTool("own"));
    assert.deepEqual(namesSeen(registry), ["read"]);
    assert.deepEqual(namesSeen(registry, other), ["read"]);
    assert.deepEqual(namesSeen(registry, agent), ["read", "own"]);
    assert.equal(registry.get("own", other), undefined);
    assert.equal(textOf(await registry.execute(callOf("own", { agent }))), "own");
  });

  it("tells models name, description and parameters, and nothing else", () => {
    const { registry } = workshop(["read"]);
    assert.deepEqual(registry.schemas(), [
      { name: "read", description: "The read tool", parameters: { type: "object" } },
    ]);
  });

  it("lets a scoped tool take the place of a global one, and gives it back", async () => {
    const { registry, agent, scoped } = workshop(["read", "write"]);
    const takeOut = scoped.register(namedTool("read", { execute: () => "scoped" }));
    assert.deepEqual(namesSeen(registry, agent), ["read", "write"]);
    assert.equal(textOf(await scoped.execute(callOf("read"))), "scoped");
    assert.equal(textOf(await registry.execute(callOf("read"))), "read");
    takeOut();
    assert.equal(textOf(await scoped.execute(callOf("read"))), "read");
  });

  it("takes a tool out once, whatever has its name by then", () => {
    const { registry } = workshop();
    const takeOut = registry.register(namedTool("read"));
    takeOut();
    registry.register(namedTool("read"));
    takeOut();
    assert.deepEqual(namesSeen(registry), ["read"]);
  });

  it("finds the tool that a call would reach", () => {
    const { registry, agent, scoped } = workshop(["read"]);
    const global = registry.get("read");
    assert.equal(global?.name, "read");
    assert.equal(registry.get("read", agent), global);
    scoped.register(namedTool("read"));
    assert.notEqual(registry.get("read", agent), global);
    assert.equal(scoped.get("read"), registry.get("read", agent));
    assert.equal(scoped.get("write"), undefined);
  });
});

describe("ToolRegistry.restrict()", () => {
  const seen: readonly (readonly [string, { allow?: string[]; deny?: string[] }[], string[]])[] = [
    ["allow keeps what it lists", [{ allow: ["b", "a"] }], ["a", "b", "own"]],
    ["allow of nothing keeps nothing global", [{ allow: [] }], ["own"]],
    ["deny hides what it lists", [{ deny: ["b"] }], ["a", "c", "own"]],
    ["deny of nothing hides nothing", [{ deny: [] }], ["a", "b", "c", "own"]],
    ["deny wins over allow", [{ allow: ["a", "b"], deny: ["b"] }], ["a", "own"]],
    ["several restrictions add up", [{ allow: ["a", "b"] }, { allow: ["b", "c"] }], ["b", "own"]],
    ["a later allow does not bring back what is denied", [{ deny: ["a"] }, { allow: ["a", "b"] }], [
      "b",
      "own",
    ]],
    ["a scoped tool stays visible when it is denied", [{ deny: ["own"] }], ["a", "b", "c", "own"]],
  ];
  for (const [fact, filters, expected] of seen) {
    it(fact, () => {
      const { registry, agent, scoped } = workshop(["a", "b", "c"]);
      scoped.register(namedTool("own"));
      for (const filter of filters) scoped.restrict(filter);
      assert.deepEqual(namesSeen(registry, agent), expected);
      assert.deepEqual(registry.visible(agent).map(({ name }) => name), expected);
      assert.deepEqual(
        ["a", "b", "c", "own"].filter((name) => registry.get(name, agent) !== undefined),
        expected,
      );
      assert.deepEqual(namesSeen(registry), ["a", "b", "c"]);
    });
  }

  it("lets a global tool that comes later pass deny and stops it at allow, unless they list it", () => {
    const { registry, agent, scoped } = workshop(["a"]);
    const [allowing, denying] = [fakeAgent("allowing"), fakeAgent("denying")];
    registry.openAgent(openOwnerScope("allowing"), allowing).restrict({ allow: ["a"] });
    registry.openAgent(openOwnerScope("denying"), denying).restrict({ deny: ["a"] });
    const takeOut = registry.register(namedTool("listed"));
    scoped.restrict({ deny: ["listed"] });
    takeOut();
    registry.register(namedTool("listed"));
    registry.register(namedTool("new"));
    assert.deepEqual(namesSeen(registry, allowing), ["a"]);
    assert.deepEqual(namesSeen(registry, denying), ["listed", "new"]);
    assert.deepEqual(namesSeen(registry, agent), ["a", "new"]);
  });

  it("keeps a scoped tool visible that shadows a restricted global one", async () => {
    const { scoped } = workshop(["read"]);
    scoped.register(namedTool("read", { execute: () => "scoped" }));
    scoped.restrict({ allow: [] });
    assert.equal(textOf(await scoped.execute(callOf("read"))), "scoped");
  });

  it("ends when it is taken out, the others stay", () => {
    const { registry, agent, scoped } = workshop(["a", "b"]);
    const takeOut = scoped.restrict({ deny: ["a"] });
    scoped.restrict({ deny: ["a", "b"] });
    takeOut();
    takeOut();
    assert.deepEqual(namesSeen(registry, agent), []);
  });

  it("does not follow the lists it was given", () => {
    const { registry, agent, scoped } = workshop(["a", "b"]);
    const deny = ["a"];
    scoped.restrict({ deny });
    deny.push("b");
    assert.deepEqual(namesSeen(registry, agent), ["b"]);
  });

  it("is not passed on to another agent", () => {
    const { registry, scoped } = workshop(["a"]);
    scoped.restrict({ allow: [] });
    const child = fakeAgent("child");
    registry.openAgent(openOwnerScope("child"), child);
    assert.deepEqual(namesSeen(registry, child), ["a"]);
  });
});

describe("ToolRegistry.openAgent()", () => {
  it("gives a view whose calls and questions are those of the agent", async () => {
    const { registry, agent, scoped } = workshop(["read"]);
    scoped.restrict({ deny: ["read"] });
    assert.deepEqual(scoped.schemas(), []);
    assert.deepEqual(namesSeen(scoped, fakeAgent("stranger")), []);
    let caller: unknown;
    registry.onResult((execution) => {
      caller = execution.agent;
    });
    assert.equal(textOf(await scoped.execute(callOf("read"))), 'Error: unknown tool "read"');
    assert.equal(caller, agent);
  });

  it("refuses a second view of an agent", () => {
    const { registry, owner, agent } = workshop();
    assert.throws(
      () => registry.openAgent(owner, agent),
      new Error('Cannot open the tools of agent "a": agent "a" already has one'),
    );
  });

  it("leaves nothing of an agent when its owner closes", async () => {
    const { registry, owner, agent, scoped } = workshop(["read"]);
    scoped.register(namedTool("own"));
    scoped.restrict({ deny: ["read"] });
    let calls = 0;
    scoped.guard(() => void calls++);
    scoped.onResult(() => void calls++);
    assert.equal(registry.agentCount, 1);
    await owner.close();
    assert.equal(registry.agentCount, 0);
    assert.equal(textOf(await registry.execute(callOf("read", { agent }))), 'Error: unknown tool "read"');
    assert.equal(calls, 0);
  });

  it("shows nothing to an agent that is disposed, so that restrictions do not end before it does", async () => {
    const { registry, owner, agent, scoped } = workshop(["read"]);
    await owner.close();
    assert.deepEqual(namesSeen(registry, agent), []);
    assert.deepEqual(registry.visible(agent), []);
    assert.equal(scoped.get("read"), undefined);
  });

  const late: readonly (readonly [string, (scoped: ToolRegistryHost) => unknown])[] = [
    ["register a tool", (scoped) => scoped.register(namedTool("late"))],
    ["restrict tools", (scoped) => scoped.restrict({ allow: [] })],
    ["add a guard", (scoped) => scoped.guard(() => undefined)],
    ["add a policy", (scoped) => scoped.onPreExecute((decision) => decision)],
    ["add a policy", (scoped) => scoped.onPostExecute((decision) => decision)],
    ["add an observer", (scoped) => scoped.onResult(() => {})],
  ];
  for (const [action, act] of late) {
    it(`refuses to ${action} when the owner is not active`, async () => {
      const { owner, scoped } = workshop();
      await owner.close();
      assert.throws(() => act(scoped), (error) => {
        assert.ok(InactiveScopeError.is(error));
        assert.equal(error.message, `Cannot ${action}: inactive context "agent a" is closed`);
        return true;
      });
    });
  }
});

describe("ToolRegistry", () => {
  const listeners: readonly (readonly [string, (registry: ToolRegistryHost, value: never) => unknown])[] = [
    ["guard", (registry, value) => registry.guard(value)],
    ["onPreExecute", (registry, value) => registry.onPreExecute(value)],
    ["onPostExecute", (registry, value) => registry.onPostExecute(value)],
    ["onResult", (registry, value) => registry.onResult(value)],
  ];
  for (const [method, add] of listeners) {
    it(`refuses what is no function at ${method}()`, () =>
      assert.throws(
        () => add(new ToolRegistry(), "text" as never),
        new TypeError(`tools.${method}() takes a function, got string`),
      ));
  }
});

describe("ToolRegistry.installTransport()", () => {
  const runCode = namedTool("run_code");

  it("shows the transport after the other tools", () => {
    const { registry, agent } = workshop(["read"]);
    registry.installTransport(runCode, { exclusive: false });
    assert.deepEqual(namesSeen(registry), ["read", "run_code"]);
    assert.deepEqual(namesSeen(registry, agent), ["read", "run_code"]);
  });

  it("shows nothing but the transport when it is exclusive, while programs see the other tools", async () => {
    const { registry, agent, scoped } = workshop(["read"]);
    scoped.register(namedTool("own"));
    registry.installTransport(runCode, { exclusive: true });
    assert.deepEqual(namesSeen(registry, agent), ["run_code"]);
    assert.deepEqual(registry.visible(agent).map(({ name }) => name), ["read", "own"]);
    assert.equal(textOf(await scoped.execute(callOf("own"))), "own");
  });

  it("is not hidden by a restriction", async () => {
    const { registry, scoped } = workshop(["read"]);
    scoped.restrict({ allow: [] });
    assert.equal(textOf(await scoped.execute(callOf("run_code"))), 'Error: unknown tool "run_code"');
    registry.installTransport(runCode, { exclusive: false });
    assert.deepEqual(namesSeen(scoped), ["run_code"]);
    assert.equal(textOf(await scoped.execute(callOf("run_code"))), "run_code");
  });

  it("is not there for an agent that is disposed", async () => {
    const { registry, owner, agent } = workshop();
    registry.installTransport(runCode, { exclusive: false });
    await owner.close();
    assert.deepEqual(namesSeen(registry, agent), []);
  });

  it("takes the transport out once", () => {
    const { registry } = workshop(["read"]);
    const takeOut = registry.installTransport(runCode, { exclusive: true });
    takeOut();
    assert.deepEqual(namesSeen(registry), ["read"]);
    registry.installTransport(runCode, { exclusive: true });
    takeOut();
    assert.deepEqual(namesSeen(registry), ["run_code"]);
  });

  it("refuses a second transport and one with another name", () => {
    const { registry } = workshop();
    registry.installTransport(runCode, { exclusive: true });
    assert.throws(
      () => registry.installTransport(runCode, { exclusive: true }),
      new Error('tool "run_code" is already installed'),
    );
    assert.throws(
      () => registry.installTransport(namedTool("bash"), { exclusive: true }),
      new Error('Code Mode presentation transport must be called "run_code", got "bash"'),
    );
  });
});
