import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually } from "../../../fakes/test_support/deferred.ts";
import { answers, bench, callTools, outline, say } from "../scripted_model_fixtures_test.ts";
import type { ToolDefinition, ToolExecution, ToolResult } from "../tools/tool_types.ts";
import { createAgentRuntime } from "../runtime.ts";
import type { CodeModeOptions } from "./code_mode.ts";

const echo: ToolDefinition = {
  name: "echo",
  description: "Says it again.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: (args) => JSON.stringify(args),
};
const secret: ToolDefinition = { ...echo, name: "secret", execute: () => "secret" };

/** An agent in Code Mode whose model runs one program. */
async function agentWith(code: unknown, options: Partial<CodeModeOptions> = {}, tools = [echo]) {
  const model = answers(callTools(["run_code", { code }, "c1"]), say("done"));
  const at = await bench(model, { tools, codeMode: { mode: "code", ...options } });
  const observed: (readonly [Readonly<ToolExecution>, ToolResult])[] = [];
  at.agent.scope.tools.onResult((execution, result) => void observed.push([execution, result]));
  return {
    ...at,
    model,
    observed,
    async result() {
      at.agent.send("go");
      await at.agent.whenIdle();
      return outline(at.agent).find((line) => line.startsWith("tool/result"))?.replace("tool/result c1 ", "");
    },
  };
}

describe("Code Mode", () => {
  it("shows the model run_code alone, and declares the tools in the system prompt", async () => {
    const { model, result, agent } = await agentWith("return 1", {}, [echo, secret]);
    agent.scope.tools.restrict({ deny: ["secret"] });
    assert.equal(await result(), "1");
    assert.deepEqual(model.requests[0]?.tools.map(({ name }) => name), ["run_code"]);
    assert.match(
      model.requests[0]?.system ?? "",
      /\/\*\* Says it again\. \*\/\n {2}echo\(args: \{ text: string \}\): Promise<string>;\n\};$/,
    );
    assert.doesNotMatch(model.requests[0]?.system ?? "", /secret/);
  });

  it("declares whatever descriptions hold, also what looks like a variable", async () => {
    const odd = { ...echo, description: "Says {{it}} */ again." };
    const { model, result } = await agentWith("return 1", {}, [odd]);
    assert.equal(await result(), "1");
    assert.match(model.requests[0]?.system ?? "", /\/\*\* Says \{\{it\}\} \*\\\/ again\. \*\//);
  });

  it("shows run_code beside the tools in the mode both", async () => {
    const { model, result } = await agentWith("return 1", { mode: "both" });
    await result();
    assert.deepEqual(model.requests[0]?.tools.map(({ name }) => name), ["echo", "run_code"]);
    assert.match(
      model.requests[0]?.system ?? "",
      /declare const tools: \{[^]*echo\(args: \{ text: string \}\)/,
    );
  });

  it("makes calls through the whole pipeline, as calls of the outer one", async () => {
    const { result, observed, agent } = await agentWith(
      'await tools.echo({ text: "a" }); return await tools.echo({ text: "b" })',
    );
    assert.equal(await result(), '{"text":"b"}');
    const [first, second, outer] = observed.map(([execution]) => execution);
    assert.deepEqual(observed.map(([{ callId, name }]) => [callId, name]), [
      ["c1:code:1", "echo"],
      ["c1:code:2", "echo"],
      ["c1", "run_code"],
    ]);
    assert.ok(first?.parent !== undefined && first.parent === outer?.token && second?.parent === outer.token);
    assert.equal(outer.parent, undefined);
    assert.deepEqual([first.agent, outer.agent], [agent, agent]);
  });

  it("throws a guard's refusal in the program", async () => {
    const { result, agent } = await agentWith(
      'try { await tools.echo({ text: "" }) } catch (error) { return error.message }',
    );
    agent.scope.tools.guard(({ name }) => name === "echo" ? "not now" : undefined);
    assert.equal(await result(), "Error: not now");
  });

  it("throws in the program what keeps a call from being made, or its result back", async () => {
    const { result, agent } = await agentWith(`
      const said = [];
      for (const name of ["denied", "asked", "blocked", "changed"]) {
        await tools.echo({ text: name }).then((text) => said.push(text), ({ message }) => said.push("threw " + message));
      }
      return said`);
    const textOf = (execution: ToolExecution) => (execution.arguments as { readonly text?: string }).text;
    agent.scope.tools.onPreExecute((decision, execution) => {
      if (textOf(execution) === "denied") return { kind: "deny", reason: "not this one" };
      return textOf(execution) === "asked" ? { kind: "ask" } : decision;
    });
    agent.scope.tools.onPostExecute((decision, execution) => {
      if (textOf(execution) === "blocked") {
        return { kind: "block", feedback: [{ type: "text", text: "held back" }] };
      }
      return textOf(execution) === "changed"
        ? { kind: "accept", content: [{ type: "text", text: "other" }] }
        : decision;
    });
    assert.deepEqual(JSON.parse(await result() ?? ""), [
      "threw Error: not this one",
      'threw Error: tool "echo" requires approval (not yet supported)',
      "threw held back",
      "other",
    ]);
  });

  it("gives the program the text of a result, and neither facts for the host nor anything else", async () => {
    const rich: ToolDefinition = {
      ...echo,
      execute: () => ({
        content: [{ type: "text", text: "a" }, { type: "image", data: "AA==", mimeType: "image/png" }, {
          type: "text",
          text: "b",
        }],
        meta: { secret: true },
      }),
    };
    const { result } = await agentWith("return [await tools.echo()]", {}, [rich]);
    assert.equal(await result(), '["ab"]');
  });

  it("binds the tools that there are when the program starts", async () => {
    const { result, runtime } = await agentWith(
      `await tools.change();
      const gone = await tools.secret().catch(({ message }) => message);
      return [Object.keys(tools), gone]`,
      {},
      [{
        ...echo,
        name: "change",
        execute() {
          take();
          runtime.tools.register({ ...echo, name: "late" });
          return "";
        },
      }],
    );
    const take = runtime.tools.register(secret);
    assert.equal(await result(), '[["change","secret"],"Error: unknown tool \\"secret\\""]');
  });

  it("has no way from a program to the next one", async () => {
    const { result, observed } = await agentWith("return [typeof tools.run_code, 'run_code' in tools]");
    assert.equal(await result(), '["undefined",false]');
    assert.deepEqual(observed.map(([{ name }]) => name), ["run_code"]);
  });

  it("ends a program that takes too long, and the turn goes on", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const hang: ToolDefinition = {
      ...echo,
      execute: (_, { signal }) => (signals.push(signal), new Promise(() => {})),
    };
    const { result, agent, model } = await agentWith("await tools.echo()", { timeoutMs: 300 }, [hang]);
    assert.equal(await result(), "Error: code run failed (timeout): more than 300 ms, tools included");
    assert.deepEqual(signals.map((signal) => signal?.aborted), [true]);
    assert.equal(model.requests.length, 2);
    assert.equal(outline(agent).at(-1), "turn/end 1 completed");
  });

  it("binds no tool that the agent does not see", async () => {
    const { result, agent } = await agentWith("return Object.keys(tools)", {}, [echo, secret]);
    agent.scope.tools.restrict({ deny: ["secret"] });
    agent.scope.tools.register({ ...echo, name: "own-tool" });
    assert.equal(await result(), '["echo","own-tool"]');
  });

  it("lets a policy block the result of the program", async () => {
    const { result, agent } = await agentWith("return 1");
    agent.scope.tools.onPostExecute((decision, { name }) =>
      name === "run_code" ? { kind: "block", feedback: [{ type: "text", text: "blocked" }] } : decision
    );
    assert.equal(await result(), "blocked");
  });

  it("says so when there is no output", async () => {
    const { result } = await agentWith("await tools.echo({ text: '' })");
    assert.equal(await result(), "(run_code completed with no output)");
  });

  it("gives the model a failed program as an error with a code, and what it said", async () => {
    const { result, observed } = await agentWith('console.log("so far"); throw new RangeError("no")');
    assert.equal(await result(), "Error: code run failed (exception): RangeError: no (line 1)\nso far");
    assert.deepEqual(observed[0]?.[1].error, { name: "CodeRunFailedError", code: "CODE_RUN_FAILED" });
  });

  it("refuses arguments that are no program", async () => {
    for (
      const [code, violation] of [[undefined, 'missing required property "value.code"'], [
        1,
        '"value.code" must be a string',
      ]]
    ) {
      const { result } = await agentWith(code);
      assert.equal(await result(), `Error: invalid arguments: ${violation}`);
    }
  });

  it("protects what it shows from listeners, and its name from tools and restrictions", async () => {
    const { model, result, agent, runtime } = await agentWith("return 1");
    agent.scope.prompt.onAssemble((assembly) => ({
      ...assembly,
      sections: assembly.sections.filter(({ name }) => name !== "tools:sdk"),
      tools: [...assembly.tools, { name: "run_code", description: "forged", parameters: {} }].slice(1),
    }));
    assert.equal(await result(), "1");
    assert.deepEqual(model.requests[0]?.tools.map(({ description }) => description.slice(0, 4)), ["Runs"]);
    assert.match(model.requests[0]?.system ?? "", /declare const tools/);
    assert.throws(() => runtime.tools.register({ ...echo, name: "run_code" }), /reserved/);
    assert.throws(() => agent.scope.tools.restrict({ deny: ["run_code"] }), /run_code/);
  });

  it("ends the program and its tool when the turn is cancelled", async () => {
    let signal: AbortSignal | undefined;
    const hang: ToolDefinition = {
      ...echo,
      name: "hang",
      execute(_, execution) {
        signal = execution.signal;
        agent.cancel();
        return new Promise(() => {});
      },
    };
    const { agent, result, observed } = await agentWith("await tools.hang({}); await tools.hang({})", {}, [
      hang,
    ]);
    assert.equal(await result(), "Error: tool call aborted");
    assert.equal(signal?.aborted, true);
    assert.equal(outline(agent).at(-1), "turn/end 1 aborted");
    await eventually(() => observed.length > 0, "the call is over");
    assert.match(JSON.stringify(observed[0]?.[1]), /code run failed \(aborted\)/);
  });

  for (
    const [options, message] of [
      [{ mode: "native" }, 'codeMode: mode must be "code" or "both", got string'],
      [
        { mode: "code", maxCalls: 0 },
        "codeMode: maxCalls must be a whole number from 1 to 9007199254740991, got 0",
      ],
      [
        { mode: "both", computeMs: "5" },
        "codeMode: computeMs must be a whole number from 1 to 2147483647, got string",
      ],
    ] as const
  ) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      assert.throws(
        () => createAgentRuntime({ model: answers(), codeMode: options as never }),
        new TypeError(message),
      );
    });
  }
});
