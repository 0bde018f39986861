import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { providerOf } from "../jobs/delegation_fixtures_test.ts";
import { Subagents } from "../seam/subagents.ts";
import { mountSubagentTool, type MountSubagentToolOptions } from "./mount_subagent_tool.ts";
import type { SubagentTool } from "./subagent_tool.ts";

const CONFIG = { provider: "stub", maxDepth: "provider-managed" } as const;

/** A registry of tools. */
function tools() {
  const present: SubagentTool[] = [];
  const log: string[] = [];
  const register = (tool: SubagentTool) => {
    present.push(tool);
    return () => void present.splice(present.indexOf(tool), 1);
  };
  return { present, log, options: { register, log: (message: string) => void log.push(message) } };
}

describe("mountSubagentTool()", () => {
  it("registers the tool at once when the provider is there, and says nothing", () => {
    const subagents = new Subagents();
    subagents.register(providerOf());
    const { present, log, options } = tools();
    mountSubagentTool(subagents, CONFIG, options);
    assert.deepEqual([present.map(({ name }) => name), log], [["subagent"], []]);
  });

  it("says that the provider is missing, and registers the tool when it appears", () => {
    const subagents = new Subagents();
    const { present, log, options } = tools();
    mountSubagentTool(subagents, { ...CONFIG, toolName: "delegate" }, options);
    assert.deepEqual(log, [
      'subagent provider "stub" not registered yet; the "delegate" tool will register when it appears',
    ]);
    subagents.register(providerOf({ name: "another" }));
    assert.deepEqual(present, []);
    subagents.register(providerOf());
    assert.deepEqual(present.map(({ name }) => name), ["delegate"]);
  });

  it("takes the tool away with the provider, and words it anew for the next one", () => {
    const subagents = new Subagents();
    const { present, options } = tools();
    const words = () =>
      present.map(({ description }) => /empty conversation|last completed turn/.exec(description)?.[0]);
    mountSubagentTool(subagents, CONFIG, options);
    const removeOther = subagents.register(providerOf({ name: "another" }));
    const remove = subagents.register(providerOf());
    removeOther();
    assert.deepEqual(words(), ["empty conversation"]);
    remove();
    assert.deepEqual(words(), []);
    subagents.register(providerOf({ inheritsParentContext: true }));
    assert.deepEqual(words(), ["last completed turn"]);
  });

  it("undoes the registration of a provider that does not fit", () => {
    const subagents = new Subagents();
    const { present, options } = tools();
    mountSubagentTool(subagents, { provider: "stub" }, options);
    assert.throws(() => subagents.register(providerOf()), {
      message: 'subagent tool: provider "stub" cannot enforce maxDepth (no depthLimit capability) — ' +
        "set maxDepth: 'provider-managed' to leave the recursion budget to the provider",
    });
    assert.deepEqual([subagents.names(), present], [[], []]);
  });

  it("takes the tool away again when somebody else refuses the provider", () => {
    const subagents = new Subagents();
    const { present, options } = tools();
    mountSubagentTool(subagents, CONFIG, options);
    subagents.on("subagent/provider-added", () => {
      throw new Error("not here");
    });
    assert.throws(() => subagents.register(providerOf()), { message: "not here" });
    assert.deepEqual(present, []);
  });

  it("throws at once for a provider that is there and does not fit, and listens no more", () => {
    const subagents = new Subagents();
    const remove = subagents.register(providerOf());
    const { present, options } = tools();
    assert.throws(
      () => mountSubagentTool(subagents, { provider: "stub" }, options),
      /cannot enforce maxDepth/,
    );
    remove();
    subagents.register(providerOf());
    assert.deepEqual(present, []);
  });

  it("ends with what it returned, however often that is called", () => {
    const subagents = new Subagents();
    const remove = subagents.register(providerOf());
    const { present, options } = tools();
    const unmount = mountSubagentTool(subagents, CONFIG, options);
    unmount();
    unmount();
    assert.deepEqual(present, []);
    remove();
    subagents.register(providerOf());
    assert.deepEqual(present, []);
  });

  it("goes on when the log or taking the tool away throws", () => {
    const failures: unknown[] = [];
    const subagents = new Subagents({ onHostFailure: ({ error }) => failures.push(error) });
    const refusal = new Error("cannot take it away");
    let registered = 0;
    mountSubagentTool(subagents, CONFIG, {
      register: () => {
        registered++;
        return () => {
          throw refusal;
        };
      },
      log: () => {
        throw new Error("full");
      },
    });
    subagents.register(providerOf())();
    subagents.register(providerOf());
    assert.deepEqual([registered, failures], [2, [refusal]]);
  });

  const rows: [fact: string, config: unknown, options: unknown, message: RegExp][] = [
    ["a configuration that is wrong whatever the provider", { provider: "stub", toolFilter: {} }, {
      register: () => () => {},
    }, /subagent tool: `toolFilter` is configured but names neither/],
    ["options without register", CONFIG, {}, /option "register" is required/],
    [
      "an option that there is not",
      CONFIG,
      { register: () => () => {}, logs: () => {} },
      /did you mean "log"/,
    ],
  ];
  for (const [fact, config, options, message] of rows) {
    it(`refuses ${fact}`, () => {
      assert.throws(
        () =>
          mountSubagentTool(new Subagents(), config as typeof CONFIG, options as MountSubagentToolOptions),
        message,
      );
    });
  }
});
