/**
 * The same tasks to two agents: our scripted one, and one built on the official SDK, whose wire behaviour is not ours.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scriptedAgent, sdkAgent } from "../../fakes/launch.ts";
import { deferred } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import type { SubagentResult } from "../seam/types.ts";
import { Subagents } from "../seam/subagents.ts";
import { completed, TEST_GRACES } from "./delegation_fixtures_test.ts";
import type { AcpProviderConfig } from "./config.ts";
import { acpProvider, type AcpProviderOptions } from "./provider.ts";

const rows: readonly (readonly [prompt: string, result: SubagentResult])[] = [
  ["Echo this: grüße 🦊", completed("Echo this: grüße 🦊")],
  ["refuse", { stopReason: "refusal", output: [] }],
  ["limit", { ...completed("This answer stops in the mid"), stopReason: "max-tokens" }],
  ["fail", {
    stopReason: "error",
    output: [],
    diagnostic: "Subagent failure (provider: ACP; stage: prompt; category: transport)",
  }],
  ["crash", {
    ...completed("This is as far as I"),
    stopReason: "error",
    diagnostic: "Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 3)",
  }],
];

for (
  const [name, agent] of [["the scripted agent", scriptedAgent], [
    "the official SDK's agent()",
    sdkAgent,
  ]] as const
) {
  describe(`acpProvider() with ${name}`, () => {
    function service(config: Partial<AcpProviderConfig> = {}, options: AcpProviderOptions = {}) {
      const subagents = new Subagents();
      subagents.register(acpProvider({ ...agent(), ...TEST_GRACES, stderr: "ignore", ...config }, options));
      return subagents;
    }

    for (const [prompt, result] of rows) {
      it(`brings back what came of ${JSON.stringify(prompt)}`, async () => {
        using workplace = new Workplace();
        const run = await service().start("acp", { prompt, parent: { id: "parent", cwd: workplace.path } });
        assert.deepEqual(await run.result, result);
        await run.dispose();
        assert.deepEqual(workplace.processes(), []);
      });
    }

    for (const [permission, said] of [["allow", /Allowed\.$/], ["reject", /Not allowed\.$/]] as const) {
      it(`answers a permission request by the policy ${permission}`, async () => {
        using workplace = new Workplace();
        const parent = { id: "parent", cwd: workplace.path };
        const run = await service({ permission }).start("acp", { prompt: "ask", parent });
        const { stopReason, output } = await run.result;
        assert.equal(stopReason, "completed");
        assert.match((output[0] as { text: string }).text, said);
        await run.dispose();
      });
    }

    it("cancels in mid-turn", async () => {
      using workplace = new Workplace();
      const controller = new AbortController();
      const firstText = deferred();
      const subagents = service({}, { onActivity: () => firstText.resolve() });
      const run = await subagents.start("acp", {
        prompt: "hang",
        parent: { id: "parent", cwd: workplace.path },
        signal: controller.signal,
      });
      await firstText.promise;
      controller.abort();
      assert.deepEqual(await run.result, { ...completed("Cancel me."), stopReason: "aborted" });
      await run.dispose();
      assert.deepEqual(workplace.processes(), []);
    });
  });
}
