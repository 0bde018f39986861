/**
 * Faults that hosts of agents were reported for, each as a test named after the symptom. The report behind a name
 * stands in brackets.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AgentScript, Step } from "../../fakes/acp_agent/script.ts";
import { eventually } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import type { AcpActivity } from "./activity.ts";
import { completed, delegate, delegator, done, hang, started, text } from "./delegation_fixtures_test.ts";

const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "foreign" } };

describe("permissions and cancel", () => {
  const outcomes = (workplace: Workplace) =>
    workplace.messages().filter(({ method }) => method === undefined).map(({ result }) => result);

  it("the default grants nothing (thunderbolt#488, cmux#7258)", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [{ do: "ask" }, done] });
    const run = await start();
    await run.result;
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "cancelled" } }]);
  });

  it("under allow the first allowing option is selected", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [{ do: "ask" }, { do: "stop", reason: "refusal" }] }, {
      config: { permission: "allow" },
    });
    const run = await start();
    assert.equal(
      (await run.result).diagnostic,
      "ACP unattended decision (policy: allow; request: execute; decision: allowed)",
    );
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "selected", optionId: "allow" } }]);
  });

  it("a question asked after cancel is answered cancelled, under allow too (acpx#631, deepchat#1881, assistant-ui#6027)", async () => {
    using workplace = new Workplace();
    const { run, controller, firstText } = await started(workplace, {
      onPrompt: [
        text("x"),
        { do: "wait", for: "cancel" },
        { do: "ask" },
        { do: "stop", reason: "cancelled" },
        text("late"),
      ],
    }, { config: { permission: "allow" } });
    await firstText;
    controller.abort();
    assert.deepEqual(await run.result, { ...completed("x"), stopReason: "aborted" });
    await eventually(() => outcomes(workplace).length === 1, "the question is answered");
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "cancelled" } }]);
    assert.deepEqual(workplace.received(), [
      "initialize",
      "session/new",
      "session/prompt",
      "session/cancel",
      "answer",
    ]);
  });

  it("a question asked after the answer grants nothing, under allow too", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [text("x"), done, { do: "ask" }] }, {
      config: { permission: "allow" },
    });
    const run = await start();
    assert.deepEqual(await run.result, completed("x"));
    await eventually(() => outcomes(workplace).length === 1, "the question is answered");
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "cancelled" } }]);
  });

  it("a question about another session grants nothing and is not remembered", async () => {
    using workplace = new Workplace();
    const script: AgentScript = {
      onPrompt: [{ do: "ask", sessionId: "session-9" }, { do: "stop", reason: "refusal" }],
    };
    const { start } = delegator(workplace, script, { config: { permission: "allow" } });
    const run = await start();
    assert.deepEqual(await run.result, { stopReason: "refusal", output: [] });
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "cancelled" } }]);
  });

  it("two questions at once are both answered, the latest is remembered", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, {
      onPrompt: [
        { do: "ask", kind: "read", wait: false },
        { do: "ask", kind: "edit", wait: false },
        { do: "wait", for: "answers" },
        { do: "stop", reason: "refusal" },
      ],
    });
    const run = await start();
    assert.equal(
      (await run.result).diagnostic,
      "ACP unattended decision (policy: reject; request: edit; decision: denied)",
    );
    await run.dispose();
    assert.equal(outcomes(workplace).length, 2);
  });

  it("an agent that floods us with questions and reads no answer fails the run, in bounded memory", async () => {
    const { result } = await delegate({
      onPrompt: [{ do: "pauseStdin" }, { do: "ask", times: 100_000, wait: false }, hang],
      onSigterm: [],
    }, { config: { disposeEofGraceMs: 100, disposeGraceMs: 1000 } });
    assert.equal(
      result.diagnostic,
      "Subagent failure (provider: ACP; stage: prompt; category: transport)\n" +
        "ACP unattended decision (policy: reject; request: execute; decision: denied)",
    );
  });

  it("cancel is not held up by the prompt under way (sudocode#78)", async () => {
    using workplace = new Workplace();
    const { run, controller, firstText } = await started(workplace, { onPrompt: [text("x"), hang] });
    await firstText;
    controller.abort();
    await run.result;
    await eventually(() => workplace.received().includes("session/cancel"), "the agent heard of the cancel");
    await run.dispose();
  });
});

describe("output and stop reasons", () => {
  it("an update and the response in one segment keep their order (QwenPaw#6623)", async () => {
    const { result } = await delegate({
      onPrompt: [{ do: "burst", steps: [text("a"), text("b"), text("c"), done] }],
    });
    assert.deepEqual(result, completed("abc"));
  });

  for (const steps of [[done, text("late")], [{ do: "burst", steps: [done, text("late")] }]] as const) {
    it(`text behind the response changes nothing${steps.length === 1 ? ", in one segment with it" : ""} (opencode#17505)`, async () => {
      const { result } = await delegate({ onPrompt: [text("x"), ...steps] });
      assert.deepEqual(result, completed("x"));
    });
  }

  it("a cancelled run keeps what it said (openclaw#33827)", async () => {
    using workplace = new Workplace();
    const { run, firstText } = await started(workplace, { onPrompt: [text("half a report"), hang] });
    await firstText;
    await run.dispose();
    assert.deepEqual(await run.result, { ...completed("half a report"), stopReason: "aborted" });
  });

  it("a run that finished stays finished when it is cancelled later (MassGen#720)", async () => {
    using workplace = new Workplace();
    const { run, controller } = await started(workplace, { onPrompt: [text("report"), done] });
    await run.result;
    controller.abort();
    await run.dispose();
    assert.deepEqual(await run.result, completed("report"));
    assert.ok(!workplace.received().includes("session/cancel"));
  });

  it("only text of the agent's own messages in this session is the answer", async () => {
    const update = (value: Record<string, unknown>): Step => ({ do: "update", update: value as never });
    const { result } = await delegate({
      onPrompt: [
        { do: "update", update: chunk, sessionId: "session-2" },
        { do: "update", update: chunk, sessionId: null },
        update({ ...chunk, sessionUpdate: "agent_thought_chunk" }),
        update({ ...chunk, sessionUpdate: "user_message_chunk" }),
        update({ ...chunk, sessionUpdate: "a_kind_of_tomorrow" }),
        update({ ...chunk, content: { type: "image", data: "aGk=", mimeType: "image/png" } }),
        update({ ...chunk, content: { type: "text", text: 7 } }),
        update({ ...chunk, content: null }),
        update({ sessionUpdate: "tool_call", toolCallId: "t", title: "canary" }),
        update({ sessionUpdate: "plan", entries: [] }),
        { do: "notify", method: "session/update" },
        { do: "notify", method: "session/update", params: "no object" },
        { do: "notify", method: "_vendor/update", params: { sessionId: "session-1", update: chunk } },
        text(""),
        text("mine"),
        done,
      ],
    });
    assert.deepEqual(result, completed("mine"));
  });

  it("text in front of the prompt is not the answer", async () => {
    const early: Step = { do: "update", update: chunk };
    const { result } = await delegate({
      onSessionNew: [{
        do: "burst",
        steps: [early, { do: "reply", result: { sessionId: { $sessionId: true } } }, early],
      }],
      onPrompt: [text("mine"), done],
    });
    assert.deepEqual(result, completed("mine"));
  });
});

describe("what a host may watch", () => {
  it("harms nothing when the listener is async and rejects", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, { onPrompt: [text("x"), done] }, {
      provider: { onActivity: () => Promise.reject(new Error("listener")) as unknown as void },
    });
    const run = await start();
    assert.deepEqual(await run.result, completed("x"));
    await run.dispose();
    assert.deepEqual(hostFailures.map(({ operation }) => operation), ["listener"]);
  });

  it("is the size of the answer and the decisions, under the id of the run; a listener that throws harms nothing", async () => {
    using workplace = new Workplace();
    const seen: AcpActivity[] = [];
    const { start, hostFailures } = delegator(workplace, {
      onPrompt: [text("grüße"), { do: "ask", kind: "edit" }, done],
    }, {
      provider: {
        onActivity: (activity) => {
          seen.push(activity);
          throw new Error("listener");
        },
      },
    });
    const run = await start();
    assert.deepEqual(await run.result, completed("grüße"));
    await run.dispose();
    assert.deepEqual(seen, [
      { kind: "text", bytes: 7, runId: run.id },
      {
        kind: "permission",
        decision: { policy: "reject", request: "edit", decision: "denied" },
        runId: run.id,
      },
    ]);
    assert.deepEqual(hostFailures.map(({ operation }) => operation), ["listener", "listener"]);
  });
});
