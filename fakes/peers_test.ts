import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { methods, type PromptRequest, type SessionUpdate } from "@agentclientprotocol/sdk";
import type { Json } from "./acp_agent/json.ts";
import type { Step } from "./acp_agent/script.ts";
import { type AgentCommand, scriptedAgent, sdkAgent } from "./launch.ts";
import { agentMessageFault } from "./test_support/acp_schema.ts";
import { isValid } from "./test_support/json_schema.ts";
import { withCommand } from "./test_support/raw_client.ts";
import { withSdkClient } from "./test_support/sdk_client.ts";

const PEERS: readonly { readonly name: string; readonly command: () => AgentCommand }[] = [
  { name: "the scripted agent", command: () => scriptedAgent() },
  { name: "the SDK agent", command: sdkAgent },
];

const METHODS: ReadonlyMap<Json, string> = new Map<Json, string>([
  [0, "initialize"],
  [1, "session/new"],
  [2, "session/prompt"],
  [3, "session/prompt"],
]);

function promptOf(sessionId: string, text: string): PromptRequest {
  return { sessionId, prompt: [{ type: "text", text }] };
}

function faults(messages: readonly Json[]): (string | undefined)[] {
  return messages.map((message) => agentMessageFault(message, METHODS)).filter((fault) =>
    fault !== undefined
  );
}

describe("the official client", () => {
  for (const { name, command } of PEERS) {
    it(`completes a turn with ${name}`, async () => {
      const updates: SessionUpdate[] = [];
      await withSdkClient(command(), async (agent) => {
        const { protocolVersion } = await agent.request(methods.agent.initialize, { protocolVersion: 1 });
        assert.equal(protocolVersion, 1);
        const session = await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
        const { stopReason } = await agent.request(
          methods.agent.session.prompt,
          promptOf(session.sessionId, "hello"),
        );
        assert.equal(stopReason, "end_turn");
      }, { onUpdate: (update) => void updates.push(update) });
      assert.deepEqual(
        updates,
        ["hel", "lo"].map((text) => ({
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text },
        })),
      );
    });

    for (const optionId of ["allow", "reject"]) {
      it(`answers a permission request of ${name} with ${optionId}`, async () => {
        let text = "";
        await withSdkClient(command(), async (agent) => {
          await agent.request(methods.agent.initialize, { protocolVersion: 1 });
          const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
          const { stopReason } = await agent.request(
            methods.agent.session.prompt,
            promptOf(sessionId, "ask"),
          );
          assert.equal(stopReason, "end_turn");
        }, {
          onPermission: ({ options }) => {
            assert.deepEqual(options.map(({ kind }) => kind), ["allow_once", "reject_once"]);
            return { outcome: { outcome: "selected", optionId } };
          },
          onUpdate: (update) => {
            if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
              text += update.content.text;
            }
          },
        });
        assert.match(text, optionId === "allow" ? /(^|\? )Allowed\.$/ : /(^|\? )Not allowed\.$/);
      });
    }

    it(`cancels a turn of ${name}`, async () => {
      let started = () => {};
      const hanging = new Promise<void>((fulfil) => started = fulfil);
      await withSdkClient(command(), async (agent) => {
        await agent.request(methods.agent.initialize, { protocolVersion: 1 });
        const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
        const answer = agent.request(methods.agent.session.prompt, promptOf(sessionId, "hang"));
        await hanging;
        await agent.notify(methods.agent.session.cancel, { sessionId });
        assert.equal((await answer).stopReason, "cancelled");
      }, { onUpdate: () => started() });
    });

    for (
      const { word, outcome } of [
        { word: "refuse", outcome: "refusal" },
        { word: "limit", outcome: "max_tokens" },
        { word: "fail", outcome: -32603 },
      ]
    ) {
      it(`sees ${name} end "${word}" as ${outcome}`, async () => {
        await withSdkClient(command(), async (agent) => {
          await agent.request(methods.agent.initialize, { protocolVersion: 1 });
          const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
          const ending = await agent.request(methods.agent.session.prompt, promptOf(sessionId, word)).then(
            ({ stopReason }) => stopReason,
            ({ code }: { code: number }) => code,
          );
          assert.equal(ending, outcome);
        });
      });
    }
  }
});

describe("the published schema", () => {
  for (const { name, command } of PEERS) {
    it(`holds for every message of ${name}`, async () => {
      await withCommand(command(), async (client) => {
        const sessionId = await client.open();
        const prompt = client.prompt(sessionId, "ask");
        const { id = null } = await client.call("session/request_permission");
        client.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } });
        await client.response(prompt);
        await client.response(client.prompt(sessionId, "fail"));
        assert.deepEqual(faults(client.messages), []);
        assert.ok(client.messages.length >= 6);
      });
    });
  }

  it("holds for each kind of update and request that a script can send by shorthand", async () => {
    const steps: Step[] = [
      { do: "text", text: "a" },
      { do: "text", text: { $index: true }, times: 2 },
      { do: "update", update: { sessionUpdate: "tool_call", toolCallId: "t", title: "T", kind: "edit" } },
      { do: "update", update: { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" } },
      { do: "update", update: { sessionUpdate: "plan", entries: [] } },
      { do: "ask", wait: false },
      {
        do: "request",
        method: "fs/read_text_file",
        params: { sessionId: "session-1", path: "/x" },
        wait: false,
      },
      { do: "stop" },
    ];
    await withCommand(scriptedAgent({ onPrompt: steps }), async (client) => {
      await client.ask("go");
      assert.deepEqual(faults(client.messages), []);
    });
  });

  const update = (content: Json): Json => ({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "s", update: content },
  });
  for (
    const { name, message } of [
      { name: "a scalar", message: 42 },
      { name: "a message without version", message: { id: 0, result: { protocolVersion: 1 } } },
      { name: "an initialize result without version", message: { jsonrpc: "2.0", id: 0, result: {} } },
      { name: "a numeric session id", message: { jsonrpc: "2.0", id: 1, result: { sessionId: 5 } } },
      { name: "an unknown stop reason", message: { jsonrpc: "2.0", id: 2, result: { stopReason: "tired" } } },
      { name: "a response to nothing", message: { jsonrpc: "2.0", id: 99, result: {} } },
      {
        name: "a response with result and error",
        message: { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 }, error: { code: 1, message: "m" } },
      },
      { name: "an error without a code", message: { jsonrpc: "2.0", id: 0, error: { message: "m" } } },
      { name: "an unknown kind of update", message: update({ sessionUpdate: "fanfare" }) },
      {
        name: "a chunk whose text is a number",
        message: update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: 5 } }),
      },
      {
        name: "a permission request without options",
        message: {
          jsonrpc: "2.0",
          id: 0,
          method: "session/request_permission",
          params: { sessionId: "s", toolCall: { toolCallId: "t" } },
        },
      },
    ] satisfies readonly { readonly name: string; readonly message: Json }[]
  ) {
    it(`does not hold for ${name}`, () => assert.equal(faults([message]).length, 1));
  }
});

describe("isValid()", () => {
  const root: Json = { $defs: { even: { enum: [0, 2] } } };
  for (
    const { schema, good, bad } of [
      { schema: { type: ["string", "null"] }, good: null, bad: 1 },
      { schema: { type: "integer", minimum: 1, maximum: 2 }, good: 2, bad: 3 },
      { schema: { type: "integer" }, good: 2, bad: 2.5 },
      { schema: { const: { a: 1 } }, good: { a: 1 }, bad: { a: 2 } },
      { schema: { $ref: "#/$defs/even" }, good: 2, bad: 1 },
      { schema: { allOf: [{ type: "string" }, { minLength: 2 }] }, good: "ab", bad: "a" },
      { schema: { anyOf: [{ const: 1 }, { const: 2 }] }, good: 2, bad: 3 },
      { schema: { oneOf: [{ type: "integer" }, { minimum: 5 }] }, good: 1, bad: 6 },
      { schema: { not: { type: "null" } }, good: 0, bad: null },
      { schema: { required: ["a"] }, good: { a: null }, bad: {} },
      { schema: { properties: { a: { type: "string" } } }, good: { b: 1 }, bad: { a: 1 } },
      { schema: { properties: { a: true }, additionalProperties: false }, good: { a: 1 }, bad: { b: 1 } },
      { schema: { items: { type: "boolean" } }, good: [true], bad: [1] },
      { schema: false, good: undefined, bad: 1 },
    ] satisfies readonly { readonly schema: Json; readonly good: Json | undefined; readonly bad: Json }[]
  ) {
    it(`tells good from bad by ${JSON.stringify(schema)}`, () => {
      if (good !== undefined) assert.equal(isValid(good, schema, root), true);
      assert.equal(isValid(bad, schema, root), false);
    });
  }

  it("throws at a keyword that it does not know", () => {
    assert.throws(() => isValid("x", { pattern: "x" }), /Unknown schema keyword "pattern"/);
  });
});
