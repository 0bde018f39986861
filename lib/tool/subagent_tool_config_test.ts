import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ALL_CAPABILITIES, providerOf } from "../jobs/delegation_fixtures_test.ts";
import { assertProviderFits, checkedToolConfig, type SubagentToolConfig } from "./subagent_tool_config.ts";

describe("checkedToolConfig()", () => {
  it("fills in the defaults", () => {
    assert.deepEqual(checkedToolConfig({ provider: "stub" }), {
      provider: "stub",
      toolName: "subagent",
      enableRunInBackground: undefined,
      request: { maxDepth: 3 },
    });
  });

  it("keeps what is given, detached and frozen", () => {
    const deny = ["write"];
    const checked = checkedToolConfig({
      provider: "stub",
      toolName: "delegate",
      enableRunInBackground: false,
      backgroundMode: "one-shot",
      agentOptions: { model: "m" },
      persona: "",
      toolFilter: { deny },
      maxDepth: 0,
    });
    deny.push("read");
    assert.deepEqual(checked, {
      provider: "stub",
      toolName: "delegate",
      enableRunInBackground: false,
      request: { agentOptions: { model: "m" }, persona: "", toolFilter: { deny: ["write"] }, maxDepth: 0 },
    });
    assert.ok(Object.isFrozen(checked.request.toolFilter?.deny));
  });

  it("sends no cap that the provider manages", () => {
    assert.deepEqual(checkedToolConfig({ provider: "stub", maxDepth: "provider-managed" }).request, {});
  });

  const rows: [fact: string, config: unknown, message: string][] = [
    [
      "an empty tool filter",
      { provider: "stub", toolFilter: {} },
      "subagent tool: `toolFilter` is configured but names neither `allow` nor `deny` — " +
      "remove the key or fill the filter",
    ],
    [
      "children that are to be continued",
      { provider: "stub", backgroundMode: "continuable" },
      'subagent tool: provider "stub" does not support `backgroundMode: continuable`',
    ],
    ["no provider", {}, 'subagent tool: config field "provider" is required: it must be a string'],
    ["an empty provider", { provider: "" }, 'subagent tool: config field "provider" must name a provider'],
    [
      "a name that no model API takes",
      { provider: "stub", toolName: "sub agent" },
      'subagent tool: config field "toolName" must be 1 to 64 ASCII letters, digits, "_" or "-"',
    ],
    [
      "a field that there is not",
      { provider: "stub", toolname: "x" },
      'subagent tool: config has no field "toolname"; did you mean "toolName"?',
    ],
    ...["-1", "1.5", "NaN", "Infinity", "-0", "9007199254740992"].map((
      text,
    ): [string, unknown, string] => [
      `a depth of ${text}`,
      { provider: "stub", maxDepth: Number(text) },
      'subagent tool: config field "maxDepth" must be a non-negative safe integer or "provider-managed"',
    ]),
    [
      "agent options that are no data",
      { provider: "stub", agentOptions: { now: () => 1 } },
      'subagent tool: config field "agentOptions" must be losslessly JSON-serializable',
    ],
    [
      "a switch that is text",
      { provider: "stub", enableRunInBackground: "yes" },
      'subagent tool: config field "enableRunInBackground" must be a boolean, but it is a string',
    ],
  ];
  for (const [fact, config, message] of rows) {
    it(`refuses ${fact}`, () => {
      assert.throws(() => checkedToolConfig(config as SubagentToolConfig), { message });
    });
  }
});

describe("assertProviderFits()", () => {
  const full = {
    provider: "stub",
    agentOptions: { model: "m" },
    persona: "p",
    toolFilter: { allow: ["read"] },
    maxDepth: 3,
  } as const;
  const rows: [lacks: keyof typeof ALL_CAPABILITIES, message: string][] = [
    [
      "depthLimit",
      'subagent tool: provider "stub" cannot enforce maxDepth (no depthLimit capability) — ' +
      "set maxDepth: 'provider-managed' to leave the recursion budget to the provider",
    ],
    ["agentOptions", 'subagent tool: provider "stub" does not support child agentOptions'],
    ["persona", 'subagent tool: provider "stub" does not support child persona'],
    ["toolFilter", 'subagent tool: provider "stub" does not support child toolFilter'],
  ];
  for (const [lacks, message] of rows) {
    it(`refuses a provider without ${lacks}`, () => {
      const provider = providerOf({ capabilities: { ...ALL_CAPABILITIES, [lacks]: false } });
      assert.throws(() => assertProviderFits(checkedToolConfig(full), provider), { message });
    });
  }

  it("takes a provider that is able to do all that is asked", () => {
    const provider = providerOf({ capabilities: ALL_CAPABILITIES });
    assert.doesNotThrow(() => assertProviderFits(checkedToolConfig(full), provider));
  });

  it("asks nothing of a provider that manages the depth itself", () => {
    const config = checkedToolConfig({ provider: "stub", maxDepth: "provider-managed" });
    assert.doesNotThrow(() => assertProviderFits(config, providerOf()));
  });
});
