import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred, reactions } from "../agent_fixtures_test.ts";
import type { ModelChunk } from "../model/model_types.ts";
import {
  answers,
  bench,
  callTools,
  finish,
  outline,
  say,
  scriptedModel,
  stuck,
  trace,
} from "../scripted_model_fixtures_test.ts";
import type { ToolDefinition } from "../tools/tool_types.ts";

/** A tool that waits until it is let go. */
function waitingTool() {
  const begun = deferred<AbortSignal>();
  const gate = deferred<string>();
  const tool: ToolDefinition = {
    name: "wait",
    description: "Waits.",
    parameters: { type: "object" },
    execute(_, { signal }) {
      begun.resolve(signal!);
      return gate.promise;
    },
  };
  return { tool, begun: begun.promise, release: gate.resolve };
}

describe("Cancelling", () => {
  it("does nothing to an agent without work, and poisons no later prompt", async () => {
    await using at = await bench(answers(say("ok")));
    at.agent.cancel();
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.equal(outline(at.agent).at(-1), "turn/end 1 completed");
  });

  it("leaves the signal of a turn alone that is over", async () => {
    const model = answers(say("ok"));
    await using at = await bench(model);
    at.agent.send("go");
    await at.agent.whenIdle();
    at.agent.cancel();
    await at.runtime.dispose();
    assert.equal(model.requests[0]?.signal.aborted, false);
  });

  const moments: readonly (readonly [type: string, asked: number, ...rest: string[]])[] = [
    ["turn/start", 0],
    ["user/message", 0, "user/message go"],
    ["step/start", 0, "user/message go", "step/start 1.1"],
    ["request/header", 0, "user/message go", "step/start 1.1"],
    ["assistant/chunk", 1, "user/message go", "step/start 1.1"],
    ["assistant/message", 1, "user/message go", "step/start 1.1", "assistant/message ok"],
    ["step/end", 1, "user/message go", "step/start 1.1", "assistant/message ok", "step/end 1.1 stop"],
  ];
  for (const [end, reason] of [["cancel", "aborted"], ["dispose", "disposed"]] as const) {
    for (const [type, asked, ...rest] of moments) {
      it(`by ${end} in a listener of ${type} ends the turn there, as ${reason}`, async () => {
        let pieces = 0;
        const model = scriptedModel(function* (): Generator<ModelChunk> {
          for (const chunk of say("ok")) (pieces++, yield chunk);
        } as never);
        await using at = await bench(model);
        at.agent.session.onEvent((event) => {
          if (event.type !== type) return;
          if (end === "cancel") at.agent.cancel();
          else void at.runtime.dispose();
        });
        at.agent.send("go");
        await at.agent.whenIdle();
        assert.deepEqual(outline(at.agent), ["turn/start 1", ...rest, `turn/end 1 ${reason}`]);
        assert.equal(model.requests.length, asked);
        if (type === "assistant/chunk") assert.equal(pieces, 1);
        assert.deepEqual(at.failures, []);
      });
    }
  }

  it("in a listener of turn/end leaves that turn as it was", async () => {
    await using at = await bench(scriptedModel(() => say("ok")));
    const end = at.agent.session.onEvent(({ type }) => type === "turn/end" && (end(), at.agent.cancel()));
    at.agent.send("one");
    await at.agent.whenIdle();
    at.agent.send("two");
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent).filter((line) => line.startsWith("turn/end")), [
      "turn/end 1 completed",
      "turn/end 2 completed",
    ]);
  });

  it("is no failure of a model that throws as soon as it is asked to go on", async () => {
    const thrown = new Error("the model's own words");
    const next = () => {
      at.agent.cancel();
      throw thrown;
    };
    await using at = await bench({ stream: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) });
    at.agent.send("go");
    await at.agent.whenIdle();
    assert.equal(outline(at.agent).at(-1), "turn/end 1 aborted");
    assert.deepEqual(at.failures, []);
  });

  it("leaves a model's stream to itself that fails later", async () => {
    const late = deferred<void>();
    const begun = deferred<void>();
    const model = scriptedModel(async function* (): AsyncGenerator<ModelChunk> {
      begun.resolve();
      await late.promise;
      yield finish();
    } as never);
    await using at = await bench(model);
    at.agent.send("go");
    await begun.promise;
    at.agent.cancel();
    await at.agent.whenIdle();
    const { length } = at.agent.session;
    late.reject(new Error("nobody waits for this, and it is no unhandled rejection"));
    await reactions();
    assert.equal(at.agent.session.length, length);
    assert.deepEqual(at.failures, []);
  });

  it("drops a prompt that no turn has begun with", async () => {
    await using at = await bench(answers());
    at.agent.send("go");
    assert.equal(at.agent.status, "running");
    at.agent.cancel();
    await at.agent.whenIdle();
    assert.deepEqual(trace(at.agent), []);
    assert.equal(at.agent.status, "idle");
  });

  it("ends a turn at once when the model ignores it; the pieces stay, and a late one counts for nothing", async () => {
    const late = deferred<void>();
    const seen: AbortSignal[] = [];
    const model = scriptedModel(
      async function* ({ signal }: { signal: AbortSignal }): AsyncGenerator<ModelChunk> {
        seen.push(signal);
        yield { type: "text-delta", text: "half" };
        await late.promise;
        yield { type: "text-delta", text: " too late" };
      } as never,
    );
    await using at = await bench(model);
    at.agent.session.onEvent(({ type }) => type === "assistant/chunk" && at.agent.cancel("enough"));
    at.agent.send("go");
    await at.agent.whenIdle();
    late.resolve();
    await reactions();
    assert.deepEqual(trace(at.agent).slice(3), [
      "request/header",
      "assistant/chunk text-delta",
      "turn/end 1 aborted",
    ]);
    assert.equal((seen[0]?.reason as Error).message, "enough");
    assert.deepEqual(at.failures, []);
  });

  it("ends a turn at once when a tool ignores it; every call has a result", async () => {
    const { tool, begun } = waitingTool();
    const model = answers(callTools(["wait", {}], ["wait", {}]), say("ok"));
    await using at = await bench(model, { tools: [tool] });
    at.agent.send("go");
    const signal = await begun;
    at.agent.cancel();
    assert.equal(signal.aborted, true);
    await at.agent.whenIdle();
    assert.deepEqual(
      outline(at.agent).slice(-5),
      [
        "tool/call call-1 wait {}",
        "tool/result call-1 Error: tool call aborted",
        "tool/call call-2 wait {}",
        "tool/result call-2 Error: tool call aborted before dispatch",
        "turn/end 1 aborted",
      ],
    );
    at.agent.send("again");
    await at.agent.whenIdle();
    assert.deepEqual(model.requests[1]?.messages.map(({ role }) => role), [
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
    ]);
  });

  it("does not wait for a policy or a prompt section that never answers", async () => {
    await using at = await bench(scriptedModel(() => say("ok")));
    for (
      const block of [
        () => at.agent.scope.turn.onPrompt(() => new Promise(() => {})),
        () => at.agent.scope.prompt.onAssemble(() => new Promise(() => {})),
        () => at.agent.scope.turn.onTurnStop(() => new Promise(() => {})),
      ]
    ) {
      const unblock = block();
      at.agent.send("go");
      await reactions();
      at.agent.cancel();
      await at.agent.whenIdle();
      assert.match(outline(at.agent).at(-1) ?? "", /aborted$/);
      unblock();
    }
  });

  it("drops what is queued and steered; what is sent afterwards is a turn of its own", async () => {
    await using at = await bench(scriptedModel((_, count) => count === 1 ? stuck() : say("ok")));
    at.agent.send("one");
    await reactions();
    at.agent.send("queued");
    at.agent.steer("steered");
    at.agent.cancel();
    at.agent.send("two");
    await at.agent.whenIdle();
    assert.deepEqual(outline(at.agent).filter((line) => /^(turn|user)/.test(line)), [
      "turn/start 1",
      "user/message one",
      "turn/end 1 aborted",
      "turn/start 2",
      "user/message two",
      "turn/end 2 completed",
    ]);
  });
});
