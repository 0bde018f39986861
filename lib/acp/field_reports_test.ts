/**
 * Faults that hosts of agents were reported for, each as a test named after the symptom. The report behind a name
 * stands in brackets.
 */
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import type { AgentScript, Step } from "../../fakes/acp_agent/script.ts";
import type { SubagentResult, SubagentRun } from "../seam/types.ts";
import type { AcpActivity } from "./activity.ts";
import {
  deferred,
  delegate,
  type DelegationOptions,
  delegator,
  eventually,
  textOf,
  Workplace,
} from "./delegation_fixtures_test.ts";

const text = (value: string): Step => ({ do: "text", text: value });
const done: Step = { do: "stop" };
const hang: Step = { do: "hang" };
const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "foreign" } };
const exitLine = (code: number) =>
  `Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: ${code})`;
const completed = (value: string): SubagentResult => ({
  stopReason: "completed",
  output: value === "" ? [] : [{ type: "text", text: value }],
});
const MiB = 1024 * 1024;

/** Starts a run, waits for its first text, and hands both over with the means to cancel. */
async function started(workplace: Workplace, script: AgentScript, options: DelegationOptions = {}) {
  const controller = new AbortController();
  const firstText = deferred();
  const host = delegator(workplace, script, {
    ...options,
    provider: { onActivity: ({ kind }) => kind === "text" && firstText.resolve() },
  });
  const run = await host.start({ signal: controller.signal });
  return { run, controller, firstText: firstText.promise, ...host };
}

describe("orphans", () => {
  for (const how of ["plain", "setsid", "daemon"] as const) {
    it(`a ${how} descendant of the agent is gone after dispose() (rust-sdk#249, paseo#1459)`, async () => {
      using workplace = new Workplace();
      const spawn: Step = { do: "spawn", how, pidFile: workplace.file("pid"), ignoreSigterm: true };
      const { start } = delegator(workplace, { onPrompt: [spawn, done] }, {
        config: { disposeEofGraceMs: 100, disposeGraceMs: 200 },
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
        config: { disposeEofGraceMs: 100, disposeGraceMs: 500 },
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
      config: { disposeEofGraceMs: 50, disposeGraceMs: 100 },
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
      config: { disposeEofGraceMs: 100, disposeGraceMs: 100 },
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

describe("framing", () => {
  const answered: readonly Step[] = [text("ok"), done];
  const rows:
    readonly (readonly [name: string, script: AgentScript, config?: DelegationOptions["config"]])[] = [
      ["log lines between frames are noise (acpx#160)", {
        onPrompt: [
          { do: "line", text: "INFO starting", times: 3 },
          text("o"),
          { do: "line", text: "{cut" },
          text("k"),
          done,
        ],
      }],
      ["a shell profile that talks before the first frame is noise (codex-acp#177, vscode-acp#47)", {
        onStart: [{ do: "raw", text: "Welcome!\nYou have mail.\n\n" }],
        onPrompt: answered,
      }],
      ["a thousand noise lines from an agent that reads nothing meanwhile do not stall the reader", {
        onPrompt: [{ do: "pauseStdin" }, { do: "line", text: "noise ".repeat(20), times: 5000 }, ...answered],
      }],
      ["JSON scalars, batches and foreign objects are noise", {
        onPrompt: [
          { do: "send", message: 42 },
          { do: "send", message: null },
          { do: "send", message: "text" },
          { do: "send", message: [{ jsonrpc: "2.0", id: 2, result: { stopReason: "refusal" } }] },
          { do: "send", message: { level: "info", message: "listening" } },
          ...answered,
        ],
      }],
      ["escape sequences of a launcher in front of a frame do not hide it (kagan-legacy#148)", {
        onPrompt: [{ do: "raw", text: "\x1b]0;agent\x07\x1b[?25h" }, ...answered],
      }],
      ["lines longer than 64 kB are lines (python-sdk#27)", {
        onPrompt: [{
          do: "update",
          update: {
            sessionUpdate: "agent_thought_chunk",
            content: { type: "text", text: { $repeat: { text: "y", times: 8 * MiB } } },
          },
        }, ...answered],
      }],
      ["CRLF line ends are line ends", { onStart: [{ do: "framing", after: "\r\n" }], onPrompt: answered }],
      ["blank lines and byte order marks are nothing", {
        onStart: [{ do: "raw", text: "\ufeff" }, { do: "framing", before: "\n\n", after: "\n  \n" }],
        onPrompt: answered,
      }],
      ["deep nesting is a line like any other", {
        onPrompt: [{ do: "raw", text: "[", times: 100_000 }, { do: "raw", text: "\n" }, ...answered],
      }],
      ["a last line without an end is a line", {
        onPrompt: [text("ok"), { do: "framing", after: "" }, done, { do: "exit" }],
      }],
      ["a response to nobody is nothing", {
        onPrompt: [
          { do: "reply", result: { stopReason: "refusal" }, id: 777 },
          { do: "reply", result: { stopReason: "refusal" }, id: { $requestId: "string" } },
          { do: "reply", result: { stopReason: "refusal" }, id: null },
          ...answered,
        ],
      }],
      ["a response that comes twice counts once", {
        onPrompt: [text("ok"), { do: "reply", result: { stopReason: "end_turn" }, times: 2 }],
      }],
      ["a response without jsonrpc is a response", {
        onPrompt: [text("ok"), { do: "reply", result: { stopReason: "end_turn" }, omit: ["jsonrpc"] }],
      }],
    ];
  for (const [name, script, config] of rows) {
    it(name, async () => {
      using workplace = new Workplace();
      const { start } = delegator(workplace, script, { config: config ?? {} });
      const run = await start();
      assert.deepEqual(await run.result, completed("ok"));
      await run.dispose();
      assert.deepEqual(
        workplace.received(),
        ["initialize", "session/new", "session/prompt"],
        "noise is never answered",
      );
    });
  }

  it("UTF-8 that is split between reads stays whole (codex-acp#345, poe-code#369)", async () => {
    const { result } = await delegate({
      onPrompt: [{ do: "burst", steps: [text("grüße 🦊 世界")], cut: "character" }, done],
    });
    assert.deepEqual(result, completed("grüße 🦊 世界"));
  });

  it("bytes that are no UTF-8 become U+FFFD and lose nothing else", async () => {
    const bytes = (base64: string): Step => ({ do: "bytes", base64 });
    const line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":` +
      `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a`;
    const { result } = await delegate({
      onPrompt: [bytes(btoa(`${line}\xff`)), { do: "raw", text: `b"}}}}\n` }, done],
    });
    assert.deepEqual(result, completed("a\ufffdb"));
  });

  it("an unbounded unfinished line fails the run, keeps its text and takes no memory (acpx#539)", async () => {
    const { result } = await delegate({
      onPrompt: [text("before"), { do: "raw", text: "x".repeat(1024), times: 64 * 1024 }, hang],
    }, { config: { maxMessageBytes: MiB, disposeEofGraceMs: 200 } });
    assert.deepEqual(result, {
      ...completed("before"),
      stopReason: "error",
      diagnostic: "Subagent failure (provider: ACP; stage: prompt; category: transport)",
    });
  });

  it("an endless answer fails the run at maxOutputBytes and keeps what fits, whole characters only", async () => {
    const { result } = await delegate({ onPrompt: [{ do: "text", text: "äää", times: 1000 }, done] }, {
      config: { maxOutputBytes: 99 },
    });
    assert.equal(result.stopReason, "error");
    assert.equal(textOf(result), "ä".repeat(49));
    assert.equal(result.diagnostic, "Subagent failure (provider: ACP; stage: prompt; category: transport)");
  });
});

describe("permissions and cancel", () => {
  const outcomes = (workplace: Workplace) =>
    workplace.messages().filter(({ method }) => method === undefined).map(({ result }) => result);

  it("the default grants nothing (thunderbolt#488, cmux#7258)", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [{ do: "ask" }, done] });
    const run = await start();
    await run.result;
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "cancelled" } }]);
  });

  it("under allow the first allowing option is selected", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [{ do: "ask" }, { do: "stop", reason: "refusal" }] }, {
      config: { permission: "allow" },
    });
    const run = await start();
    assert.equal(
      (await run.result).diagnostic,
      "ACP unattended decision (policy: allow; request: execute; decision: allowed)",
    );
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "selected", optionId: "allow" } }]);
  });

  it("a question asked after cancel is answered cancelled, under allow too (acpx#631, deepchat#1881, assistant-ui#6027)", async () => {
    using workplace = new Workplace();
    const { run, controller, firstText } = await started(workplace, {
      onPrompt: [
        text("x"),
        { do: "wait", for: "cancel" },
        { do: "ask" },
        { do: "stop", reason: "cancelled" },
        text("late"),
      ],
    }, { config: { permission: "allow" } });
    await firstText;
    controller.abort();
    assert.deepEqual(await run.result, { ...completed("x"), stopReason: "aborted" });
    await eventually(() => outcomes(workplace).length === 1, "the question is answered");
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "cancelled" } }]);
    assert.deepEqual(workplace.received(), [
      "initialize",
      "session/new",
      "session/prompt",
      "session/cancel",
      "answer",
    ]);
  });

  it("a question asked after the answer grants nothing, under allow too", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [text("x"), done, { do: "ask" }] }, {
      config: { permission: "allow" },
    });
    const run = await start();
    assert.deepEqual(await run.result, completed("x"));
    await eventually(() => outcomes(workplace).length === 1, "the question is answered");
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "cancelled" } }]);
  });

  it("a question about another session grants nothing and is not remembered", async () => {
    using workplace = new Workplace();
    const script: AgentScript = {
      onPrompt: [{ do: "ask", sessionId: "session-9" }, { do: "stop", reason: "refusal" }],
    };
    const { start } = delegator(workplace, script, { config: { permission: "allow" } });
    const run = await start();
    assert.deepEqual(await run.result, { stopReason: "refusal", output: [] });
    await run.dispose();
    assert.deepEqual(outcomes(workplace), [{ outcome: { outcome: "cancelled" } }]);
  });

  it("two questions at once are both answered, the latest is remembered", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, {
      onPrompt: [
        { do: "ask", kind: "read", wait: false },
        { do: "ask", kind: "edit", wait: false },
        { do: "wait", for: "answers" },
        { do: "stop", reason: "refusal" },
      ],
    });
    const run = await start();
    assert.equal(
      (await run.result).diagnostic,
      "ACP unattended decision (policy: reject; request: edit; decision: denied)",
    );
    await run.dispose();
    assert.equal(outcomes(workplace).length, 2);
  });

  it("an agent that floods us with questions and reads no answer fails the run, in bounded memory", async () => {
    const { result } = await delegate({
      onPrompt: [{ do: "pauseStdin" }, { do: "ask", times: 100_000, wait: false }, hang],
      onSigterm: [],
    }, { config: { disposeEofGraceMs: 100, disposeGraceMs: 200 } });
    assert.equal(
      result.diagnostic,
      "Subagent failure (provider: ACP; stage: prompt; category: transport)\n" +
        "ACP unattended decision (policy: reject; request: execute; decision: denied)",
    );
  });

  it("cancel is not held up by the prompt under way (sudocode#78)", async () => {
    using workplace = new Workplace();
    const { run, controller, firstText } = await started(workplace, { onPrompt: [text("x"), hang] });
    await firstText;
    controller.abort();
    await run.result;
    await eventually(() => workplace.received().includes("session/cancel"), "the agent heard of the cancel");
    await run.dispose();
  });
});

describe("output and stop reasons", () => {
  it("an update and the response in one segment keep their order (QwenPaw#6623)", async () => {
    const { result } = await delegate({
      onPrompt: [{ do: "burst", steps: [text("a"), text("b"), text("c"), done] }],
    });
    assert.deepEqual(result, completed("abc"));
  });

  for (const steps of [[done, text("late")], [{ do: "burst", steps: [done, text("late")] }]] as const) {
    it(`text behind the response changes nothing${steps.length === 1 ? ", in one segment with it" : ""} (opencode#17505)`, async () => {
      const { result } = await delegate({ onPrompt: [text("x"), ...steps] });
      assert.deepEqual(result, completed("x"));
    });
  }

  it("a cancelled run keeps what it said (openclaw#33827)", async () => {
    using workplace = new Workplace();
    const { run, firstText } = await started(workplace, { onPrompt: [text("half a report"), hang] });
    await firstText;
    await run.dispose();
    assert.deepEqual(await run.result, { ...completed("half a report"), stopReason: "aborted" });
  });

  it("a run that finished stays finished when it is cancelled later (MassGen#720)", async () => {
    using workplace = new Workplace();
    const { run, controller } = await started(workplace, { onPrompt: [text("report"), done] });
    await run.result;
    controller.abort();
    await run.dispose();
    assert.deepEqual(await run.result, completed("report"));
    assert.ok(!workplace.received().includes("session/cancel"));
  });

  it("only text of the agent's own messages in this session is the answer", async () => {
    const update = (value: Record<string, unknown>): Step => ({ do: "update", update: value as never });
    const { result } = await delegate({
      onPrompt: [
        { do: "update", update: chunk, sessionId: "session-2" },
        { do: "update", update: chunk, sessionId: null },
        update({ ...chunk, sessionUpdate: "agent_thought_chunk" }),
        update({ ...chunk, sessionUpdate: "user_message_chunk" }),
        update({ ...chunk, sessionUpdate: "a_kind_of_tomorrow" }),
        update({ ...chunk, content: { type: "image", data: "aGk=", mimeType: "image/png" } }),
        update({ ...chunk, content: { type: "text", text: 7 } }),
        update({ ...chunk, content: null }),
        update({ sessionUpdate: "tool_call", toolCallId: "t", title: "canary" }),
        update({ sessionUpdate: "plan", entries: [] }),
        { do: "notify", method: "session/update" },
        { do: "notify", method: "session/update", params: "no object" },
        { do: "notify", method: "_vendor/update", params: { sessionId: "session-1", update: chunk } },
        text(""),
        text("mine"),
        done,
      ],
    });
    assert.deepEqual(result, completed("mine"));
  });

  it("text in front of the prompt is not the answer", async () => {
    const early: Step = { do: "update", update: chunk };
    const { result } = await delegate({
      onSessionNew: [{
        do: "burst",
        steps: [early, { do: "reply", result: { sessionId: { $sessionId: true } } }, early],
      }],
      onPrompt: [text("mine"), done],
    });
    assert.deepEqual(result, completed("mine"));
  });
});

describe("untidy agents", () => {
  it("requests of every kind are answered, whenever they come", async () => {
    using workplace = new Workplace();
    const request = (method: string, params: unknown = {}): Step => ({
      do: "request",
      method,
      params: params as never,
    });
    const { start } = delegator(workplace, {
      onSessionNew: [
        { do: "ask", wait: false },
        { do: "reply", result: { sessionId: { $sessionId: true } } },
        request("_vendor/status"),
      ],
      onPrompt: [
        request("fs/read_text_file", { sessionId: "session-1", path: "/etc/passwd" }),
        request("fs/write_text_file"),
        request("terminal/create"),
        request("elicitation/create"),
        request("craft/drainMidTurnQueue"),
        { do: "request", method: "no/params" },
        { do: "notify", method: "$/cancel_request", params: { requestId: 0 } },
        { do: "update", update: { sessionUpdate: "tool_call_update", toolCallId: "unannounced" } },
        text("ok"),
        done,
      ],
    });
    const run = await start();
    assert.deepEqual(await run.result, completed("ok"));
    await run.dispose();
    const answers = workplace.messages().filter(({ method }) => method === undefined);
    assert.deepEqual(answers.map(({ error }) => error), [
      undefined,
      ...Array.from({ length: 7 }, () => ({ code: -32601, message: "Method not found" })),
    ]);
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

describe("what a host may watch", () => {
  it("is the size of the answer and the decisions, under the id of the run; a listener that throws harms nothing", async () => {
    using workplace = new Workplace();
    const seen: AcpActivity[] = [];
    const { start, hostFailures } = delegator(workplace, {
      onPrompt: [text("grüße"), { do: "ask", kind: "edit" }, done],
    }, {
      provider: {
        onActivity: (activity) => {
          seen.push(activity);
          throw new Error("listener");
        },
      },
    });
    const run = await start();
    assert.deepEqual(await run.result, completed("grüße"));
    await run.dispose();
    assert.deepEqual(seen, [
      { kind: "text", bytes: 7, runId: run.id },
      {
        kind: "permission",
        decision: { policy: "reject", request: "edit", decision: "denied" },
        runId: run.id,
      },
    ]);
    assert.deepEqual(hostFailures.map(({ operation }) => operation), ["listener", "listener"]);
  });
});

describe("the wire", () => {
  it("carries the three requests of one delegation and nothing else", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, { onPrompt: [done] });
    const run: SubagentRun = await start({
      prompt: [{ type: "reasoning", text: "dropped" }, { type: "text", text: "do X" }, {
        type: "text",
        text: "then Y",
      }],
    });
    await run.result;
    await run.dispose();
    assert.deepEqual(workplace.messages(), [
      { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } },
      { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: workplace.path, mcpServers: [] } },
      {
        jsonrpc: "2.0",
        id: 2,
        method: "session/prompt",
        params: {
          sessionId: "session-1",
          prompt: [{ type: "text", text: "do X" }, { type: "text", text: "then Y" }],
        },
      },
    ]);
  });

  it("carries images, audio and resources to an agent that advertises them", async () => {
    using workplace = new Workplace();
    const { start } = delegator(workplace, {
      onInitialize: [{
        do: "reply",
        result: {
          protocolVersion: 1,
          agentCapabilities: { promptCapabilities: { image: true, audio: true, embeddedContext: true } },
        },
      }],
      onPrompt: [done],
    });
    const prompt = [
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "a" } },
      { type: "resource_link", uri: "file:///b", name: "b" },
    ];
    const run = await start({ prompt });
    await run.result;
    await run.dispose();
    const sent = workplace.messages().find(({ method }) => method === "session/prompt");
    assert.deepEqual((sent?.["params"] as { prompt: unknown }).prompt, prompt);
  });
});
