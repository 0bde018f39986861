/** The official MCP server with our tool, driven by the official client; a scripted ACP agent is the child. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { eventually } from "../../fakes/test_support/deferred.ts";
import { delegationBench, PARENT } from "./delegating_model_fixtures_test.ts";
import { toMcpTool } from "./mcp_tool.ts";
import type { ModelTool } from "./model_tool.ts";
import { toolInputSchema } from "./subagent_tool_words.ts";

const TASK = { description: "look around", prompt: "what is there" };

/** Runs a test with a client that is connected to a server which has these tools. */
async function withClient(
  tools: readonly ModelTool[],
  test: (client: Client) => Promise<void>,
): Promise<void> {
  const server = new McpServer({ name: "delegates", version: "1.0.0" });
  for (const tool of tools) {
    const { name, config, handler } = toMcpTool(tool, { parent: PARENT });
    server.registerTool(name, config, handler);
  }
  const client = new Client({ name: "test", version: "1.0.0" });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  try {
    await test(client);
  } finally {
    await client.close();
    await server.close();
  }
}

async function callOf(client: Client, name: string, input: object, signal?: AbortSignal) {
  const request = { name, arguments: { ...input } };
  const { content, isError } = await client.callTool(request, signal && { signal });
  return { content, isError };
}

function text(answer: string, isError: boolean) {
  return { content: [{ type: "text", text: answer }], isError };
}

describe("toMcpTool() in the official MCP server", () => {
  it("is listed with its description and schema", async () => {
    await using bench = delegationBench({});
    await withClient([bench.tool], async (client) => {
      const { tools: [listed] } = await client.listTools();
      const { definition } = toMcpTool(bench.tool, { parent: PARENT });
      assert.deepEqual([listed?.name, listed?.description], [definition.name, definition.description]);
      const { $schema: _, ...schema }: Record<string, unknown> = { ...listed?.inputSchema };
      assert.deepEqual(schema, definition.inputSchema);
      assert.deepEqual(schema, bench.tool.inputSchema);
    });
  });

  it("answers with the child's answer", async () => {
    await using bench = delegationBench({ onPrompt: [{ do: "text", text: "all well" }, { do: "stop" }] });
    await withClient([bench.tool], async (client) => {
      assert.deepEqual(await callOf(client, "subagent", TASK), text("all well", false));
    });
  });

  it("answers with the reason when there is none", async () => {
    await using bench = delegationBench({
      onPrompt: [{ do: "text", text: "half" }, { do: "stop", reason: "refusal" }],
    });
    await withClient([bench.tool], async (client) => {
      assert.deepEqual(
        await callOf(client, "subagent", TASK),
        text("subagent declined the task\nPartial output before the run ended:\nhalf", true),
      );
    });
  });

  it("starts a job and reads it", async () => {
    await using bench = delegationBench({ onPrompt: [{ do: "text", text: "done" }, { do: "stop" }] });
    await withClient([bench.tool, bench.jobTools.output, bench.jobTools.kill], async (client) => {
      assert.deepEqual(
        await callOf(client, "subagent", { ...TASK, run_in_background: true }),
        text("started background subagent job subagent-1", false),
      );
      assert.deepEqual(
        await callOf(client, "job_output", { job_id: "subagent-1", wait_ms: 20_000 }),
        text("done\n[status: completed]", false),
      );
      assert.deepEqual(
        await callOf(client, "job_kill", { job_id: "subagent-9" }),
        text("unknown job subagent-9", true),
      );
    });
  });

  it("answers wrong input with what is wrong", async () => {
    await using bench = delegationBench({});
    await withClient([bench.tool], async (client) => {
      const { content, isError } = await callOf(client, "subagent", { description: "look" });
      assert.match(JSON.stringify(content), /missing required property \\"value\.prompt\\"/);
      assert.equal(isError, true);
    });
  });

  it("ends the child when the client cancels", async () => {
    await using bench = delegationBench({ onPrompt: [{ do: "hang" }] });
    let message: string | undefined;
    const watched: ModelTool = {
      ...bench.tool,
      execute: (input, call) =>
        bench.tool.execute(input, call).catch((error: unknown) => {
          message = (error as Error).message;
          throw error;
        }),
    };
    await withClient([watched], async (client) => {
      const controller = new AbortController();
      const call = callOf(client, "subagent", TASK, controller.signal).catch((error: unknown) => error);
      await eventually(() => bench.runs() === 1, "the child");
      controller.abort();
      await call;
      await eventually(() => message !== undefined, "the end of the child");
      assert.equal(message, "subagent run was cancelled");
    });
  });
});

describe("toMcpTool().handler", () => {
  const CONTEXT = { mcpReq: { id: 7, signal: new AbortController().signal }, sessionId: "s-1" };
  const toolThat = (execute: ModelTool["execute"]): ModelTool => ({
    name: "subagent",
    description: "Delegates",
    inputSchema: toolInputSchema({ inheritsParentContext: false, offersBackground: false }),
    execute,
  });

  it("hands over who calls, the signal and the key", async () => {
    const calls: unknown[] = [];
    const tool = toolThat((input, call) => {
      calls.push([input, call]);
      return Promise.resolve({ text: "yes", value: undefined });
    });
    const { handler } = toMcpTool(tool, {
      parent: ({ sessionId = "none" }) => ({ id: sessionId }),
      key: ({ sessionId, mcpReq }) => `${sessionId}/${mcpReq.id}`,
    });
    assert.deepEqual(await handler(TASK, CONTEXT), text("yes", false));
    assert.deepEqual(calls, [[TASK, { parent: { id: "s-1" }, signal: CONTEXT.mcpReq.signal, key: "s-1/7" }]]);
  });

  it("never rejects, and shows nothing that is no error", async () => {
    const failing = toMcpTool(toolThat(() => Promise.reject("secret")), { parent: PARENT });
    assert.deepEqual(await failing.handler(TASK, CONTEXT), text("tool call failed", true));
    const lost = toMcpTool(toolThat(() => Promise.resolve({ text: "", value: 0 })), {
      parent: () => {
        throw new Error("no such session");
      },
    });
    assert.deepEqual(await lost.handler(TASK, CONTEXT), text("no such session", true));
  });
});
