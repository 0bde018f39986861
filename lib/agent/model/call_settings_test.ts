import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AgentOptions } from "../agent.ts";
import { callSettings } from "./call_settings.ts";

describe("callSettings()", () => {
  it("gives nothing for no options, and for those that are about something else", () => {
    assert.deepEqual(callSettings({ model: "other", subagentDepth: 2, mood: "fine" }), {});
  });

  it("passes on every setting that has its type", () => {
    const options: AgentOptions = {
      maxTokens: 100,
      temperature: 0,
      topP: 0.5,
      topK: 40,
      seed: 7,
      stopSequences: ["END"],
      providerOptions: { anthropic: { thinking: { type: "enabled" } } },
    };
    assert.deepEqual(callSettings(options), {
      maxOutputTokens: 100,
      temperature: 0,
      topP: 0.5,
      topK: 40,
      seed: 7,
      stopSequences: ["END"],
      providerOptions: { anthropic: { thinking: { type: "enabled" } } },
    });
  });

  it("passes over a host's options that have the name of a setting and another type", () => {
    const options: AgentOptions = {
      temperature: "warm",
      topP: null,
      topK: [40],
      seed: { from: "parent" },
      stopSequences: ["END", 1],
      providerOptions: { anthropic: "key" },
    };
    assert.deepEqual(callSettings(options), {});
  });

  it("gives copies, since options are frozen and providers change what they get", () => {
    const inner = Object.freeze({ a: 1 });
    const options = Object.freeze({
      stopSequences: Object.freeze(["END"]),
      providerOptions: Object.freeze({ fake: inner }),
    });
    const { stopSequences, providerOptions } = callSettings(options);
    assert.ok(!Object.isFrozen(stopSequences) && !Object.isFrozen(providerOptions?.["fake"]));
    assert.deepEqual([stopSequences, providerOptions], [["END"], { fake: { a: 1 } }]);
  });

  const limits: [got: string, maxTokens: unknown][] = [
    ["0", 0],
    ["-1", -1],
    ["1.5", 1.5],
    ["9007199254740992", 2 ** 53],
    ["string", "100"],
    ["null", null],
    ["object", {}],
  ];
  for (const [got, maxTokens] of limits) {
    it(`refuses a maxTokens of ${got}`, () => {
      assert.throws(() => callSettings({ maxTokens } as AgentOptions), {
        name: "LanguageModelError",
        code: "INVALID_OPTION",
        message: 'Agent option "maxTokens" must be a whole number above 0, ' +
          `got ${got}: leave it out for the model's own limit`,
      });
    });
  }
});
