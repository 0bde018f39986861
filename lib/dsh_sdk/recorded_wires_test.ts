/**
 * What a real runtime said, said again by a player: the provider's answer is that of the recorded session. The recordings
 * were made against a scripted model server; prompts name what it was told to do.
 */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { recordedRuntime } from "../../fakes/launch.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import type { SubagentResult } from "../seam/types.ts";
import { delegator, output } from "./delegation_fixtures_test.ts";

const wires = new URL("../../fakes/dsh_wires/", import.meta.url);

const results: Readonly<Record<string, SubagentResult>> = {
  "plain.ndjson": { stopReason: "completed", output: output("hello world") },
  "think.ndjson": {
    stopReason: "completed",
    output: [{ type: "reasoning", text: "pondering SAY:done" }, { type: "text", text: "done" }],
  },
  // The first step commits a message of a tool call alone, the second one the answer.
  "tool.ndjson": { stopReason: "completed", output: output("TOOLDONE hi /srv/task ") },
  // The runtime itself tried again after a failed model call.
  "http500_once.ndjson": { stopReason: "completed", output: output("RECOVERED after 1") },
  "max_tokens.ndjson": { stopReason: "max-tokens", output: output("This answer was cut sho") },
  "http401.ndjson": {
    stopReason: "error",
    output: [],
    diagnostic: "Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)",
  },
  "blocked.ndjson": { stopReason: "refusal", output: [] },
  // Another session of the same runtime talks in between, and is idle first.
  "two_sessions.ndjson": { stopReason: "completed", output: output("w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 ") },
};

describe("a recorded wire replays to the session's result", () => {
  for (const [file, result] of Object.entries(results)) {
    it(file, async () => {
      using workplace = new Workplace();
      const { start, hostFailures } = delegator(workplace, {}, {
        command: recordedRuntime(new URL(file, wires)),
      });
      const run = await start();
      assert.deepEqual(await run.result, result);
      await run.dispose();
      assert.deepEqual(hostFailures, []);
    });
  }

  it("and no recording is left out", () => {
    assert.deepEqual(readdirSync(wires).sort(), Object.keys(results).sort());
  });
});
