import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reactions } from "../agent/agent_fixtures_test.ts";
import { SubagentError } from "../seam/errors.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import { presentableError } from "../seam/presentable_error.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentRun, SubagentStartRequest } from "../seam/types.ts";
import { forkProvider, spawnProvider } from "./provider.ts";
import { callTools, say } from "../agent/scripted_model_fixtures_test.ts";
import { openRig, type Rig, type Script, untilAborted } from "./runtime_fixtures_test.ts";

interface Seam extends Rig {
  readonly subagents: Subagents;
  readonly failures: HostFailure[];
  delegate(provider: string, request?: Partial<SubagentStartRequest>): Promise<SubagentRun>;
}

async function openSeam(script?: Script): Promise<Seam> {
  const rig = await openRig(script);
  const failures: HostFailure[] = [];
  const subagents = new Subagents({ onHostFailure: (failure) => failures.push(failure) });
  subagents.register(spawnProvider({ runtime: rig.runtime }));
  subagents.register(forkProvider({ runtime: rig.runtime }));
  return {
    ...rig,
    subagents,
    failures,
    delegate: (provider, request = {}) =>
      subagents.start(
        provider,
        { prompt: "go", parent: rig.parent.agent, ...request } as SubagentStartRequest,
      ),
  };
}

const words = (text: string) => ({ type: "text", text });

describe("A delegation through the seam", () => {
  it("gives a plain host its answer: a model and nothing else", async () => {
    const seam = await openSeam();
    const run = await seam.delegate("spawn", { parent: { id: "host", cwd: "/srv" } });
    assert.deepEqual(await run.result, { output: [words("done")], stopReason: "completed" });
    await run.dispose();
    assert.deepEqual(seam.failures, []);
    await seam.close();
  });

  it("is announced when the child can be found, and ends once", async () => {
    const seam = await openSeam();
    const events: unknown[] = [];
    seam.subagents.on("subagent/start", ({ id, local }) => {
      events.push(["start", seam.runtime.agents.get(id)?.id === id, local]);
    });
    seam.subagents.on("subagent/end", ({ stopReason }) => void events.push(["end", stopReason]));
    const run = await seam.delegate("spawn");
    await run.result;
    await reactions();
    assert.deepEqual(events, [["start", true, true], ["end", "completed"]]);
    await run.dispose();
    await seam.close();
  });

  it("that never comes to a child is announced by no event", async () => {
    const seam = await openSeam();
    const events: unknown[] = [];
    seam.subagents.on("subagent/start", () => void events.push("start"));
    seam.subagents.on("subagent/end", () => void events.push("end"));
    await assert.rejects(seam.delegate("spawn", { toolFilter: { allow: ["nope"] } }));
    await assert.rejects(seam.delegate("spawn", { signal: AbortSignal.abort() }));
    await reactions();
    assert.deepEqual([events, seam.lifecycle], [[], []]);
    await seam.close();
  });

  it("with a filter that the registry refuses is refused; which tools there are is for the host alone (newer generation)", async () => {
    const seam = await openSeam();
    seam.runtime.tools.register({
      name: "secret-tool",
      description: "",
      parameters: { type: "object" },
      execute: () => "",
    });
    const error = await seam.delegate("spawn", { toolFilter: { allow: ["nope"] } }).then(
      () => assert.fail("it started"),
      (reason) => reason,
    );
    assert.ok(SubagentError.is(error) && error.code === "INVALID_REQUEST");
    assert.equal(
      presentableError(error, "spawn", "start").message,
      'subagent request toolFilter must name tools of this runtime in "allow" or "deny"',
    );
    assert.match(
      `${seam.failures[0]?.error}`,
      /unknown tool "nope"; known tools for this scope: secret-tool/,
    );
    assert.equal(seam.failures.length, 1);
    await seam.close();
  });

  it("gives a structured result with persona, filter, cap and options in force", async () => {
    const seam = await openSeam(() => callTools(["structured_output", { n: 1 }]));
    const run = await seam.delegate("spawn", {
      persona: "A counter.",
      toolFilter: { allow: [] },
      maxDepth: 1,
      agentOptions: { model: "small" },
      outputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    });
    const { structured, stopReason } = await run.result;
    assert.deepEqual([structured, stopReason], [{ n: 1 }, "completed"]);
    const [request] = seam.model.requests;
    assert.match(request?.system ?? "", /A counter\./);
    assert.deepEqual({ ...request?.options }, { model: "small", subagentDepth: 1 });
    await run.dispose();
    await seam.close();
  });

  it("settles as aborted with the text so far when it is cancelled, and disposal waits for the child", async () => {
    const seam = await openSeam(async (request, count) =>
      count === 1 ? await untilAborted(request) : say("x")
    );
    const controller = new AbortController();
    const run = await seam.delegate("spawn", { signal: controller.signal });
    while (seam.model.requests.length === 0) await reactions();
    controller.abort();
    assert.deepEqual(await run.result, { output: [], stopReason: "aborted" });
    await run.dispose();
    assert.deepEqual(seam.runtime.agents.list(), [seam.parent.agent]);
    assert.deepEqual(seam.failures, []);
    await seam.close();
  });

  it("shows nothing of what a model's failure says, which goes to the host", async () => {
    const canary = "canary-9d1e";
    const seam = await openSeam(() => Promise.reject(new Error(canary)));
    const run = await seam.delegate("spawn");
    const result = await run.result;
    assert.deepEqual(result, {
      output: [],
      stopReason: "error",
      diagnostic: "Subagent failure (provider: spawn; stage: result; category: unknown)",
    });
    assert.deepEqual(seam.failures.map(({ operation, runId }) => [operation, runId]), [["run", run.id]]);
    await run.dispose();
    await seam.close();
  });

  it("is over for good when its parent ends", async () => {
    const seam = await openSeam(untilAborted);
    const run = await seam.delegate("spawn");
    while (seam.model.requests.length === 0) await reactions();
    await seam.parent.dispose();
    assert.equal((await run.result).stopReason, "error");
    assert.deepEqual(seam.runtime.agents.list(), []);
    await run.dispose();
    await seam.close();
  });

  it("outlives the registration of its provider", async () => {
    const rig = await openRig();
    const subagents = new Subagents();
    const unregister = subagents.register(spawnProvider({ runtime: rig.runtime }));
    const run = await subagents.start("spawn", { prompt: "go", parent: rig.parent.agent });
    unregister();
    assert.equal((await run.result).stopReason, "completed");
    await run.dispose();
    await rig.close();
  });

  it("ends with the owner of its provider, when that has one of its own", async () => {
    const rig = await openRig(untilAborted);
    const subagents = new Subagents();
    subagents.register(spawnProvider({ runtime: rig.runtime, owner: rig.owner }));
    const run = await subagents.start("spawn", { prompt: "go", parent: rig.parent.agent });
    await rig.owner.close();
    assert.equal((await run.result).stopReason, "aborted");
    assert.deepEqual(rig.runtime.agents.list(), [rig.parent.agent]);
    await run.dispose();
    await rig.close();
  });
});

describe("The two providers", () => {
  it("differ in nothing but the seed: without a completed turn their children are the same", async () => {
    const seam = await openSeam();
    const shapes: unknown[] = [];
    for (const provider of ["spawn", "fork"]) {
      const run = await seam.delegate(provider);
      await run.result;
      const { options, session: { header, events } } = seam.runtime.agents.get(run.id) ?? assert.fail("gone");
      const { id: _, ...lineage } = header;
      shapes.push([{ ...options }, lineage, events.map(({ type }) => type)]);
      await run.dispose();
    }
    assert.deepEqual(shapes[0], shapes[1]);
    await seam.close();
  });

  it("fork takes over the completed turns of its parent, spawn nothing of them", async () => {
    const seam = await openSeam();
    const { agent } = seam.parent;
    agent.send([words("first")]);
    await agent.whenIdle();
    const turns = agent.session.events;
    for (const [provider, count] of [["fork", 3], ["spawn", 1]] as const) {
      const run = await seam.delegate(provider, { prompt: "second" });
      await run.result;
      assert.equal(seam.model.requests.at(-1)?.messages.length, count, provider);
      const { session } = seam.runtime.agents.get(run.id) ?? assert.fail("gone");
      assert.equal(session.header.seedLength, provider === "fork" ? turns.length : undefined);
      await run.dispose();
    }
    await seam.close();
  });

  it("fork leaves the turn out that its parent is in, with the call that delegates", async () => {
    let child: SubagentRun | undefined;
    const seam: Seam = await openSeam(({ tools, messages }) => {
      const isParent = tools.some(({ name }) => name === "delegate");
      const isSecondTurn = messages.filter(({ role }) => role === "user").length === 2;
      return isParent && isSecondTurn && messages.at(-1)?.role === "user"
        ? callTools(["delegate", {}])
        : say("done");
    });
    const { agent } = seam.parent;
    agent.scope.tools.register({
      name: "delegate",
      description: "",
      parameters: { type: "object" },
      async execute() {
        child = await seam.delegate("fork", { prompt: "your task" });
        await child.result;
        return "delegated";
      },
    });
    for (const text of ["first", "second"]) {
      agent.send([words(text)]);
      await agent.whenIdle();
    }
    const asked = seam.model.requests.find(({ messages }) =>
      messages.some(({ content }) => JSON.stringify(content).includes("your task"))
    );
    assert.deepEqual(asked?.messages.map(({ role, content }) => [role, content]), [
      ["user", [words("first")]],
      ["assistant", [words("done")]],
      ["user", [words("your task")]],
    ]);
    await child?.dispose();
    await seam.close();
  });

  it("fork is one snapshot: what its parent does afterwards is not in the child", async () => {
    const seam = await openSeam();
    const { agent } = seam.parent;
    agent.send([words("first")]);
    await agent.whenIdle();
    const run = await seam.delegate("fork", { prompt: "task" });
    agent.send([words("later")]);
    await Promise.all([agent.whenIdle(), run.result]);
    const { session } = seam.runtime.agents.get(run.id) ?? assert.fail("gone");
    assert.ok(!JSON.stringify(session.events).includes("later"));
    await run.dispose();
    await seam.close();
  });
});
