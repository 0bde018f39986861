/** Every start and every shutdown that fails, against a real child process, with the text compared whole. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RuntimeScript, RuntimeStep } from "../../fakes/dsh_runtime/script.ts";
import { eventually } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { stubbornHost } from "../process/stubborn_host_fixtures_test.ts";
import { nodeProcessHost } from "../process/node_process_host.ts";
import { signalOfOneListener } from "../process/delegator_fixtures_test.ts";
import type { ProcessHost, StopOptions } from "../process/port.ts";
import type { SubagentStartRequest } from "../seam/types.ts";
import { type DelegationOptions, delegator } from "./delegation_fixtures_test.ts";

const failure: RuntimeStep = { do: "reply", error: { code: 7, message: "raw", data: { raw: true } } };

interface StartRow {
  readonly row: string;
  readonly script?: RuntimeScript;
  readonly options?: DelegationOptions;
  readonly message: string;
}

const noCwd: Partial<SubagentStartRequest> = { parent: { id: "parent" } };
const configuration = "Subagent failure (provider: DSH SDK; stage: initialize; category: configuration)";
const transport = "Subagent failure (provider: DSH SDK; stage: initialize; category: transport)";
const protocol = "Subagent failure (provider: DSH SDK; stage: initialize; category: protocol)";
const unknown = "Subagent failure (provider: DSH SDK; stage: initialize; category: unknown)";
const shutdown = "Subagent failure (provider: DSH SDK; stage: shutdown; category: unknown)";

const startRows: readonly StartRow[] = [
  {
    row: "37 neither the configuration nor the parent has a directory",
    options: { request: noCwd },
    message: configuration,
  },
  {
    row: "37 the parent's directory is relative",
    options: { request: { parent: { id: "parent", cwd: "relative" } } },
    message: configuration,
  },
  {
    row: "37 the parent's directory does not exist",
    options: { request: { parent: { id: "parent", cwd: "/nonexistent/canary" } } },
    message: configuration,
  },
  {
    row: "38 the command does not exist",
    options: { command: { command: "/nonexistent/runtime", args: [] } },
    message: transport,
  },
  {
    row: "38 exit before a word was read",
    script: { onStart: [{ do: "stderr", text: "raw" }, { do: "exit", code: 3 }] },
    message: transport,
  },
  { row: "38 exit at initialize", script: { onInitialize: [{ do: "exit", code: 11 }] }, message: transport },
  { row: "38 killed at initialize", script: { onInitialize: [{ do: "kill" }] }, message: transport },
  {
    row: "38 stdout closed at initialize",
    script: { onInitialize: [{ do: "close", stream: "stdout" }, { do: "hang" }] },
    message: transport,
  },
  {
    row: "38 initialize never answered within startTimeoutMs",
    script: { onInitialize: [] },
    options: { config: { startTimeoutMs: 300 } },
    message: transport,
  },
  { row: "39 initialize answered with an error", script: { onInitialize: [failure] }, message: protocol },
  ...([
    {},
    null,
    "hello",
    { serverInfo: null },
    { serverInfo: { name: "runtime" } },
    { serverInfo: { name: "runtime", version: 1 } },
    { serverInfo: ["runtime", "1"] },
  ] as const).map((result): StartRow => ({
    row: `39 initialize answered with ${JSON.stringify(result)}`,
    script: { onInitialize: [{ do: "reply", result }] },
    message: protocol,
  })),
  {
    row: "39 initialize answered with both result and error",
    script: { onInitialize: [{ do: "reply", result: {}, error: { code: 1, message: "raw" } }] },
    message: protocol,
  },
  {
    row: "40 a process host with a fault of its own",
    options: { provider: { processHost: { spawn: () => Promise.reject(new RangeError("raw canary")) } } },
    message: unknown,
  },
];

describe("a start is refused as the contract's row", () => {
  for (const { row, script = {}, options, message } of startRows) {
    it(row, async () => {
      using workplace = new Workplace();
      const { start, hostFailures } = delegator(workplace, script, options);
      await assert.rejects(start(), { name: "SubagentFailure", message });
      assert.deepEqual(workplace.processes(), []);
      assert.equal(hostFailures[0]?.operation, "start");
      assert.ok(hostFailures[0]?.error instanceof Error, "the raw failure reaches the host");
    });
  }

  it("a run that cannot be published leaves no process behind", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, {});
    await assert.rejects(start({ signal: signalOfOneListener() }), { name: "SubagentFailure" });
    assert.deepEqual(workplace.processes(), []);
    assert.equal((hostFailures[0]?.error as Error).message, "no more listeners");
  });

  it("2.2 cancelled during initialize, rolled back first", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const { start, hostFailures } = delegator(workplace, { onInitialize: [] });
    const starting = start({ signal: controller.signal });
    await eventually(() => workplace.received().includes("initialize"), "the runtime got initialize");
    controller.abort();
    await assert.rejects(starting, {
      name: "SubagentAbortedError",
      message: "subagent request was aborted before the SDK child started",
    });
    assert.deepEqual(workplace.processes(), []);
    assert.deepEqual(hostFailures, []);
  });

  it("2.2 cancelled while the process is being spawned, rolled back first", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const host = nodeProcessHost();
    const processHost: ProcessHost = {
      spawn(spec) {
        controller.abort();
        return host.spawn(spec);
      },
    };
    const { start } = delegator(workplace, {}, { provider: { processHost } });
    await assert.rejects(start({ signal: controller.signal }), { name: "SubagentAbortedError" });
    assert.deepEqual(workplace.processes(), []);
  });

  it("2.2 a failure that came before the cancellation is what the start is about", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const host = nodeProcessHost();
    const processHost: ProcessHost = {
      async spawn(spec) {
        const handle = await host.spawn(spec);
        const write = (data: string) => handle.write(data);
        const stop = (options: StopOptions) => {
          controller.abort(); // in the roll-back
          return handle.stop(options);
        };
        return { pid: handle.pid, exit: handle.exit, write, stop };
      },
    };
    const { start } = delegator(workplace, { onInitialize: [failure] }, { provider: { processHost } });
    await assert.rejects(start({ signal: controller.signal }), {
      name: "SubagentFailure",
      message: protocol,
    });
  });
});

describe("a shutdown that fails is told as the contract's row", () => {
  it("41 at dispose()", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, {}, { provider: { processHost: stubbornHost() } });
    const run = await start();
    assert.equal((await run.result).stopReason, "completed");
    const disposed = run.dispose();
    assert.equal(run.dispose(), disposed, "one shared promise");
    await assert.rejects(disposed, { name: "SubagentFailure", message: shutdown });
    assert.deepEqual(hostFailures.map(({ operation, runId }) => ({ operation, runId })), [
      { operation: "dispose", runId: run.id },
    ]);
  });

  it("2.2 a failed start whose clean-up failed is both, in order", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, { onInitialize: [failure] }, {
      provider: { processHost: stubbornHost() },
    });
    await assert.rejects(start(), (error: AggregateError) => {
      assert.equal(error.name, "AggregateError");
      assert.equal(error.message, `${protocol}; ${shutdown}`);
      assert.deepEqual(error.errors.map(({ message }: Error) => message), [protocol, shutdown]);
      return true;
    });
    assert.deepEqual(hostFailures.map(({ operation }) => operation), ["start", "dispose"]);
  });

  it("2.2 a cancelled start whose clean-up failed is the clean-up alone", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const { start } = delegator(workplace, { onInitialize: [] }, {
      provider: { processHost: stubbornHost() },
    });
    const starting = start({ signal: controller.signal });
    await eventually(() => workplace.received().includes("initialize"), "the runtime got initialize");
    controller.abort();
    await assert.rejects(starting, (error: AggregateError) => {
      assert.equal(error.name, "AggregateError");
      assert.equal(error.message, shutdown);
      assert.equal(error.errors.length, 1);
      return true;
    });
  });
});
