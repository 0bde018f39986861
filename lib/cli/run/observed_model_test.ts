import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LanguageModelError } from "../../agent/model/language_model_error.ts";
import type { ModelChunk, ModelRequest } from "../../agent/model/model_types.ts";
import { observedModel } from "./observed_model.ts";

const REQUEST: ModelRequest = {
  system: "",
  messages: [],
  tools: [],
  options: {},
  signal: new AbortController().signal,
};

/** Reads a model that gives these pieces and then fails, if it is to. */
async function observe(pieces: readonly ModelChunk[], failure?: unknown) {
  const heard: (number | string)[] = [];
  const requests: ModelRequest[] = [];
  const model = observedModel({
    stream: async function* (request) {
      requests.push(request);
      yield* pieces;
      await Promise.resolve();
      if (failure !== undefined) throw failure;
    },
  }, { onText: (bytes) => heard.push(bytes), onModelFailure: (problem) => heard.push(problem) });
  const chunks: ModelChunk[] = [];
  let error: unknown;
  try {
    for await (const chunk of model.stream(REQUEST)) chunks.push(chunk);
  } catch (thrown) {
    error = thrown;
  }
  assert.deepEqual(requests, [REQUEST]);
  return { heard, chunks, error };
}

describe("observedModel()", () => {
  it("passes every piece on and counts the bytes of text", async () => {
    const pieces: ModelChunk[] = [
      { type: "reasoning-delta", text: "why" },
      { type: "text-delta", text: "a漢" },
      { type: "text-delta", text: "" },
      { type: "finish", reason: "stop" },
    ];
    assert.deepEqual(await observe(pieces), { heard: [4, 0], chunks: pieces, error: undefined });
  });

  const refused = Object.assign(new Error("canary", { cause: new Error("canary") }), { statusCode: 401 });
  const unreachable = new Error("canary", {
    cause: Object.assign(new Error("connect 10.0.0.1 canary"), { code: "ECONNREFUSED" }),
  });
  const endless = new Error("canary");
  endless.cause = endless;
  const rows: [fact: string, cause: unknown, problem: string][] = [
    ["the status of a refused call", refused, "The call failed (HTTP status: 401)"],
    ["the system's code of a broken one", unreachable, "The call failed (ECONNREFUSED)"],
    [
      "nothing of a code that is a text",
      Object.assign(new Error(""), { code: "canary code" }),
      "The call failed",
    ],
    ["nothing of a cause that is no error", { code: "ECONNREFUSED" }, "The call failed"],
    ["nothing of an error that is its own cause", endless, "The call failed"],
  ];
  for (const [fact, cause, problem] of rows) {
    it(`tells ${fact}, and lets the error through`, async () => {
      const failure = new LanguageModelError("CALL_FAILED", "The call failed", { cause });
      assert.deepEqual(await observe([], failure), { heard: [problem], chunks: [], error: failure });
    });
  }

  for (const reason of ["error", "other"] as const) {
    it(`tells of an answer that ends with the reason ${reason}`, async () => {
      const pieces: ModelChunk[] = [{ type: "finish", reason }];
      assert.deepEqual(await observe(pieces), {
        heard: [`The model ended its answer with the reason "${reason}"`],
        chunks: pieces,
        error: undefined,
      });
    });
  }

  it("tells nothing of what is no failure of the model, as an abort", async () => {
    const failure = new Error("canary");
    assert.deepEqual(await observe([], failure), { heard: [], chunks: [], error: failure });
  });
});
