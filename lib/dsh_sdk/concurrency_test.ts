/** Runs at once share nothing but the provider. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json } from "../../fakes/acp_agent/json.ts";
import { scriptedRuntime } from "../../fakes/launch.ts";
import type { RuntimeScript } from "../../fakes/dsh_runtime/script.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import type { ContentBlock } from "../seam/content.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentResult, SubagentRun } from "../seam/types.ts";
import { output, TEST_GRACES } from "./delegation_fixtures_test.ts";
import { dshSdkProvider } from "./provider.ts";

const name: Json = { $param: "/contentBlocks/0/text" };
const pause = { do: "sleep", ms: 10 } as const;

/** Streams the name of its run, piece by piece; then ends as the second block of the prompt says. */
const ending: RuntimeScript = {
  onPrompt: [
    { do: "accept" },
    { do: "text", text: name },
    pause,
    { do: "text", text: " partial " },
    pause,
    { do: "text", text: name },
    pause,
    { do: "end", reason: { $param: "/contentBlocks/1/reason" } },
  ],
};
/** Streams the name of its run and dies. */
const dying: RuntimeScript = {
  onPrompt: [{ do: "accept" }, { do: "text", text: name }, pause, { do: "kill", signal: "SIGKILL" }],
};
/** Streams the name of its run and goes on for ever. */
const hanging: RuntimeScript = { onPrompt: [{ do: "accept" }, { do: "text", text: name }, { do: "hang" }] };

const line = (category: string) =>
  `Subagent failure (provider: DSH SDK; stage: session-run; category: ${category})`;

interface Ending {
  readonly provider: "ending" | "dying" | "hanging";
  readonly reason?: Json;
  result(name: string): SubagentResult;
}

const told = (name: string) => output(`${name} partial ${name}`);
const endings: readonly Ending[] = [
  {
    provider: "ending",
    reason: { kind: "completed" },
    result: (name) => ({ stopReason: "completed", output: told(name) }),
  },
  {
    provider: "ending",
    reason: { kind: "max-tokens" },
    result: (name) => ({ stopReason: "max-tokens", output: told(name) }),
  },
  {
    provider: "ending",
    reason: { kind: "blocked" },
    result: (name) => ({ stopReason: "refusal", output: told(name) }),
  },
  {
    provider: "ending",
    reason: { kind: "error", error: { message: "raw" } },
    result: (name) => ({ stopReason: "error", output: told(name), diagnostic: line("child-error") }),
  },
  {
    provider: "ending",
    reason: { kind: "aborted", reason: { kind: "disposed" } },
    result: (name) => ({ stopReason: "aborted", output: told(name), diagnostic: line("child-disposed") }),
  },
  {
    provider: "ending",
    reason: {},
    result: (name) => ({ stopReason: "error", output: told(name), diagnostic: line("protocol") }),
  },
  {
    provider: "dying",
    result: (name) => ({ stopReason: "error", output: output(name), diagnostic: line("transport") }),
  },
  { provider: "hanging", result: () => ({ stopReason: "aborted", output: [] }) },
];

describe("runs at once", () => {
  it("with different endings never mix", async () => {
    using workplace = new Workplace();
    const failed: (string | undefined)[] = [];
    const subagents = new Subagents({ onHostFailure: ({ runId }) => void failed.push(runId) });
    for (const [providerName, script] of Object.entries({ ending, dying, hanging })) {
      subagents.register(dshSdkProvider({ ...scriptedRuntime(script), ...TEST_GRACES, providerName }));
    }
    const cases = Array.from({ length: 3 }, () => endings).flat();

    const runs: SubagentRun[] = await Promise.all(cases.map(({ provider, reason = null }, index) => {
      const prompt: ContentBlock[] = [{ type: "text", text: `run-${index}` }, { type: "ending", reason }];
      return subagents.start(provider, { prompt, parent: { id: "parent", cwd: workplace.path } });
    }));
    assert.equal(new Set(runs.map(({ id }) => id)).size, cases.length);

    const results = await Promise.all(runs.map(async (run, index) => {
      // A hanging run is cancelled by its disposal; how much of its text had come by then is not its own doing.
      if (cases[index]?.provider === "hanging") await run.dispose();
      const result = await run.result;
      await run.dispose();
      return cases[index]?.provider === "hanging" ? { ...result, output: [] } : result;
    }));
    assert.deepEqual(results, cases.map(({ result }, index) => result(`run-${index}`)));
    const rawFailures = runs.filter((_, index) =>
      /protocol|transport/.test(cases[index]?.result("").diagnostic ?? "")
    );
    assert.deepEqual(failed.sort(), rawFailures.map(({ id }) => id).sort());
  });
});
