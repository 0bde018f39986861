/** What providers with a child process have in common, whatever they talk with it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { acpProvider, dshSdkProvider } from "../../mod.ts";
import { delegatorOf } from "./delegator_fixtures_test.ts";
import type { ProcessHost } from "./port.ts";

const unspawned: ProcessHost = { spawn: () => assert.fail("spawned") };

for (
  const { name, make, prefix, aborted } of [
    {
      name: "acp",
      make: acpProvider,
      prefix: "subagent-acp",
      aborted: "subagent request was aborted before the ACP child started",
    },
    {
      name: "dsh-sdk",
      make: dshSdkProvider,
      prefix: "subagent-dsh-sdk",
      aborted: "subagent request was aborted before the SDK child started",
    },
  ]
) {
  describe(`${make.name}()`, () => {
    it("is a version 1 provider without start capabilities, under its own name or a given one", () => {
      const provider = make({ command: "child" });
      assert.equal(provider.name, name);
      assert.equal(make({ command: "child", providerName: "other" }).name, "other");
      assert.equal(provider.specificationVersion, "v1");
      assert.equal(provider.inheritsParentContext, false);
      assert.deepEqual(provider.capabilities, {
        agentOptions: false,
        outputSchema: false,
        depthLimit: false,
        toolFilter: false,
        persona: false,
      });
    });

    for (
      const [cwd, message] of [
        ["", "config cwd must not be empty — omit the key to inherit the parent session cwd"],
        ["/nonexistent", "config cwd is not an accessible directory: /nonexistent"],
        ["/etc/passwd", "config cwd is not an accessible directory: /etc/passwd"],
      ] as const
    ) {
      it(`refuses the configured directory ${JSON.stringify(cwd)} when it is made`, () => {
        assert.throws(() => make({ command: "child", cwd }), { message: `${prefix}: ${message}` });
      });
    }

    it("spawns nothing for a signal that is aborted, whatever else is wrong", async () => {
      const provider = make({ command: "child" }, { processHost: unspawned });
      const { start, hostFailures } = delegatorOf(provider, "relative");
      await assert.rejects(start({ signal: AbortSignal.abort(), parent: { id: "parent" } }), {
        name: "SubagentAbortedError",
        message: aborted,
      });
      assert.deepEqual(hostFailures, []);
    });
  });
}
