import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reactions } from "../agent/agent_fixtures_test.ts";
import { openOwnerScope } from "../agent/scope/owner_scope.ts";
import { PERSONA_SECTION } from "../agent/prompt/section_names.ts";
import type { JsonValue } from "../schema/json_value.ts";
import { startInProcessRun } from "./start_in_process_run.ts";
import { say } from "../agent/scripted_model_fixtures_test.ts";
import { assertOnly, eventTypes, lastPrompt, openRig, untilAborted } from "./runtime_fixtures_test.ts";

const ABORTED = { output: [], stopReason: "aborted" };
const PUBLISHED = ["session/created", "agent/created", "agent/session-start"];
const ENDED = ["agent/disposed", "session/disposed"];

describe("A child in a runtime", () => {
  it("is an agent of the same runtime, found by the id of its run once the run has started", async () => {
    const rig = await openRig();
    const run = rig.start();
    assert.equal(rig.runtime.agents.get(run.id), undefined);
    await run.started;
    assert.equal(rig.runtime.agents.get(run.id), run.localAgent);
    assert.notEqual(run.localAgent, undefined);
    assert.deepEqual(await run.result, { output: [{ type: "text", text: "done" }], stopReason: "completed" });
    await run.dispose();
    assertOnly(rig, [rig.parent.agent]);
    await rig.close();
  });

  it("has fresh ids, its lineage, its parent's model and its depth", async () => {
    const rig = await openRig(undefined, { model: "m", subagentDepth: 2 });
    const run = rig.start();
    await run.started;
    const { id, options, session } = run.localAgent ?? assert.fail("no child");
    assert.deepEqual({ ...options }, { model: "m", subagentDepth: 3 });
    const { id: sessionId, ...header } = session.header;
    assert.deepEqual(header, { cwd: "/srv/project", parentSession: rig.parent.agent.session.id });
    assert.equal(new Set([id, sessionId, rig.parent.agent.id, rig.parent.agent.session.id]).size, 4);
    await run.dispose();
    await rig.close();
  });

  it("is set up before anybody knows of it: persona, tools and schema are there at the first notification", async () => {
    const rig = await openRig();
    rig.runtime.tools.register({
      name: "work",
      description: "",
      parameters: { type: "object" },
      execute: () => "",
    });
    const seen: JsonValue[] = [];
    rig.runtime.agents.on("agent/created", (agent) => {
      seen.push(agent.scope.tools.schemas().map(({ name }) => name));
    });
    const run = rig.start({
      persona: "A pirate.",
      toolFilter: { deny: ["work"] },
      outputSchema: { type: "object" },
    });
    await run.started;
    assert.deepEqual(seen, [["structured_output"]]);
    const { sections } = await run.localAgent!.scope.prompt.assemble();
    assert.deepEqual(sections.find(({ name }) => name === PERSONA_SECTION.name)?.text, "A pirate.");
    await run.dispose();
    await rig.close();
  });

  it("whose persona is empty has none, not even that of the deployment", async () => {
    const rig = await openRig();
    rig.runtime.prompt.section({ ...PERSONA_SECTION, text: "A butler." });
    const plain = rig.start();
    await plain.result;
    const nobody = rig.start({ persona: "" });
    await nobody.result;
    assert.match(rig.model.requests[0]?.system ?? "", /A butler\./);
    assert.doesNotMatch(rig.model.requests[1]?.system ?? "", /A butler\./);
    await Promise.all([plain.dispose(), nobody.dispose()]);
    await rig.close();
  });

  it("that cannot be set up was never there: the error names the unknown tool and those that there are", async () => {
    const rig = await openRig();
    const run = rig.start({ toolFilter: { allow: ["nope"] } });
    const refused = {
      message: 'tools.restrict() names unknown tool "nope"; known tools for this scope: (none)',
    };
    await assert.rejects(run.started, refused);
    await assert.rejects(run.result, refused);
    assert.deepEqual(rig.lifecycle, []);
    assert.equal(run.localAgent, undefined);
    await run.dispose();
    assertOnly(rig, [rig.parent.agent]);
    await rig.close();
  });

  it("reads the depth of its parent from the options, so that a grandchild is one deeper", async () => {
    const rig = await openRig();
    const run = rig.start();
    await run.started;
    const grandchild = rig.start({ parent: run.localAgent!, maxDepth: 2 });
    await grandchild.started;
    assert.equal(grandchild.localAgent?.options.subagentDepth, 2);
    assert.throws(() => rig.start({ parent: grandchild.localAgent!, maxDepth: 2 }), {
      name: "SubagentDepthError",
      attemptedDepth: 3,
      maxDepth: 2,
    });
    await run.dispose();
    assert.equal(grandchild.localAgent?.status, "disposed");
    await grandchild.dispose();
    assertOnly(rig, [rig.parent.agent]);
    await rig.close();
  });
});

describe("The publication of a child", () => {
  it("is announced in order and taken back in order when the run is disposed of", async () => {
    const rig = await openRig();
    const run = rig.start();
    await run.started;
    assert.deepEqual(rig.lifecycle, PUBLISHED);
    await run.result;
    await run.dispose();
    assert.deepEqual(rig.lifecycle, [...PUBLISHED, ...ENDED]);
    await rig.close();
  });

  it("does not happen when the run is cancelled at once: no notification at all", async () => {
    const rig = await openRig();
    const run = rig.start();
    run.cancel();
    await assert.rejects(run.started);
    assert.deepEqual(await run.result, ABORTED);
    await run.dispose();
    assert.deepEqual(rig.lifecycle, []);
    assertOnly(rig, [rig.parent.agent]);
    await rig.close();
  });

  for (const type of ["session/created", "agent/created", "agent/session-start"] as const) {
    it(`is taken back when somebody who hears of ${type} cancels: every begun notification has its end, nothing runs`, async () => {
      const rig = await openRig();
      const run = rig.start();
      rig.runtime.agents.on(type, () => run.cancel());
      await assert.rejects(run.started);
      assert.deepEqual(await run.result, ABORTED);
      await run.dispose();
      const begun = rig.lifecycle.filter((name) => name.endsWith("/created"));
      const ended = rig.lifecycle.filter((name) => name.endsWith("/disposed"));
      assert.deepEqual(ended, begun.map((name) => name.replace("created", "disposed")).reverse());
      assert.ok(begun.includes("session/created"));
      assert.deepEqual(rig.model.requests, []);
      assertOnly(rig, [rig.parent.agent]);
      await rig.close();
    });
  }
});

describe("The end of a child", () => {
  const ENDS = [
    ["run.dispose()", ({ run }) => run.dispose()],
    ["the end of the provider", ({ rig }) => rig.owner.close()],
    ["the end of the parent", ({ rig }) => rig.parent.dispose()],
    ["the end of the runtime", ({ rig }) => rig.runtime.owner.close()],
  ] as readonly (readonly [
    string,
    (
      parts: {
        run: ReturnType<Awaited<ReturnType<typeof openRig>>["start"]>;
        rig: Awaited<ReturnType<typeof openRig>>;
      },
    ) => Promise<void>,
  ])[];
  for (const [name, end] of ENDS) {
    it(`by ${name} in the middle of its turn stops the model, takes it down and waits until it is gone`, async () => {
      let aborted = 0;
      const rig = await openRig(async (request) => {
        request.signal.addEventListener("abort", () => aborted++);
        return await untilAborted(request);
      });
      const run = rig.start();
      await run.started;
      const child = run.localAgent ?? assert.fail("no child");
      while (rig.model.requests.length === 0) await reactions();
      await end({ run, rig });
      assert.equal(aborted, 1);
      assert.equal(child.status, "disposed");
      assert.equal(rig.runtime.agents.get(run.id), undefined);
      assert.deepEqual(rig.lifecycle.slice(0, 5), [...PUBLISHED, ...ENDED]);
      // The turn says that it was disposed of, which the older generation calls an error whoever asked for it.
      assert.equal((await run.result).stopReason, "error");
      await run.dispose();
      assert.deepEqual(rig.owner.effects, []);
      await rig.close();
    });
  }

  it("stops it before it leaves the registry, and that before its scope unwinds", async () => {
    const rig = await openRig(untilAborted);
    const run = rig.start();
    await run.started;
    const child = run.localAgent ?? assert.fail("no child");
    while (rig.model.requests.length === 0) await reactions();
    const order: unknown[] = [];
    const note = (what: string) => void order.push([what, child.scope.tools.schemas().length]);
    child.scope.tools.register({ name: "own", description: "", parameters: {}, execute: () => "" });
    child.session.onEvent(({ type }) => type === "turn/end" && note(type));
    rig.runtime.agents.on("agent/disposed", () => note("agent/disposed"));
    rig.runtime.agents.on("session/disposed", () => note("session/disposed"));
    await run.dispose();
    note("gone");
    assert.deepEqual(order, [["turn/end", 1], ["agent/disposed", 1], ["session/disposed", 1], ["gone", 0]]);
    await rig.close();
  });

  it("does not touch its siblings", async () => {
    const rig = await openRig(async (request) =>
      lastPrompt(request) === "wait" ? await untilAborted(request) : say("done")
    );
    const [one, other] = [rig.start({ prompt: "wait" }), rig.start({ prompt: "quick" })];
    await Promise.all([one.started, other.started]);
    await one.dispose();
    assert.equal((await other.result).stopReason, "completed");
    assert.equal(rig.runtime.agents.get(other.id), other.localAgent);
    await other.dispose();
    await rig.close();
  });
});

describe("A provider that has ended", () => {
  it("makes no child: nothing of the parent, the signal or the runtime is touched", async () => {
    const rig = await openRig();
    await rig.owner.close();
    assert.throws(() => rig.start(), /inactive context "provider" is closed/);
    assertOnly(rig, [rig.parent.agent]);
    assert.deepEqual(rig.lifecycle, []);
    await rig.close();
  });
});

describe("Several providers of one runtime", () => {
  it("own their runs apart: the end of one leaves the runs of the other alone", async () => {
    const rig = await openRig(untilAborted);
    const other = openOwnerScope("other provider");
    const mine = rig.start();
    const theirs = startInProcessRun(other, { prompt: "go", parent: rig.parent.agent }, {
      agents: rig.runtime.agents,
    });
    await Promise.all([mine.started, theirs.started]);
    await rig.owner.close();
    assert.equal(mine.localAgent?.status, "disposed");
    assert.notEqual(theirs.localAgent?.status, "disposed");
    await theirs.dispose();
    await other.close();
    await rig.close();
  });
});

describe("The session of a child", () => {
  it("begins with the seed, whose length its header tells", async () => {
    const rig = await openRig();
    await promptParent(rig, "first");
    const seed = rig.parent.agent.session.events;
    const run = rig.start({}, { seed });
    await run.result;
    const child = run.localAgent ?? assert.fail("no child");
    assert.equal(child.session.header.seedLength, seed.length);
    assert.deepEqual(child.session.events.slice(0, seed.length), seed);
    assert.notEqual(eventTypes(child).length, seed.length);
    await run.dispose();
    await rig.close();
  });

  it("shows the model what the seed holds, and then the prompt", async () => {
    const rig = await openRig();
    await promptParent(rig, "first");
    const run = rig.start({ prompt: "second" }, { seed: rig.parent.agent.session.events });
    await run.result;
    const texts = rig.model.requests.at(-1)?.messages.map(({ role, content }) => [role, content]);
    assert.deepEqual(texts, [
      ["user", [{ type: "text", text: "first" }]],
      ["assistant", [{ type: "text", text: "done" }]],
      ["user", [{ type: "text", text: "second" }]],
    ]);
    await run.dispose();
    await rig.close();
  });

  it("refuses a seed whose events do not count from 0, and there is no child", async () => {
    const rig = await openRig();
    const run = rig.start({}, { seed: [{ seq: 3, type: "turn/end", data: {} }] });
    await assert.rejects(run.started, RangeError);
    await run.dispose();
    assertOnly(rig, [rig.parent.agent]);
    await rig.close();
  });
});

async function promptParent(
  { parent: { agent } }: Awaited<ReturnType<typeof openRig>>,
  text: string,
): Promise<void> {
  agent.send([{ type: "text", text }]);
  await agent.whenIdle();
}
