import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAgentRuntime } from "./runtime.ts";
import { scriptedModel } from "./scripted_model_fixtures_test.ts";

describe("The options of createAgentRuntime()", () => {
  it("need a model, and a step limit that is one", () => {
    const model = scriptedModel(() => []);
    assert.throws(
      () => createAgentRuntime({ model: "gpt-4" as never }),
      /option "model" must be an object with a method stream\(\), such as fromLanguageModel\(\) .*, got string/,
    );
    assert.throws(() => createAgentRuntime({} as never), /"model" must be .*, got undefined/);
    assert.throws(
      () => createAgentRuntime({ model: undefined } as never),
      /"model" must be .*, got undefined/,
    );
    for (const maxSteps of [0, -1, 1.5, "3"]) {
      assert.throws(
        () => createAgentRuntime({ model, maxSteps: maxSteps as never }),
        /option "maxSteps" must be a positive safe integer/,
      );
    }
  });

  const wrong: readonly (readonly [options: Readonly<Record<string, unknown>>, message: string])[] = [
    [{ tools: {} }, 'option "tools" must be an array of tool definitions, got object'],
    [{ identity: 1 }, 'option "identity" must be a string, got number'],
    [{ persona: 1 }, 'option "persona" must be a string, got number'],
    [{ variables: {} }, 'option "variables" must be a function, got object'],
    [{ approve: true }, 'option "approve" must be a function, got boolean'],
    [{ codeMode: "both" }, 'option "codeMode" must be an object, got string'],
    [{ onFailure: "log" }, 'option "onFailure" must be a function, got string'],
    [{ newId: 1 }, 'option "newId" must be a function, got number'],
    [{ onfailure() {} }, 'there is no option "onfailure"; did you mean "onFailure"?'],
  ];
  for (const [options, message] of wrong) {
    it(`are refused: ${message}`, () => {
      assert.throws(
        () => createAgentRuntime({ model: scriptedModel(() => []), ...options }),
        new TypeError(`createAgentRuntime(): ${message}`),
      );
    });
  }
});
