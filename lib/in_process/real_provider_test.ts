/**
 * Parent → tool → child → parent, with models of the AI SDK's own providers over HTTP to the scripted model server.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelServer } from "../../fakes/model_server.ts";
import { eventually } from "../../fakes/test_support/deferred.ts";
// The gate finds the files that are for a newer Node as well by this import; the providers have the answers of it.
import { skipBelowNode } from "../../fakes/test_support/node_floor.ts";
import { withModelServer } from "../../fakes/test_support/model_client.ts";
import { REAL_PROVIDERS, type RealProvider } from "../agent/model/ai_sdk_providers_fixtures_test.ts";
import { fromLanguageModel } from "../agent/model/from_language_model.ts";
import { type AgentRuntime, createAgentRuntime } from "../agent/runtime.ts";
import type { ToolDefinition } from "../agent/tools/tool_types.ts";
import type { JsonObject } from "../schema/json_value.ts";
import { finalAssistantOutput } from "../seam/assistant_output_fold.ts";
import { joinText } from "../seam/content.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentResult, SubagentStartEvent } from "../seam/types.ts";
import { spawnProvider } from "./provider.ts";
import { STRUCTURED_OUTPUT_INSTRUCTION } from "./structured_runtime.ts";

const OUTPUT_SCHEMA = {
  type: "object",
  properties: { count: { type: "integer" } },
  required: ["count"],
  additionalProperties: false,
};

/** A tool that counts. What the scripted model does next is said by a user, so the tool steers its caller. */
const COUNT_WORDS: ToolDefinition = {
  name: "count_words",
  description: "Counts the words of a text",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: (args, { agent }) => {
    const { text } = args as { readonly text: string };
    const count = text.split(" ").length;
    agent?.steer([{ type: "text", text: `TOOL:structured_output:${JSON.stringify({ count })}` }]);
    return `${count} words`;
  },
};

/** Agents on one model, and what happened to the children of those that delegate. */
interface Host {
  readonly runtime: AgentRuntime;
  readonly children: SubagentStartEvent[];
  readonly results: SubagentResult[];
  /** What the host alone gets to see. */
  readonly failures: unknown[];
}

async function openHost({ url }: ModelServer, provider: RealProvider): Promise<Host> {
  const model = fromLanguageModel(await provider.model({ name: "fake", baseURL: `${url}/v1` }));
  const failures: unknown[] = [];
  const children: SubagentStartEvent[] = [];
  const results: SubagentResult[] = [];
  const runtime = createAgentRuntime({ model, tools: [COUNT_WORDS], onFailure: (one) => failures.push(one) });
  const subagents = new Subagents();
  subagents.register(spawnProvider({ runtime }));
  subagents.on("subagent/start", (event) => void children.push(event));
  runtime.tools.register({
    name: "subagent",
    description: "Delegates a task",
    parameters: { type: "object", properties: { task: { type: "string" } }, required: ["task"] },
    execute: async (args, { agent, signal }) => {
      assert.ok(agent !== undefined);
      await using run = await subagents.start("spawn", {
        prompt: (args as { readonly task: string }).task,
        parent: agent,
        outputSchema: OUTPUT_SCHEMA,
        toolFilter: { allow: ["count_words"] },
        maxDepth: 1,
        ...(signal === undefined ? {} : { signal }),
      });
      const result = await run.result;
      results.push(result);
      return result.structured === undefined
        ? { content: [{ type: "text", text: `Error: ${result.diagnostic}` }], isError: true }
        : JSON.stringify(result.structured);
    },
  });
  return { runtime, children, results, failures };
}

/** Asks a new agent, and gives all that it says. */
async function answerTo(task: string, { runtime }: Host): Promise<string> {
  await using handle = await runtime.agents.create(runtime.owner);
  handle.agent.send([{ type: "text", text: task }]);
  await handle.agent.whenIdle();
  return joinText(finalAssistantOutput(handle.agent.session.events) ?? []);
}

function delegate(task: string): string {
  return `TOOL:subagent:${JSON.stringify({ task })}`;
}

function requestsOf({ journal }: ModelServer) {
  return journal.flatMap((entry) => entry.kind === "model-request" ? [entry.request] : []);
}

describe("The providers that delegation is tried with", () => {
  it("are those of all three versions, v4 where Node is new enough", () => {
    assert.deepEqual(REAL_PROVIDERS.map(({ version, skip }) => [version, skip]), [
      ["v2", false],
      ["v3", false],
      ["v4", skipBelowNode(22)],
    ]);
  });
});

for (const provider of REAL_PROVIDERS) {
  describe(`Delegation between agents on a ${provider.version} model`, { skip: provider.skip }, () => {
    it("takes a task down, calls a tool, and brings a structured result back up", () =>
      withModelServer(async (server) => {
        const host = await openHost(server, provider);
        await using runtime = host.runtime;
        const task = `TOOL:count_words:${JSON.stringify({ text: "one two three" })}`;
        assert.equal(await answerTo(delegate(task), host), 'Done: {"count":3}');

        assert.deepEqual(host.results.map(({ stopReason, structured }) => [stopReason, structured]), [
          ["completed", { count: 3 }],
        ]);
        assert.deepEqual(host.failures, []);
        assert.deepEqual(host.children.map(({ provider: name, local }) => [name, local]), [["spawn", true]]);
        assert.deepEqual([runtime.agents.list(), runtime.sessions()], [[], []]);

        // Parent, child, child, parent: the child was not asked again once its result was there.
        const asked = requestsOf(server).map(({ messages, tools }) => ({
          says: messages.map(({ role, text }) => role === "system" ? "system" : text),
          results: messages.flatMap(({ toolResults }) => toolResults),
          tools: tools.map(({ name }) => name).sort(),
        }));
        const both = ["count_words", "subagent"];
        const childTools = ["count_words", "structured_output"];
        assert.deepEqual(asked, [
          { says: [delegate(task)], results: [], tools: both },
          { says: ["system", task], results: [], tools: childTools },
          {
            says: ["system", task, "", "", 'TOOL:structured_output:{"count":3}'],
            results: ["3 words"],
            tools: childTools,
          },
          { says: [delegate(task), "", ""], results: ['{"count":3}'], tools: both },
        ]);
        const [, child] = requestsOf(server);
        assert.equal(child?.messages[0]?.text, STRUCTURED_OUTPUT_INSTRUCTION);
        const offered = child?.tools.find(({ name }) => name === "structured_output");
        assert.deepEqual(offered?.parameters, OUTPUT_SCHEMA);
      }));

    it("tells the parent that its child failed, in words of this library alone", () =>
      withModelServer(async (server) => {
        const host = await openHost(server, provider);
        await using _runtime = host.runtime;
        assert.equal(
          await answerTo(delegate("HTTP:500"), host),
          "Done: Error: Subagent failure (provider: spawn; stage: result; category: unknown)",
        );
        assert.deepEqual(host.results.map(({ stopReason }) => stopReason), ["error"]);
        const [failure] = host.failures as { readonly kind: string; readonly error: JsonObject }[];
        assert.deepEqual([failure?.kind, failure?.error["httpStatus"]], ["turn", 500]);
      }));

    it("lets go of the child's model when the parent is cancelled", () =>
      withModelServer(async (server) => {
        const host = await openHost(server, provider);
        await using runtime = host.runtime;
        await using handle = await runtime.agents.create(runtime.owner);
        handle.agent.send([{ type: "text", text: delegate("SLOW:20:100000") }]);
        await eventually(() => requestsOf(server).length === 2, "the child asks its model");
        handle.agent.cancel();
        await handle.agent.whenIdle();
        await eventually(() => runtime.agents.list().length === 1, "the child is gone");
        const closed = () =>
          server.journal.flatMap((entry) => entry.kind === "model-request-closed" ? [entry.complete] : []);
        await eventually(() => closed().length === 2, "the server sees its clients go");
        assert.deepEqual(closed(), [true, false]);
        const last = handle.agent.session.events.at(-1);
        assert.deepEqual([last?.type, last?.data], ["turn/end", { turn: 1, reason: "aborted" }]);
        assert.deepEqual(requestsOf(server).length, 2);
      }));
  });
}
