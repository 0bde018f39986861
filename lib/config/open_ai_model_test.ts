import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LanguageModelLike } from "../agent/model/language_model_like.ts";
import { ModelPackageError, openAiModel } from "./open_ai_model.ts";

const ACCESS = { url: "http://127.0.0.1:1/v1", name: "small" };

const MODEL: LanguageModelLike = {
  specificationVersion: "v3",
  provider: "fake",
  modelId: "small",
  doStream: () => Promise.reject(new Error("not asked")),
};

describe("openAiModel()", () => {
  for (
    const [fact, access, settings] of [
      ["without a key", ACCESS, { name: "openai-compatible", baseURL: ACCESS.url, includeUsage: true }],
      ["with a key", { ...ACCESS, apiKey: "k" }, {
        name: "openai-compatible",
        baseURL: ACCESS.url,
        includeUsage: true,
        apiKey: "k",
      }],
    ] as const
  ) {
    it(`makes a model by the package, ${fact}`, async () => {
      const seen: unknown[] = [];
      const model = await openAiModel(access, (packageName) => {
        seen.push(packageName);
        return Promise.resolve({
          createOpenAICompatible: (given: unknown) => {
            seen.push(given);
            return (name: string) => {
              seen.push(name);
              return MODEL;
            };
          },
        });
      });
      assert.equal(typeof model.stream, "function");
      assert.deepEqual(seen, ["@ai-sdk/openai-compatible", settings, "small"]);
    });
  }

  it("loads the package that is installed", async () => {
    assert.equal(typeof (await openAiModel(ACCESS)).stream, "function");
  });

  const notFound = Object.assign(new Error("Cannot find package 'canary'"), { code: "ERR_MODULE_NOT_FOUND" });
  const rows: [fact: string, load: () => Promise<unknown>, message: string][] = [
    [
      "is missing",
      () => Promise.reject(notFound),
      'An agent of type spawn needs the package "@ai-sdk/openai-compatible", which is not installed: ' +
      "run npm install @ai-sdk/openai-compatible",
    ],
    [
      "does not load",
      () => Promise.reject(new SyntaxError("canary")),
      'An agent of type spawn needs the package "@ai-sdk/openai-compatible", and the installed one cannot be loaded: ' +
      "it may be damaged, or made for a newer version of this runtime",
    ],
    [
      "is another one",
      () => Promise.resolve({}),
      'An agent of type spawn needs the package "@ai-sdk/openai-compatible" with createOpenAICompatible(), which the ' +
      "installed one does not have: run npm install @ai-sdk/openai-compatible@latest",
    ],
  ];
  for (const [fact, load, message] of rows) {
    it(`names the package in one line when it ${fact}`, async () => {
      await assert.rejects(openAiModel(ACCESS, load), (error) => {
        assert.ok(error instanceof ModelPackageError);
        assert.equal(error.message, message);
        return true;
      });
    });
  }

  it("is the failure that importing a missing package really is", async () => {
    // In a variable: the type check and the import table would refuse a package that is not there.
    const missing = "@subagent/no-such-package";
    const load = () => import(missing);
    await assert.rejects(openAiModel(ACCESS, load), /which is not installed: run npm install/);
  });
});
