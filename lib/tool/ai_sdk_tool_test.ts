/** Real `generateText` loops of the AI SDK: a scripted model calls the tool, a scripted ACP agent is the child. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelServer } from "../../fakes/model_server.ts";
import { eventually } from "../../fakes/test_support/deferred.ts";
import { withModelServer } from "../../fakes/test_support/model_client.ts";
import { skipBelowNode } from "../../fakes/test_support/node_floor.ts";
import { ToolArgsError } from "../schema/errors.ts";
import { type AiSdkTool, toAiSdkTool } from "./ai_sdk_tool.ts";
import { delegationBench, modelLoop, PARENT, toolResults } from "./delegating_model_fixtures_test.ts";
import type { ModelTool, ModelToolCall } from "./model_tool.ts";
import { toolInputSchema } from "./subagent_tool_words.ts";

const VERSIONS = [
  { version: 6, ai: "ai", provider: "@ai-sdk/openai-compatible", skip: false, mark: "" },
  {
    version: 7,
    ai: "ai-v7",
    provider: "ai-sdk-openai-compatible-v4",
    skip: skipBelowNode(22),
    mark: "Error: ",
  },
] as const;

/** A line that makes the scripted model call a tool. */
function callOf(tool: string, input: object): string {
  return `TOOL:${tool}:${JSON.stringify(input)}`;
}

const TASK = { description: "look around", prompt: "what is there" };

for (const { version, skip, mark, ...packages } of VERSIONS) {
  describe(`toAiSdkTool() in generateText() of AI SDK ${version}`, { skip }, () => {
    it("gives the model the child's answer", () =>
      withModelServer(async (server) => {
        await using bench = delegationBench({
          onPrompt: [{ do: "text", text: "a child's answer" }, { do: "stop" }],
        });
        const { loop } = await modelLoop(packages, server);
        const tools = { subagent: toAiSdkTool(bench.tool, { parent: PARENT }) };
        const text = await loop(tools, callOf("subagent", TASK));
        assert.deepEqual(toolResults(server), ["a child's answer"]);
        assert.match(text, /a child's answer/);
      }));

    it("tells the model the tool's schema as it is, whichever way it is made", () =>
      withModelServer(async (server) => {
        await using bench = delegationBench({});
        const { loop, sdk } = await modelLoop(packages, server);
        const schemas = [];
        for (const jsonSchema of [undefined, sdk.jsonSchema]) {
          const options = jsonSchema === undefined ? { parent: PARENT } : { parent: PARENT, jsonSchema };
          await loop({ subagent: toAiSdkTool(bench.tool, options) }, "SAY:hi");
          schemas.push(parametersOf(server));
        }
        const expected = JSON.parse(JSON.stringify(bench.tool.inputSchema));
        assert.deepEqual(schemas.map(withoutDialect), [expected, expected]);
      }));

    it("tells the model why there is no answer, and what there was of one", () =>
      withModelServer(async (server) => {
        await using bench = delegationBench({
          onPrompt: [{ do: "text", text: "partial text" }, { do: "stop", reason: "max_turn_requests" }],
        });
        const { loop } = await modelLoop(packages, server);
        await loop({ subagent: toAiSdkTool(bench.tool, { parent: PARENT }) }, callOf("subagent", TASK));
        assert.deepEqual(toolResults(server), [
          `${mark}subagent run failed\n` +
          "Diagnostic: Subagent failure (provider: ACP; stage: prompt; category: remote-limit; stop reason: max_turn_requests)\n" +
          "Partial output before the run ended:\n" +
          "partial text",
        ]);
      }));

    it("tells the model that a child did not start, without a word of the child's", () =>
      withModelServer(async (server) => {
        await using bench = delegationBench({
          onInitialize: [{ do: "stderr", text: "key sk-123" }, { do: "exit", code: 11 }],
        });
        const { loop } = await modelLoop(packages, server);
        await loop({ subagent: toAiSdkTool(bench.tool, { parent: PARENT }) }, callOf("subagent", TASK));
        assert.deepEqual(toolResults(server), [
          `${mark}Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 11)`,
        ]);
      }));

    it("lets the model start a job and read it", () =>
      withModelServer(async (server) => {
        await using bench = delegationBench({
          onPrompt: [{ do: "text", text: "done at last" }, { do: "stop" }],
        });
        const { loop } = await modelLoop(packages, server);
        const tools = {
          subagent: toAiSdkTool(bench.tool, { parent: PARENT }),
          job_output: toAiSdkTool(bench.jobTools.output, { parent: PARENT }),
          job_list: toAiSdkTool(bench.jobTools.list, { parent: PARENT }),
        };
        await loop(tools, callOf("subagent", { ...TASK, run_in_background: true }));
        assert.deepEqual(toolResults(server), ["started background subagent job subagent-1"]);
        await loop(tools, callOf("job_output", { job_id: "subagent-1", wait_ms: 20_000 }));
        assert.deepEqual(toolResults(server), ["done at last\n[status: completed]"]);
        await loop(tools, callOf("job_list", {}));
        assert.deepEqual(toolResults(server), ["subagent-1 [subagent] completed — look around"]);
      }));

    it("tells the model what is wrong with its input", () =>
      withModelServer(async (server) => {
        await using bench = delegationBench({});
        const { loop } = await modelLoop(packages, server);
        const tools = { subagent: toAiSdkTool(bench.tool, { parent: PARENT }) };
        await loop(tools, callOf("subagent", { description: "look" }));
        assert.match(toolResults(server)[0] ?? "", /missing required property "value\.prompt"/);
      }));

    it("ends the child with the loop", () =>
      withModelServer(async (server) => {
        await using bench = delegationBench({ onPrompt: [{ do: "text", text: "so far" }, { do: "hang" }] });
        const { loop } = await modelLoop(packages, server);
        let error: unknown;
        let isOver = false;
        const watched: ModelTool = {
          ...bench.tool,
          execute: (input, call) =>
            bench.tool.execute(input, call).catch((reason: unknown) => {
              error = reason;
              throw reason;
            }).finally(() => isOver = true),
        };
        const controller = new AbortController();
        const looping = loop(
          { subagent: toAiSdkTool(watched, { parent: PARENT }) },
          callOf("subagent", TASK),
          controller.signal,
        ).catch((reason: unknown) => reason);
        await eventually(() => bench.runs() === 1, "the child");
        controller.abort();
        await eventually(() => isOver, "the end of the child");
        await looping;
        assert.match((error as Error).message, /^subagent run was cancelled/);
      }));
  });
}

/** The schema of the only tool that the model was told of. */
function parametersOf({ journal }: ModelServer): object {
  const requests = journal.flatMap((entry) => entry.kind === "model-request" ? [entry.request] : []);
  const [tool] = requests.at(-1)?.tools ?? [];
  assert.ok(tool !== undefined);
  return tool.parameters;
}

function withoutDialect(schema: object): object {
  const { $schema: _, ...rest } = schema as { readonly $schema?: string };
  return rest;
}

describe("toAiSdkTool()", () => {
  const inputSchema = toolInputSchema({ inheritsParentContext: false, offersBackground: true });
  const calls: ModelToolCall[] = [];
  const tool: ModelTool = {
    name: "subagent",
    description: "Delegates",
    inputSchema,
    execute: (_input, call) => {
      calls.push(call);
      return Promise.resolve({ text: "yes", value: undefined });
    },
  };

  it("hands over who calls, the signal and the key", async () => {
    const { signal } = new AbortController();
    const adapted = toAiSdkTool(tool, {
      parent: ({ experimental_context }) => experimental_context as { id: string },
      key: ({ toolCallId }) => `chat-1/${toolCallId}`,
    });
    const parent = { id: "from the context" };
    const options = { toolCallId: "call-1", abortSignal: signal, experimental_context: parent };
    assert.equal(await adapted.execute({}, options), "yes");
    assert.deepEqual(calls.splice(0), [{ parent, signal, key: "chat-1/call-1" }]);
    await toAiSdkTool(tool, { parent }).execute({}, { toolCallId: "call-1" });
    assert.deepEqual(calls.splice(0), [{ parent, signal: undefined, key: undefined }]);
  });

  it("throws a plain error with the words of the tool's, and that as its cause", async () => {
    const failure = new ToolArgsError(["x"]);
    const failing = toAiSdkTool({ ...tool, execute: () => Promise.reject(failure) }, { parent: PARENT });
    await assert.rejects(failing.execute({}, { toolCallId: "call-1" }), (error) => {
      assert.equal(String(error), "Error: invalid arguments: x");
      return (error as Error).cause === failure;
    });
  });

  it("has a schema that the AI SDK knows by its symbol and others by the standard", () => {
    const { inputSchema: made }: AiSdkTool = toAiSdkTool(tool, { parent: PARENT });
    const schema = made as unknown as Record<PropertyKey, unknown> & {
      validate(value: unknown): { success: boolean; error?: Error };
    };
    assert.equal(schema[Symbol.for("vercel.ai.schema")], true);
    assert.deepEqual(schema["jsonSchema"], inputSchema);
    assert.deepEqual(schema.validate(TASK), { success: true, value: TASK });
    const refused = schema.validate({ prompt: 1 });
    assert.equal(refused.success, false);
    assert.equal(
      refused.error?.message,
      'missing required property "value.description"; "value.prompt" must be a string',
    );
    const { "~standard": standard } = made;
    assert.deepEqual(standard.validate(TASK), { value: TASK });
    assert.deepEqual(standard.validate({ prompt: 1 }), {
      issues: [
        { message: 'missing required property "value.description"' },
        { message: '"value.prompt" must be a string' },
      ],
    });
    const written: Record<string, unknown> = standard.jsonSchema.input({ target: "draft-07" });
    assert.deepEqual(written, inputSchema);
    (written["properties"] as Record<string, unknown>)["prompt"] = {}; // a library may: it is a copy
    assert.deepEqual(standard.jsonSchema.output({ target: "draft-07" }), inputSchema);
  });
});
