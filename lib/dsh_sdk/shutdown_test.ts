/** How runtimes end that do not want to. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import process from "node:process";
import type { RuntimeScript, RuntimeStep } from "../../fakes/dsh_runtime/script.ts";
import { readRecord } from "../../fakes/acp_agent/record.ts";
import { eventually } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { JsonRpcResponseError, RequestTimeoutError } from "../json_rpc/errors.ts";
import type { DshSdkProviderSettings } from "./config.ts";
import { delegator } from "./delegation_fixtures_test.ts";

// A busy machine is slow to start and to reap processes; the defaults of the graces would still be longer than this.
const SLACK_MS = 8000;
const accept: RuntimeStep = { do: "accept" };
const deaf: RuntimeScript = { onShutdown: [], onEof: [], onSigterm: [] };

interface Row {
  readonly name: string;
  readonly script: RuntimeScript;
  readonly config: Partial<DshSdkProviderSettings>;
  /** Bounds of the time that dispose() takes: the graces that the runtime uses up. */
  readonly atLeastMs: number;
  readonly atMostMs: number;
  /** What became of its process. */
  readonly heard: readonly string[];
}

const short = { shutdownTimeoutMs: 150, disposeEofGraceMs: 150, disposeGraceMs: 1000 } as const;
const patient = { shutdownTimeoutMs: 20_000, disposeEofGraceMs: 20_000, disposeGraceMs: 20_000 } as const;

const rows: readonly Row[] = [
  {
    name: "one that answers and exits needs no grace",
    script: {},
    config: patient,
    atLeastMs: 0,
    atMostMs: 0,
    heard: ["exit"],
  },
  {
    name: "one that exits without an answer needs no grace",
    script: { onShutdown: [{ do: "exit", code: 5 }] },
    config: patient,
    atLeastMs: 0,
    atMostMs: 0,
    heard: ["exit"],
  },
  {
    name: "one that only answers ends when its stdin does",
    script: { onShutdown: [{ do: "reply", result: {} }] },
    config: patient,
    atLeastMs: 0,
    atMostMs: 0,
    heard: ["eof", "exit"],
  },
  {
    name: "one that does not answer ends when its stdin does",
    script: { onShutdown: [] },
    config: { ...patient, shutdownTimeoutMs: 150 },
    atLeastMs: 150,
    atMostMs: 150,
    heard: ["eof", "exit"],
  },
  {
    name: "one that ignores the end of its stdin is terminated",
    script: { onShutdown: [], onEof: [] },
    config: { ...patient, shutdownTimeoutMs: 150, disposeEofGraceMs: 150 },
    atLeastMs: 300,
    atMostMs: 300,
    heard: ["eof"],
  },
  {
    name: "one that ignores SIGTERM too is killed",
    script: deaf,
    config: short,
    atLeastMs: 500,
    atMostMs: 700,
    heard: ["eof", "signal"],
  },
  {
    name: "one that is stopped is killed",
    script: { onPrompt: [accept, { do: "end" }, { do: "kill", signal: "SIGSTOP" }] },
    config: short,
    atLeastMs: 500,
    atMostMs: 700,
    heard: [],
  },
];

describe("dispose() ends a runtime within its graces", () => {
  for (const { name, script, config, atLeastMs, atMostMs, heard } of rows) {
    it(name, async () => {
      using workplace = new Workplace();
      const { start } = delegator(workplace, script, { config });
      const run = await start();
      assert.equal((await run.result).stopReason, "completed");
      const before = performance.now();
      await run.dispose();
      const took = performance.now() - before;
      assert.deepEqual(workplace.processes(), []);
      assert.ok(took >= atLeastMs - 5 && took <= atMostMs + SLACK_MS, `took ${took} ms`);
      const events = readRecord(workplace.file("record")).map(({ event }) => event);
      assert.deepEqual(events.filter((event) => event !== "start" && event !== "message"), heard);
    });
  }

  it("in mid-turn, which counts as cancelled", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, { onPrompt: [accept, { do: "hang" }] }, {
      config: patient,
    });
    const run = await start();
    await eventually(() => workplace.received().includes("session/prompt"), "the runtime got the prompt");
    await run.dispose();
    assert.deepEqual(await run.result, { stopReason: "aborted", output: [] });
    assert.deepEqual(workplace.received(), ["initialize", "session/prompt", "shutdown"]);
    assert.deepEqual(hostFailures, []);
  });

  it("with a prompt that it never reads", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const { start } = delegator(workplace, {
      onInitialize: [{ do: "pauseStdin" }, {
        do: "reply",
        result: { serverInfo: { name: "deaf", version: "1" } },
      }],
      ...deaf,
    }, { config: short });
    const run = await start({ prompt: "x".repeat(4 * 1024 * 1024), signal: controller.signal });
    controller.abort();
    assert.deepEqual(await run.result, { stopReason: "aborted", output: [] });
    await run.dispose();
    assert.deepEqual(workplace.processes(), []);
  });

  for (const how of ["plain", "setsid", "daemon"] as const) {
    it(`with a ${how} descendant that holds stdout and ignores SIGTERM`, async () => {
      using workplace = new Workplace();
      const { start } = delegator(workplace, {
        onPrompt: [
          accept,
          { do: "spawn", how, pidFile: workplace.file("pid"), holdStdout: true, ignoreSigterm: true },
          { do: "end" },
        ],
      }, { config: short });
      const run = await start();
      assert.equal((await run.result).stopReason, "completed");
      assert.ok(process.platform !== "linux" || workplace.processes().length > 1, "there is a descendant");
      await run.dispose();
      assert.deepEqual(workplace.processes(), []);
    });
  }

  it("whose descendant holds stdout when it dies: the run fails all the same", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, {
      onPrompt: [
        accept,
        { do: "text", text: "partial" },
        { do: "spawn", how: "plain", pidFile: workplace.file("pid"), holdStdout: true },
        { do: "kill", signal: "SIGKILL" },
      ],
    }, { config: short });
    const run = await start();
    assert.deepEqual(await run.result, {
      stopReason: "error",
      output: [{ type: "text", text: "partial" }],
      diagnostic: "Subagent failure (provider: DSH SDK; stage: session-run; category: transport)",
    });
    await run.dispose();
    assert.deepEqual(workplace.processes(), []);
  });

  it("that failed to start and does not want to go", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { ...deaf, onInitialize: [] }, {
      config: { ...short, startTimeoutMs: 300 },
    });
    await assert.rejects(start(), {
      message: "Subagent failure (provider: DSH SDK; stage: initialize; category: transport)",
    });
    assert.deepEqual(workplace.processes(), []);
  });
});

describe("an unanswered shutdown request is for the host's log alone", () => {
  for (
    const [name, script, is] of [
      ["no answer", { onShutdown: [] }, RequestTimeoutError.is],
      [
        "an error",
        { onShutdown: [{ do: "reply", error: { code: 1, message: "raw" } }] },
        JsonRpcResponseError.is,
      ],
    ] as const
  ) {
    it(`${name}: dispose() fulfils`, async () => {
      using workplace = new Workplace();
      const { start, hostFailures } = delegator(workplace, script, {
        config: { ...patient, shutdownTimeoutMs: 150 },
      });
      const run = await start();
      await run.result;
      await run.dispose();
      assert.deepEqual(hostFailures.map(({ operation, runId }) => ({ operation, runId })), [
        { operation: "dispose", runId: run.id },
      ]);
      assert.ok(is(hostFailures[0]?.error));
    });
  }
});
