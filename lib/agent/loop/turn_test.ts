import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TurnStopPolicy } from "../agent.ts";
import { deferred, isSettled, reactions, unfrozenIn } from "../agent_fixtures_test.ts";
import type { ModelFinishReason, ModelPort } from "../model/model_types.ts";
import {
  answers,
  bench,
  callTools,
  finish,
  outline,
  say,
  scriptedModel,
  trace,
} from "../scripted_model_fixtures_test.ts";
import type { ToolDefinition } from "../tools/tool_types.ts";

const echo: ToolDefinition = {
  name: "echo",
  description: "Says it again.",
  parameters: { type: "object" },
  execute: (args) => JSON.stringify(args),
};

describe("A turn", () => {
  it("writes down what happens, in order", async () => {
    await using at = await bench(answers(callTools(["echo", { n: 1 }]), say("It is ", "1.")), {
      tools: [echo],
    });
    at.agent.send("Which?");
    await at.agent.whenIdle();
    assert.deepEqual(trace(at.agent), [
      "turn/start 1",
      "user/message Which?",
      "step/start 1.1",
      "request/header",
      "assistant/chunk tool-call",
      "assistant/chunk finish",
      "assistant/message ",
      'tool/call call-1 echo {"n":1}',
      'tool/result call-1 {"n":1}',
      "step/end 1.1 tool-calls",
      "step/start 1.2",
      "request/header",
      "assistant/chunk text-delta",
      "assistant/chunk text-delta",
      "assistant/chunk finish",
      "assistant/message It is 1.",
      "step/end 1.2 stop",
      "turn/end 1 completed",
    ]);
  });

  it("asks the model with the prompt as it is assembled, the conversation and the agent's options", async () => {
    const model = answers(callTools(["echo", {}, "c1"]), say("done"));
    await using at = await bench(model, {
      tools: [echo],
      persona: "You are {{who}}.",
      variables: () => ({ who: "Ann" }),
    });
    at.agent.scope.prompt.section({ name: "more", order: 5, text: "Be brief." });
    at.agent.send([{ type: "text", text: "go" }]);
    await at.agent.whenIdle();
    const [first, second] = model.requests;
    for (const { signal: _, ...request } of model.requests) assert.deepEqual(unfrozenIn(request), [request]);
    assert.equal(first?.system, "You are Ann.\n\nBe brief.");
    assert.deepEqual(first?.tools.map(({ name }) => name), ["echo"]);
    assert.deepEqual(first?.messages, [{ role: "user", content: [{ type: "text", text: "go" }] }]);
    assert.deepEqual(second?.messages.slice(1), [
      { role: "assistant", content: [{ type: "tool-call", id: "c1", name: "echo", arguments: "{}" }] },
      { role: "tool", callId: "c1", name: "echo", content: [{ type: "text", text: "{}" }], isError: false },
    ]);
    const header = at.agent.session.events.find(({ type }) => type === "request/header");
    assert.deepEqual(header?.data, {
      system: "You are Ann.\n\nBe brief.",
      sections: [
        { name: "deployment:persona", order: 0, text: "You are {{who}}." },
        { name: "more", order: 5, text: "Be brief." },
      ],
      tools: [{ name: "echo", description: "Says it again.", parameters: { type: "object" } }],
      variables: { who: "Ann" },
      options: {},
    });
  });

  it("calls the tools of one answer one after the other", async () => {
    const running = new Set<unknown>();
    let most = 0;
    const slow: ToolDefinition = {
      ...echo,
      async execute(args) {
        running.add(args);
        most = Math.max(most, running.size);
        await reactions();
        running.delete(args);
        return "ok";
      },
    };
    await using at = await bench(answers(callTools(["echo", 1], ["echo", 2]), say("")), { tools: [slow] });
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.equal(most, 1);
    assert.deepEqual(outline(at.agent).filter((line) => line.startsWith("tool/")), [
      "tool/call call-1 echo 1",
      "tool/result call-1 ok",
      "tool/call call-2 echo 2",
      "tool/result call-2 ok",
    ]);
  });

  const ends: readonly (readonly [ModelFinishReason, string])[] = [
    ["stop", "completed"],
    ["tool-calls", "completed"],
    ["length", "max-tokens"],
    ["content-filter", "blocked"],
    ["error", "error"],
    ["other", "error"],
  ];
  for (const [finishReason, reason] of ends) {
    it(`ends as ${reason} when the model finishes with ${finishReason}`, async () => {
      await using at = await bench(answers([{ type: "text-delta", text: "so far" }, finish(finishReason)]));
      at.agent.send("go");
      await at.agent.whenIdle();
      assert.deepEqual(outline(at.agent).slice(-3), [
        "assistant/message so far",
        `step/end 1.1 ${finishReason}`,
        `turn/end 1 ${reason}`,
      ]);
      assert.deepEqual(at.failures.map(({ kind }) => kind), reason === "error" ? ["turn"] : []);
    });
  }

  it("does not make the calls of an answer that was cut off, and says so to the model", async () => {
    const cut = [{ type: "tool-call", id: "c", name: "echo", arguments: "{" }, finish("length")];
    const model = answers(cut, say("better"));
    await using at = await bench(model, { tools: [{ ...echo, execute: () => assert.fail("called") }] });
    at.agent.send("go");
    await at.agent.whenIdle();
    at.agent.send("again");
    await at.agent.whenIdle();
    assert.deepEqual(model.requests[1]?.messages.map(({ role }) => role), [
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    assert.match(outline(at.agent).join("\n"), /tool\/result c Error: tool call not made because the answer/);
  });

  it("gives the model an error for arguments that are no JSON, and none for arguments that are left out", async () => {
    const model = answers(callTools(["echo", "{broken", "a"], ["echo", "", "b"]), say("sorry"));
    await using at = await bench(model, { tools: [echo] });
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent).filter((line) => line.startsWith("tool/")), [
      "tool/call a echo {broken",
      "tool/result a Error: tool execution arguments must be losslessly JSON-serializable",
      "tool/call b echo ",
      "tool/result b {}",
    ]);
    assert.equal(outline(at.agent).at(-1), "turn/end 1 completed");
  });

  it("ends as error after maxSteps, so that a model that calls tools for ever ends", async () => {
    const model = scriptedModel(() => callTools(["echo", {}]));
    await using at = await bench(model, { tools: [echo], maxSteps: 3 });
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.equal(model.requests.length, 3);
    assert.equal(outline(at.agent).at(-1), "turn/end 1 error");
    assert.match(String((at.failures[0] as { error: unknown }).error), /took 3 steps/);
  });

  const raw = new Error("sk-secret from the provider");
  const faults: readonly (readonly [string, ModelPort, RegExp])[] = [
    ["throws when it is asked", {
      stream: () => {
        throw raw;
      },
    }, /sk-secret/],
    [
      "throws in mid-answer",
      scriptedModel(async function* () {
        yield* say("a").slice(0, 1);
        throw raw;
      } as never),
      /sk-secret/,
    ],
    ["throws what is no error", scriptedModel(() => Promise.reject("sk-secret")), /sk-secret/],
    ["gives no stream", { stream: () => ({}) as never }, /async iterable of chunks, got object/],
    ["breaks off", answers([{ type: "text-delta", text: "half" }]), /broke off/],
    ["gives null", answers([null]), /invalid chunk/],
    ["gives a piece of an unknown type", answers([{ type: "text" }]), /invalid chunk/],
    ["gives a piece without its text", answers([{ type: "text-delta" }]), /invalid chunk/],
    [
      "gives a call without arguments",
      answers([{ type: "tool-call", id: "1", name: "echo" }]),
      /invalid chunk/,
    ],
    ["finishes for no known reason", answers([{ type: "finish", reason: "tired" }]), /invalid chunk/],
    [
      "gives a piece with a function in it",
      answers([{ type: "finish", reason: "stop", usage() {} }]),
      /invalid chunk/,
    ],
    [
      "gives a getter that throws",
      answers([{
        get type() {
          throw raw;
        },
      }]),
      /sk-secret/,
    ],
  ];
  for (const [how, model, error] of faults) {
    it(`ends as error when the model ${how}; the host hears why and the session does not`, async () => {
      await using at = await bench(model);
      at.agent.send("go");
      await at.agent.whenIdle();
      assert.equal(outline(at.agent).at(-1), "turn/end 1 error");
      assert.deepEqual(at.failures.map(({ kind }) => kind), ["turn"]);
      assert.match(String((at.failures[0] as { error: unknown }).error), error);
      assert.doesNotMatch(JSON.stringify(at.agent.session.events), /sk-secret/);
      assert.equal(at.agent.status, "idle");
    });
  }

  it("goes on with the next prompt after one that failed", async () => {
    await using at = await bench(answers([], say("fine")));
    at.agent.send("one");
    await at.agent.whenIdle();
    at.agent.send("two");
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent).filter((line) => line.startsWith("turn/end")), [
      "turn/end 1 error",
      "turn/end 2 completed",
    ]);
  });

  it("begins with all prompts that are waiting", async () => {
    await using at = await bench(answers(say("both"), say("third")));
    at.agent.send("one");
    at.agent.send("two");
    at.agent.session.onEvent(({ type }) =>
      type === "turn/end" && at.agent.session.length < 12 && at.agent.send("three")
    );
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent).filter((line) => /^(turn|user)/.test(line)), [
      "turn/start 1",
      "user/message one",
      "user/message two",
      "turn/end 1 completed",
      "turn/start 2",
      "user/message three",
      "turn/end 2 completed",
    ]);
  });

  it("gives the model only prompts that every policy admits, and takes no step without one", async () => {
    const model = answers(say("ok"));
    await using at = await bench(model);
    const end = at.agent.scope.turn.onPrompt(async (content) => {
      await reactions();
      return (content[0] as { text: string }).text === "bad" ? { action: "reject" } : undefined;
    });
    at.agent.send("bad");
    await at.agent.whenIdle();
    assert.deepEqual(trace(at.agent), ["turn/start 1", "turn/end 1 rejected"]);
    at.agent.send("bad");
    at.agent.send("good");
    await at.agent.whenIdle();
    assert.deepEqual(model.requests[0]?.messages, [{
      role: "user",
      content: [{ type: "text", text: "good" }],
    }]);
    end();
    at.runtime.turn.onPrompt(() => "no" as never);
    at.agent.send("x");
    await at.agent.whenIdle();
    assert.equal(trace(at.agent).at(-1), "turn/end 3 error");
  });
});

describe("Steering", () => {
  it("is said before the next step of the running turn, and makes one where there would be none", async () => {
    const model = answers(say("first"), say("second"));
    await using at = await bench(model);
    const end = at.agent.session.onEvent(({ type }) =>
      type === "assistant/message" && (end(), at.agent.steer("and?"))
    );
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent), [
      "turn/start 1",
      "user/message go",
      "step/start 1.1",
      "assistant/message first",
      "step/end 1.1 stop",
      "user/message and?",
      "step/start 1.2",
      "assistant/message second",
      "step/end 1.2 stop",
      "turn/end 1 completed",
    ]);
  });

  it("of an agent that is idle is a prompt", async () => {
    await using at = await bench(answers(say("ok")));
    at.agent.steer("go");
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent).slice(0, 2), ["turn/start 1", "user/message go"]);
  });

  it("that comes too late for the last step becomes the next turn's prompt", async () => {
    await using at = await bench(answers(say("one"), say("two")));
    const end = at.agent.session.onEvent(({ type }) =>
      type === "turn/end" && (end(), at.agent.steer("late"))
    );
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent).filter((line) => /^(turn|user)/.test(line)), [
      "turn/start 1",
      "user/message go",
      "turn/end 1 completed",
      "turn/start 2",
      "user/message late",
      "turn/end 2 completed",
    ]);
  });
});

describe("A turn-stop policy", () => {
  it("ends a turn that would go on, after its step; what was steered is dropped and what was sent stays", async () => {
    const model = answers(callTools(["echo", {}]), say("for the next"));
    await using at = await bench(model, { tools: [echo] });
    const end = at.agent.scope.turn.onTurnStop((turn) => {
      assert.equal(turn, 1);
      end();
      at.agent.send("next");
      return { action: "stop" };
    });
    const listen = at.agent.session.onEvent(({ type }) => {
      if (type === "tool/result") at.agent.steer("dropped, before");
      if (type === "turn/end") (listen(), at.agent.steer("dropped, after"));
    });
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent).filter((line) => !line.startsWith("tool/")), [
      "turn/start 1",
      "user/message go",
      "step/start 1.1",
      "assistant/message ",
      "step/end 1.1 tool-calls",
      "turn/end 1 completed",
      "turn/start 2",
      "user/message next",
      "step/start 2.1",
      "assistant/message for the next",
      "step/end 2.1 stop",
      "turn/end 2 completed",
    ]);
  });

  it("is asked until one stops, those of all agents first", async () => {
    await using at = await bench(answers(say("ok")));
    const asked: string[] = [];
    at.agent.scope.turn.onTurnStop(() => void asked.push("own"));
    at.runtime.turn.onTurnStop(() => void asked.push("global"));
    at.runtime.turn.onTurnStop(() => (asked.push("stops"), Promise.resolve({ action: "stop" })));
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.deepEqual(asked, ["global", "stops"]);
  });

  const wrong: readonly (readonly [string, TurnStopPolicy])[] = [
    ["answers null", () => null as never],
    ["answers true", () => true as never],
    ["answers another action", () => ({ action: "go" }) as never],
  ];
  for (const [how, policy] of wrong) {
    it(`that ${how} fails the turn`, async () => {
      await using at = await bench(answers(say("ok")));
      at.agent.scope.turn.onTurnStop(policy);
      at.agent.send("go");
      await at.agent.whenIdle();
      assert.equal(outline(at.agent).at(-1), "turn/end 1 error");
      assert.deepEqual(
        (at.failures[0] as { error: Error }).error,
        new TypeError("agent/turn-stop returned an invalid result; expected { action: 'stop' } or undefined"),
      );
    });
  }

  it("of one agent is not asked about another, and is gone with it", async () => {
    await using at = await bench(scriptedModel(() => say("ok")));
    const other = await at.runtime.agents.create(at.runtime.owner);
    other.agent.scope.turn.onTurnStop(() => assert.fail("asked"));
    at.agent.send("go");
    await at.agent.whenIdle();
    await other.dispose();
    assert.throws(() => other.agent.scope.turn.onTurnStop(() => undefined), /inactive context/);
  });
});

describe("whenIdle()", () => {
  it("waits for work that is sent while work is under way", async () => {
    const gate = deferred<void>();
    const model = scriptedModel(async (_, count) => {
      if (count === 2) await gate.promise;
      return say("ok");
    });
    await using at = await bench(model);
    const end = at.agent.session.onEvent(({ type }) => type === "turn/end" && (end(), at.agent.send("more")));
    at.agent.send("go");
    const idle = at.agent.whenIdle();
    assert.equal(await isSettled(idle), false);
    gate.resolve();
    await idle;
    assert.equal(outline(at.agent).at(-1), "turn/end 2 completed");
  });

  it("fulfils at once for an agent without work", async () => {
    await using at = await bench(answers());
    assert.equal(await isSettled(at.agent.whenIdle()), true);
  });
});

describe("send() and steer()", () => {
  it("refuse what is no content", async () => {
    await using at = await bench(answers());
    for (
      const [content, got] of [[[], "none"], [null, "null"], [[{ type: "text" }], "array"], [
        [1n],
        "array",
      ]] as const
    ) {
      assert.throws(() => at.agent.send(content as never), {
        name: "TypeError",
        message:
          `agent.send() takes text, or content blocks that are losslessly JSON-serializable, at least one; got ${got}`,
      });
    }
    assert.throws(() => at.agent.steer([] as never), TypeError);
    assert.equal(at.agent.status, "idle");
  });

  it("refuse after the agent was disposed", async () => {
    const at = await bench(answers());
    await at.runtime.dispose();
    assert.throws(() => at.agent.send("go"), new Error('Cannot send to agent "agent-1": it is disposed'));
    assert.equal(at.agent.status, "disposed");
    await at.agent.whenIdle();
  });
});
