import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred, isSettled, reactions, unfrozenIn } from "../agent_fixtures_test.ts";
import type { ListenerError } from "../listener_error.ts";
import { callOf, namedTool, textOf, workshop } from "./tool_fixtures_test.ts";
import type { PostDecision, PreDecision, ToolExecution, ToolResult } from "./tool_types.ts";

const FEEDBACK = [{ type: "text", text: "feedback" }];

describe("ToolRegistry.execute()", () => {
  it("goes through policies, guards, tool, policies for the result and observers, global ones before scoped", async () => {
    const trace: string[] = [];
    const { registry, scoped } = workshop();
    registry.register(namedTool("read", {
      execute: () => {
        trace.push("tool");
        return "done";
      },
    }));
    for (const [place, host] of [["scoped", scoped], ["global", registry]] as const) {
      const note = (what: string) => trace.push(`${place} ${what}`);
      host.onResult(() => void note("observer"));
      host.onPostExecute((decision) => (note("post"), decision));
      host.guard(() => void note("guard"));
      host.onPreExecute((decision) => (note("pre"), decision));
    }
    await scoped.execute(callOf("read"));
    assert.deepEqual(trace, [
      "global pre",
      "scoped pre",
      "global guard",
      "scoped guard",
      "tool",
      "global post",
      "scoped post",
      "global observer",
      "scoped observer",
    ]);
  });

  it("keeps what one agent registered from calls of others and of the host", async () => {
    const { registry, scoped } = workshop(["read"]);
    let calls = 0;
    scoped.onPreExecute((decision) => (calls++, decision));
    scoped.guard(() => void calls++);
    scoped.onPostExecute((decision) => (calls++, decision));
    scoped.onResult(() => void calls++);
    await registry.execute(callOf("read"));
    assert.equal(calls, 0);
    await scoped.execute(callOf("read"));
    assert.equal(calls, 4);
  });

  it("hands the same execution object to everybody, frozen by the time observers get it", async () => {
    const seen: ToolExecution[] = [];
    const frozen: boolean[] = [];
    const { registry, agent } = workshop();
    const see = (execution: ToolExecution) => {
      seen.push(execution);
      frozen.push(Object.isFrozen(execution));
    };
    registry.register(namedTool("read", { execute: (_, execution) => (see(execution), "done") }));
    registry.onPreExecute((decision, execution) => (see(execution), decision));
    registry.guard((execution) => void see(execution));
    registry.onPostExecute((decision, execution) => (see(execution), decision));
    registry.onResult((execution) => see(execution));
    registry.onResult((execution) => see(execution));
    await registry.execute(callOf("read", { agent }));
    assert.equal(new Set(seen).size, 1);
    assert.deepEqual(frozen, [false, false, false, false, true, true]);
  });

  it("lets a policy narrow the signal until there is a result", async () => {
    const { signal } = new AbortController();
    const { registry } = workshop();
    let used: unknown;
    registry.register(namedTool("read", {
      execute: (_, execution) => {
        used = execution.signal;
        return "done";
      },
    }));
    registry.onPreExecute((decision, execution) => {
      execution.signal = signal;
      return decision;
    });
    let refused: unknown;
    registry.onResult((execution) => {
      try {
        (execution as ToolExecution).signal = undefined;
      } catch (error) {
        refused = error;
      }
    });
    await registry.execute(callOf("read"));
    assert.equal(used, signal);
    assert.ok(refused instanceof TypeError);
  });

  it("fulfils with the deep-frozen result that observers get", async () => {
    const { registry } = workshop(["read"]);
    const heard: ToolResult[] = [];
    registry.onResult((_, result) => void heard.push(result));
    const result = await registry.execute(callOf("read"));
    assert.equal(heard[0], result);
    assert.deepEqual(result, { callId: "call-1", content: [{ type: "text", text: "read" }], isError: false });
    assert.deepEqual(unfrozenIn(result), []);
  });

  it("tells calls with the same id apart", async () => {
    const { registry } = workshop(["read"]);
    const executions: ToolExecution[] = [];
    registry.onResult((execution) => void executions.push(execution));
    await registry.execute(callOf("read"));
    await registry.execute(callOf("read"));
    const [first, second] = executions;
    assert.equal(first?.callId, second?.callId);
    assert.notEqual(first, second);
    assert.notEqual(first?.token, second?.token);
  });

  it("waits for the tool, and runs calls side by side", async () => {
    const gate = deferred<string>();
    const { registry } = workshop(["quick"]);
    registry.register(namedTool("slow", { execute: () => gate.promise }));
    const slow = registry.execute(callOf("slow"));
    assert.equal(textOf(await registry.execute(callOf("quick"))), "quick");
    assert.equal(await isSettled(slow), false);
    gate.resolve("done");
    assert.equal(textOf(await slow), "done");
  });

  it("gives a nested call the token of the outer one", async () => {
    const { registry } = workshop(["inner"]);
    registry.register(namedTool("outer", {
      execute: async (_, { token }) =>
        (await registry.execute(callOf("inner", { parent: token }))).content.length + "",
    }));
    const tokens: Record<string, unknown> = {};
    registry.onResult(({ name, token, parent }) => void (tokens[name] = { token, parent }));
    await registry.execute(callOf("outer"));
    const { outer, inner } = tokens as Record<string, { token: unknown; parent: unknown }>;
    assert.equal(inner?.parent, outer?.token);
    assert.equal(outer?.parent, undefined);
  });

  for (const field of ["callId", "name"]) {
    it(`rejects when the ${field} is no string, and nobody hears of it`, async () => {
      const { registry } = workshop(["read"]);
      let calls = 0;
      registry.onPreExecute((decision) => (calls++, decision));
      registry.onResult(() => void calls++);
      await assert.rejects(
        registry.execute({ ...callOf("read"), [field]: 1 }),
        new TypeError(`tool execution ${field} must be a string, got number`),
      );
      assert.equal(calls, 0);
    });
  }

  it("does not ask policies about a call with a fault, but lets policies for results and observers see it", async () => {
    const { registry } = workshop(["read"]);
    const trace: string[] = [];
    registry.onPreExecute((decision) => (trace.push("pre"), decision));
    registry.guard(() => void trace.push("guard"));
    registry.onPostExecute((decision, execution) => (trace.push(`post ${execution.arguments}`), decision));
    registry.onResult((execution) => void trace.push(`observer ${execution.arguments}`));
    const result = await registry.execute(callOf("read", { arguments: { at: new Date(0) } }));
    assert.equal(result.isError, true);
    assert.deepEqual(trace, ["post null", "observer null"]);
  });

  it("looks the tool up when the policies are done", async () => {
    const { registry } = workshop();
    registry.onPreExecute((decision) => {
      registry.register(namedTool("late"));
      return decision;
    });
    assert.equal(textOf(await registry.execute(callOf("late"))), "late");
  });

  it("answers the same for a tool that does not exist and one that is restricted away", async () => {
    const { registry, scoped } = workshop(["secret"]);
    const missing = await scoped.execute(callOf("nothing"));
    scoped.restrict({ allow: [] });
    const restricted = await scoped.execute(callOf("secret"));
    assert.deepEqual(missing, {
      callId: "call-1",
      content: [{ type: "text", text: 'Error: unknown tool "nothing"' }],
      isError: true,
      error: { name: "UnknownToolError", code: "UNKNOWN_TOOL" },
    });
    assert.equal(JSON.stringify(restricted).replace("secret", "nothing"), JSON.stringify(missing));
    assert.equal(textOf(await registry.execute(callOf("secret"))), "secret");
  });

  it("does not run a tool whose call was cancelled while policies were asked", async () => {
    const controller = new AbortController();
    let ran = false;
    const { registry } = workshop([], {
      approve: () => {
        controller.abort();
        return { kind: "allow" };
      },
    });
    registry.register(namedTool("write", {
      execute: () => {
        ran = true;
        return "done";
      },
    }));
    registry.onPreExecute(() => ({ kind: "ask" }));
    const result = await registry.execute(callOf("write", { signal: controller.signal }));
    assert.equal(textOf(result), 'Error: tool "write" was cancelled before it ran');
    assert.equal(ran, false);
  });
});

describe("ToolRegistry.onPreExecute()", () => {
  it("begins with allow and hands each policy the decision of the one before", async () => {
    const { registry } = workshop(["read"]);
    const seen: PreDecision[] = [];
    registry.onPreExecute((decision) => (seen.push(decision), { kind: "deny", reason: "first" }));
    registry.onPreExecute((decision) => (seen.push(decision), { kind: "ask" }));
    registry.onPreExecute((decision) => (seen.push(decision), { kind: "allow" }));
    assert.equal(textOf(await registry.execute(callOf("read"))), "read");
    assert.deepEqual(seen, [{ kind: "allow" }, { kind: "deny", reason: "first" }, { kind: "ask" }]);
  });

  it("sees arguments that it cannot change", async () => {
    const { registry } = workshop();
    registry.register(namedTool("echo", { execute: (args) => JSON.stringify(args) }));
    registry.onPreExecute((decision, execution) => {
      assert.throws(() => void ((execution.arguments as { path?: string }).path = "/etc"), TypeError);
      return decision;
    });
    assert.equal(
      textOf(await registry.execute(callOf("echo", { arguments: { path: "/tmp" } }))),
      '{"path":"/tmp"}',
    );
  });
});

describe("ToolRegistry.guard()", () => {
  it("refuses what every policy allows, and the first reason counts", async () => {
    const { registry, scoped } = workshop(["read"]);
    scoped.guard(() => "scoped reason");
    registry.guard(() => undefined);
    registry.guard(({ name }) => `no ${name}`);
    scoped.onPreExecute(() => ({ kind: "allow" }));
    assert.equal(textOf(await scoped.execute(callOf("read"))), "Error: no read");
  });

  it("refuses with an empty reason too", async () => {
    const { registry } = workshop(["read"]);
    registry.guard(() => "");
    const result = await registry.execute(callOf("read"));
    assert.equal(result.isError, true);
    assert.equal(textOf(result), "Error: ");
  });

  it("refuses when it returns a promise, and the host survives what that rejects with", async () => {
    const { registry } = workshop(["read"]);
    registry.guard((() => Promise.reject(new Error("late"))) as unknown as () => undefined);
    const result = await registry.execute(callOf("read"));
    assert.equal(
      textOf(result),
      "Error: tool guard returned an invalid result; expected a string or undefined",
    );
    await reactions();
  });

  it("is not asked about calls that are refused before", async () => {
    const { registry } = workshop(["read"]);
    let asked = false;
    registry.guard(() => void (asked = true));
    registry.onPreExecute(() => ({ kind: "deny", reason: "no" }));
    await registry.execute(callOf("read"));
    assert.equal(asked, false);
  });
});

describe("The approval port", () => {
  it("gets the execution and the reason, and lets the call through", async () => {
    const asked: unknown[] = [];
    const { registry } = workshop(["read"], {
      approve: (execution, reason) => {
        asked.push([execution.name, reason]);
        return Promise.resolve({ kind: "allow" });
      },
    });
    registry.onPreExecute(() => ({ kind: "ask", reason: "reads files" }));
    assert.equal(textOf(await registry.execute(callOf("read"))), "read");
    assert.deepEqual(asked, [["read", "reads files"]]);
  });

  it("is not asked when a later policy decides", async () => {
    let asked = false;
    const { registry } = workshop(["read"], {
      approve: () => {
        asked = true;
        return { kind: "allow" };
      },
    });
    registry.onPreExecute(() => ({ kind: "ask" }));
    registry.onPreExecute(() => ({ kind: "deny", reason: "no" }));
    assert.equal(textOf(await registry.execute(callOf("read"))), "Error: no");
    assert.equal(asked, false);
  });

  it("cannot allow what a guard refuses", async () => {
    const { registry } = workshop(["read"], { approve: () => ({ kind: "allow" }) });
    registry.onPreExecute(() => ({ kind: "ask" }));
    registry.guard(() => "never");
    assert.equal(textOf(await registry.execute(callOf("read"))), "Error: never");
  });
});

describe("ToolRegistry.onPostExecute()", () => {
  it("begins with accept and hands each policy the decision of the one before and the result of the tool", async () => {
    const { registry } = workshop(["read"]);
    const seen: (readonly [PostDecision, unknown])[] = [];
    registry.onPostExecute((decision, _, result) => {
      seen.push([decision, textOf(result)]);
      return { kind: "accept", content: FEEDBACK };
    });
    registry.onPostExecute((decision, _, result) => {
      seen.push([decision, textOf(result)]);
      return { kind: "block", feedback: [] };
    });
    registry.onPostExecute((decision, _, result) => {
      seen.push([decision, textOf(result)]);
      return { kind: "accept" };
    });
    assert.equal(textOf(await registry.execute(callOf("read"))), "read");
    assert.deepEqual(seen, [
      [{ kind: "accept" }, "read"],
      [{ kind: "accept", content: FEEDBACK }, "read"],
      [{ kind: "block", feedback: [] }, "read"],
    ]);
  });

  it("sees refused calls and may replace what the model is told, but not that they failed", async () => {
    const { registry } = workshop(["read"]);
    registry.guard(() => "no");
    registry.onPostExecute((_, __, { isError }) => {
      assert.equal(isError, true);
      return { kind: "accept", content: FEEDBACK };
    });
    const result = await registry.execute(callOf("read"));
    assert.equal(textOf(result), "feedback");
    assert.equal(result.isError, true);
  });

  it("makes a failure of a success by blocking it", async () => {
    const { registry } = workshop(["read"]);
    registry.onPostExecute(() => ({ kind: "block", feedback: FEEDBACK }));
    assert.deepEqual(await registry.execute(callOf("read")), {
      callId: "call-1",
      content: FEEDBACK,
      isError: true,
    });
  });

  it("cannot change the result that others see", async () => {
    const { registry } = workshop(["read"]);
    registry.onPostExecute((decision, _, result) => {
      assert.throws(() => (result.content as unknown[]).push("more"), TypeError);
      return decision;
    });
    assert.equal(textOf(await registry.execute(callOf("read"))), "read");
  });
});

describe("ToolRegistry.onResult()", () => {
  it("contains what an observer throws or rejects with, reports it, and tells the others", async () => {
    const failures: ListenerError[] = [];
    const { registry } = workshop(["read"], { onListenerError: (failure) => failures.push(failure) });
    const [thrown, rejected] = [new Error("thrown"), new Error("rejected")];
    let heard = 0;
    registry.onResult(() => {
      throw thrown;
    });
    registry.onResult(() => Promise.reject(rejected));
    registry.onResult(() => void heard++);
    assert.equal((await registry.execute(callOf("read"))).isError, false);
    await reactions();
    assert.equal(heard, 1);
    assert.deepEqual(failures, [{ event: "tools/result", error: thrown }, {
      event: "tools/result",
      error: rejected,
    }]);
  });

  it("is heard before the call fulfils, and is not waited for", async () => {
    const { registry } = workshop(["read"]);
    let heard = false;
    registry.onResult(() => {
      heard = true;
      return new Promise(() => {});
    });
    await registry.execute(callOf("read"));
    assert.equal(heard, true);
  });

  it("hears nothing any more when it is taken out", async () => {
    const { registry } = workshop(["read"]);
    let heard = 0;
    const takeOut = registry.onResult(() => void heard++);
    await registry.execute(callOf("read"));
    takeOut();
    await registry.execute(callOf("read"));
    assert.equal(heard, 1);
  });
});
