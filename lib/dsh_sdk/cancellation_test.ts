/** Cancellation around publication, and what a start leaves on the host. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RuntimeScript } from "../../fakes/dsh_runtime/script.ts";
import { timersOf, watchedAbort } from "../../fakes/test_support/leaks.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { nodeProcessHost } from "../process/node_process_host.ts";
import type { ProcessHost } from "../process/port.ts";
import { SubagentAbortedError } from "../seam/errors.ts";
import { delegator } from "./delegation_fixtures_test.ts";

/** Microtasks from the runtime's answer to the published run, and some more. */
const MOMENTS = 24;

/** A host that calls back so many microtasks after its child's first words. */
function afterFirstWords(moment: number, callback: () => void): ProcessHost {
  const host = nodeProcessHost();
  return {
    spawn: ({ stdout, ...spec }) => {
      let first = true;
      return host.spawn({
        ...spec,
        stdout: {
          async data(chunk) {
            stdout.data(chunk);
            if (!first) return;
            first = false;
            for (let task = 0; task < moment; task++) await Promise.resolve();
            callback();
          },
          end: () => stdout.end(),
        },
      });
    },
  };
}

describe("a cancellation around publication", () => {
  it("is never lost, whatever the moment", async () => {
    using workplace = new Workplace();
    const seen = new Set<string>();
    for (let moment = 0; moment < MOMENTS; moment++) {
      const controller = new AbortController();
      const { start } = delegator(workplace, {}, {
        provider: { processHost: afterFirstWords(moment, () => controller.abort()) },
      });
      try {
        const run = await start({ signal: controller.signal });
        const { stopReason } = await run.result;
        assert.equal(stopReason, "aborted", `at moment ${moment}`);
        seen.add("run");
        await run.dispose();
      } catch (error) {
        assert.ok(SubagentAbortedError.is(error), `at moment ${moment}: ${error}`);
        seen.add("start");
      }
      assert.deepEqual(workplace.processes(), []);
    }
    assert.deepEqual([...seen].sort(), ["run", "start"], "the moments lie on both sides of publication");
  });
});

describe("a delegation leaves neither listener nor timer", () => {
  const startTimeoutMs = 54_321;
  for (
    const [name, script] of [
      ["that completed", {}],
      ["that failed to start", { onInitialize: [{ do: "exit", code: 1 }] }],
      ["whose runtime died", { onPrompt: [{ do: "exit", code: 1 }] }],
    ] as const satisfies readonly (readonly [string, RuntimeScript])[]
  ) {
    it(name, async () => {
      using workplace = new Workplace();
      const { signal, listeners } = watchedAbort();
      const timers = await timersOf(startTimeoutMs, async () => {
        const { start } = delegator(workplace, script, { config: { startTimeoutMs } });
        const run = await start({ signal }).catch(() => undefined);
        if (run === undefined) return;
        await run.result;
        assert.equal(listeners.size, 0, "none once the result is there");
        await run.dispose();
      });
      assert.deepEqual(timers, { set: 1, left: 0 });
      assert.equal(listeners.size, 0);
    });
  }
});
