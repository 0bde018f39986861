import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromLanguageModel } from "./from_language_model.ts";
import { VERSIONS } from "./language_model_fixtures_test.ts";
import type { LanguageModelLike } from "./language_model_like.ts";

const WANTED =
  'fromLanguageModel() takes a language model of the AI SDK with the specificationVersion "v2", "v3" or "v4"';
const VERSION_HINT = "use a version of the provider's package that has one of these";
const MODEL = {
  specificationVersion: "v3",
  provider: "fake",
  modelId: "one",
  doStream: () => Promise.reject(),
};

describe("fromLanguageModel()", () => {
  for (const specificationVersion of VERSIONS) {
    it(`takes a model of specification ${specificationVersion}`, () => {
      const port = fromLanguageModel({ ...MODEL, specificationVersion } as LanguageModelLike);
      assert.equal(typeof port.stream, "function");
    });
  }

  it("takes an instance of a class whose fields are getters", () => {
    class Model {
      get specificationVersion(): "v2" {
        return "v2";
      }
      get provider(): string {
        return "fake";
      }
      get modelId(): string {
        return "one";
      }
      doStream(): Promise<never> {
        return Promise.reject(new Error("not asked"));
      }
    }
    assert.equal(typeof fromLanguageModel(new Model()).stream, "function");
  });

  const rows: [fact: string, model: unknown, message: string][] = [
    [
      "a name, without showing it",
      "sk-canary",
      `${WANTED}, got string: a model's name alone does not say where the model is, ` +
      'so make the model with its provider, as in createOpenAICompatible({ … })("name")',
    ],
    [
      "a provider",
      () => MODEL,
      `${WANTED}, got function: if it is a provider, call it with the name of a model`,
    ],
    ["nothing", undefined, `${WANTED}, got undefined`],
    ["null", null, `${WANTED}, got null`],
    ["an array", [MODEL], `${WANTED}, got array`],
    [
      "an older model",
      { ...MODEL, specificationVersion: "v1" },
      `${WANTED}, got the specificationVersion "v1": ${VERSION_HINT}`,
    ],
    [
      "a newer model",
      { ...MODEL, specificationVersion: "v5" },
      `${WANTED}, got the specificationVersion "v5": ${VERSION_HINT}`,
    ],
    ["an object", {}, `${WANTED}, got a specificationVersion that is absent: ${VERSION_HINT}`],
    [
      "a version that is a text, without showing it",
      { ...MODEL, specificationVersion: "canary" },
      `${WANTED}, got a specificationVersion that is an unknown string: ${VERSION_HINT}`,
    ],
    [
      "a version that is a number",
      { ...MODEL, specificationVersion: 3 },
      `${WANTED}, got a specificationVersion that is an unknown number: ${VERSION_HINT}`,
    ],
    [
      "a model without a provider",
      { ...MODEL, provider: undefined },
      "Language model's provider must be a string, got undefined",
    ],
    [
      "a model without a name",
      { ...MODEL, modelId: 1 },
      "Language model's modelId must be a string, got number",
    ],
    [
      "an embedding model",
      { ...MODEL, doStream: undefined, doEmbed: () => {} },
      "Language model's doStream must be a function, got undefined: models of other kinds do not talk",
    ],
  ];
  for (const [fact, model, message] of rows) {
    it(`refuses ${fact}`, () => {
      assert.throws(() => fromLanguageModel(model as LanguageModelLike), { name: "TypeError", message });
    });
  }
});
