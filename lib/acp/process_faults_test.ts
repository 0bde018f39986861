/**
 * Faults that hosts of agents were reported for, each as a test named after the symptom. The report behind a name
 * stands in brackets.
 */
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import type { AgentScript, Step } from "../../fakes/acp_agent/script.ts";
import { eventually } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import {
  completed,
  delegate,
  type DelegationOptions,
  delegator,
  done,
  exitLine,
  hang,
  MiB,
  started,
  text,
  textOf,
} from "./delegation_fixtures_test.ts";

describe("orphans", () => {
  for (const how of ["plain", "setsid", "daemon"] as const) {
    it(`a ${how} descendant of the agent is gone after dispose() (rust-sdk#249, paseo#1459)`, async () => {
      using workplace = new Workplace();
      const spawn: Step = { do: "spawn", how, pidFile: workplace.file("pid"), ignoreSigterm: true };
      const { start } = delegator(workplace, { onPrompt: [spawn, done] }, {
        config: { disposeEofGraceMs: 100, disposeGraceMs: 1000 },
      });
      const run = await start();
      assert.deepEqual(await run.result, completed(""));
      assert.ok(process.platform !== "linux" || workplace.processes().length >= 2, "there was a descendant");
      await run.dispose();
      assert.deepEqual(workplace.processes(), []);
    });

    it(`a ${how} descendant is gone after SIGKILL of the agent in mid-prompt (kiro#10431)`, async () => {
      using workplace = new Workplace();
      const spawn: Step = { do: "spawn", how, pidFile: workplace.file("pid"), holdStdout: true };
      const { start } = delegator(workplace, { onPrompt: [spawn, { do: "kill", signal: "SIGKILL" }] }, {
        config: { disposeEofGraceMs: 100, disposeGraceMs: 1000 },
      });
      const run = await start();
      const { diagnostic } = await run.result;
      assert.equal(
        diagnostic,
        "Subagent failure (provider: ACP; stage: process; category: process-exit; signal: SIGKILL)",
      );
      await run.dispose();
      assert.deepEqual(workplace.processes(), []);
    });
  }

  it("a child that left session and environment is gone though the agent exits at once", async () => {
    using workplace = new Workplace();
    const spawn: Step = { do: "spawn", how: "setsid", pidFile: workplace.file("pid"), clearEnv: true };
    const { start } = delegator(workplace, { onPrompt: [spawn, done] }, {
      config: { disposeEofGraceMs: 300, disposeGraceMs: 1000 },
    });
    const run = await start();
    await run.result;
    await run.dispose();
    assert.deepEqual(workplace.processes(), []);
  });

  it("an agent that does not exit when stdin closes is ended (claude-agent-acp#325)", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onEof: [], onPrompt: [done] }, {
      config: { disposeEofGraceMs: 50, disposeGraceMs: 2000 },
    });
    const run = await start();
    await run.result;
    await run.dispose();
  });

  it("an agent that ignores stdin and SIGTERM is killed", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onEof: [], onSigterm: [], onPrompt: [done] }, {
      config: { disposeEofGraceMs: 50, disposeGraceMs: 1000 },
    });
    const run = await start();
    await run.result;
    await run.dispose();
  });

  it("the teardown of one run leaves its sibling alone (hermes-agent#114795)", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [text("hello "), { do: "echo" }, done] });
    const [first, second] = await Promise.all([start({ prompt: "one" }), start({ prompt: "two" })]);
    await first.result;
    await first.dispose();
    assert.deepEqual(await second.result, completed("hello two"));
    await second.dispose();
  });
});

describe("silence and death", () => {
  it("an agent that goes silent is cancelled at once (OpenMausBot#1596, selfdrivingwiki#334)", async () => {
    using workplace = new Workplace();
    const { run, controller, firstText } = await started(workplace, {
      onPrompt: [text("working"), hang],
      onCancel: [],
    });
    await firstText;
    controller.abort();
    assert.deepEqual(await run.result, { ...completed("working"), stopReason: "aborted" });
    await run.dispose();
  });

  it("exit 143 in mid-prompt settles the run (acp.el#10)", async () => {
    const { result } = await delegate({ onPrompt: [{ do: "exit", code: 143 }] });
    assert.equal(result.diagnostic, exitLine(143));
  });

  it("an agent that exits 0 while idle disturbs nothing (weclaw#44)", async () => {
    using workplace = new Workplace();
    const { start, hostFailures } = delegator(workplace, { onPrompt: [text("ok"), done, { do: "exit" }] });
    const run = await start();
    assert.deepEqual(await run.result, completed("ok"));
    await eventually(() => workplace.processes().length === 0, "the agent exited");
    await run.dispose();
    assert.deepEqual(hostFailures, []);
  });

  it("a fast exit under a large prompt is an exit, not an unhandled EPIPE (codex-action#153)", async () => {
    const { result } = await delegate(
      {
        onSessionNew: [{ do: "pauseStdin" }, { do: "reply", result: { sessionId: "s" } }, {
          do: "exit",
          code: 6,
        }],
      },
      { request: { prompt: "x".repeat(8 * MiB) } },
    );
    assert.deepEqual(result, { stopReason: "error", output: [], diagnostic: exitLine(6) });
  });

  it("an agent that never reads its stdin hangs neither the result nor dispose()", async () => {
    using workplace = new Workplace();
    const controller = new AbortController();
    const script: AgentScript = {
      onSessionNew: [{ do: "pauseStdin" }, { do: "reply", result: { sessionId: "s" } }, hang],
      onSigterm: [],
    };
    const { start } = delegator(workplace, script, {
      config: { disposeEofGraceMs: 100, disposeGraceMs: 1000 },
    });
    const run = await start({ prompt: "x".repeat(8 * MiB), signal: controller.signal });
    controller.abort();
    assert.deepEqual(await run.result, { stopReason: "aborted", output: [] });
    await run.dispose();
  });

  it("a full stderr does not block the agent (OpenHarness#204, claude-agent-sdk-python#103)", async () => {
    const noise: Step = { do: "stderr", text: "e".repeat(1024), times: 4096 };
    const { result } = await delegate({ onPrompt: [noise, text("ok"), done] });
    assert.deepEqual(result, completed("ok"));
  });

  it("a grandchild that holds stdout open does not hide the agent's exit", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, {
      onPrompt: [
        text("last words"),
        { do: "spawn", how: "plain", pidFile: workplace.file("pid"), holdStdout: true },
        { do: "exit", code: 9 },
      ],
    }, { config: { disposeEofGraceMs: 100, disposeGraceMs: 5000 } });
    const run = await start();
    assert.deepEqual(await run.result, {
      ...completed("last words"),
      stopReason: "error",
      diagnostic: exitLine(9),
    });
    await run.dispose();
  });

  it("an error reply of a live agent fails the run within 50 ms, whatever the grace", async () => {
    using workplace = new Workplace();
    let textAt = NaN;
    const steps: readonly Step[] = [text("x"), { do: "reply", error: { code: -32603, message: "no" } }];
    const { start } = delegator(workplace, { onPrompt: [{ do: "burst", steps }, hang] }, {
      config: { disposeGraceMs: 60_000 },
      provider: { onActivity: () => textAt = performance.now() },
    });
    const run = await start();
    await run.result;
    // Text and reply come in one write, so the time since the text is the time since the reply.
    const elapsed = performance.now() - textAt;
    await run.dispose();
    assert.ok(elapsed < 50, `${elapsed} ms`);
  });
});

describe("environment and directory", () => {
  const environment: AgentScript = { onPrompt: [{ do: "text", text: { $env: true } }, done] };
  const secrets = {
    SEAM_TEST_JWT_SECRET: "canary",
    SEAM_TEST_API_KEY: "canary",
    seam_test_db_password: "canary",
    DSH_HOME: "canary",
  };

  async function childEnvironment(config: DelegationOptions["config"]): Promise<Record<string, string>> {
    Object.assign(process.env, secrets, { SEAM_TEST_PLAIN: "plain" });
    try {
      return JSON.parse(textOf((await delegate(environment, { config: config ?? {} })).result));
    } finally {
      for (const name of [...Object.keys(secrets), "SEAM_TEST_PLAIN"]) delete process.env[name];
    }
  }

  it("credentials of the host do not reach the child (paperclip#11569, AgentManager#58)", async () => {
    const env = await childEnvironment({});
    assert.equal(env["SEAM_TEST_PLAIN"], "plain");
    assert.ok(!Object.values(env).includes("canary"));
  });

  it("what the configuration names reaches the child, and what it unsets does not (vellum-assistant#33343)", async () => {
    const env = await childEnvironment({
      env: { SEAM_TEST_API_KEY: "explicit", SEAM_TEST_PLAIN: undefined },
    });
    assert.equal(env["SEAM_TEST_API_KEY"], "explicit");
    assert.ok(!("SEAM_TEST_PLAIN" in env));
  });

  it("process and session work in the same directory, given as it was asked for (prime-agent#623)", async () => {
    using workplace = new Workplace();
    const link = workplace.file("link");
    symlinkSync(workplace.path, link);
    const { start } = delegator(workplace, { onPrompt: [{ do: "text", text: { $cwd: true } }, done] });
    const run = await start({ parent: { id: "parent", cwd: link } });
    assert.equal(textOf(await run.result), workplace.path);
    await run.dispose();
    const created = workplace.messages().find(({ method }) => method === "session/new");
    assert.deepEqual(created?.["params"], { cwd: link, mcpServers: [] });
  });

  it("a relative configured directory is resolved when the provider is made (kaiden#2635)", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [{ do: "text", text: { $cwd: true } }, done] }, {
      config: { cwd: "." },
    });
    const run = await start();
    assert.equal(textOf(await run.result), process.cwd());
    await run.dispose();
  });

  it("a command is never interpreted by a shell", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, {}, { config: { command: "true; touch owned", args: [] } });
    await assert.rejects(start(), {
      message: "Subagent failure (provider: ACP; stage: process; category: process-start)",
    });
  });
});
