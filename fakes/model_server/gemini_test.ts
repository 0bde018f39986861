import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { post, postForEvents, postForJson, withModelServer } from "../test_support/model_client.ts";

const WHOLE = "/v1beta/models/m:generateContent";
const STREAM = "/v1beta/models/m:streamGenerateContent?alt=sse";

function ask(prompt: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return { contents: [{ role: "user", parts: [{ text: prompt }] }], ...rest };
}

function response(parts: unknown[], finishReason?: string): Record<string, unknown> {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 },
    modelVersion: "m",
    responseId: "r_1",
  };
}

const bash = {
  name: "run_shell_command",
  parametersJsonSchema: {
    type: "object",
    properties: { command: { type: "string" } },
    required: ["command"],
  },
};

describe("Gemini", () => {
  it("streams thoughts and text", () =>
    withModelServer(async (server) => {
      assert.deepEqual(await postForEvents(server, STREAM, ask("THINK:hm SAY:a b")), [
        [undefined, response([{ text: "hm", thought: true }])],
        [undefined, response([{ text: "a " }])],
        [undefined, response([{ text: "b" }])],
        [undefined, response([{ text: "" }], "STOP")],
      ]);
    }));

  it("streams a function call", () =>
    withModelServer(async (server) => {
      const body = ask("TOOL:bash:ls", { tools: [{ functionDeclarations: [bash] }] });
      const functionCall = { id: "fc_2", name: "run_shell_command", args: { command: "ls" } };
      assert.deepEqual(await postForEvents(server, STREAM, body), [
        [undefined, response([{ functionCall }], "STOP")],
      ]);
    }));

  for (const [script, finish] of [["STOP:max_tokens", "MAX_TOKENS"], ["STOP:refusal", "SAFETY"]] as const) {
    it(`ends ${script} as ${finish}`, () =>
      withModelServer(async (server) => {
        assert.deepEqual(
          await postForJson(server, WHOLE, ask(`SAY:a ${script}`)),
          response([{ text: "a" }], finish),
        );
      }));
  }

  it("reads function calls and their responses, and no thoughts", () =>
    withModelServer(async (server) => {
      const contents = [
        { role: "user", parts: [{ text: "TOOL:bash:ls" }] },
        {
          role: "model",
          parts: [{ text: "hm", thought: true }, { functionCall: { name: "run_shell_command", args: {} } }],
        },
        {
          role: "user",
          parts: [{ functionResponse: { name: "run_shell_command", response: { output: "a" } } }],
        },
      ];
      const body = { contents, tools: [{ functionDeclarations: [bash] }] };
      assert.deepEqual(await postForJson(server, WHOLE, body), {
        ...response([{ text: 'Done: {"output":"a"}' }], "STOP"),
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      });
      const [entry] = server.journal;
      assert.deepEqual(entry?.kind === "model-request" ? entry.request.messages : [], [
        { role: "user", text: "TOOL:bash:ls", toolCalls: [], toolResults: [] },
        { role: "assistant", text: "", toolCalls: ["run_shell_command"], toolResults: [] },
        { role: "user", text: "", toolCalls: [], toolResults: ['{"output":"a"}'] },
      ]);
    }));

  it("answers a value that fits generationConfig.responseSchema", () =>
    withModelServer(async (server) => {
      const responseSchema = { type: "OBJECT", properties: { ok: { type: "BOOLEAN" } }, required: ["ok"] };
      const answer = await postForJson(server, WHOLE, ask("x", { generationConfig: { responseSchema } }));
      assert.deepEqual(answer, {
        ...response([{ text: '{"ok":false}' }], "STOP"),
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 3, totalTokenCount: 13 },
      });
    }));

  for (
    const [status, name] of [
      [400, "INVALID_ARGUMENT"],
      [401, "UNAUTHENTICATED"],
      [429, "RESOURCE_EXHAUSTED"],
      [
        500,
        "INTERNAL",
      ],
    ] as const
  ) {
    it(`answers HTTP ${status} as ${name}`, () =>
      withModelServer(async (server) => {
        const answer = await post(server, STREAM, ask(`HTTP:${status}`));
        assert.equal(answer.status, status);
        assert.deepEqual(await answer.json(), {
          error: { code: status, message: `Scripted error ${status}`, status: name },
        });
      }));
  }

  it("counts tokens", () =>
    withModelServer(async (server) => {
      assert.deepEqual(await postForJson(server, "/v1beta/models/m:countTokens", ask("x")), {
        totalTokens: 10,
      });
    }));
});
