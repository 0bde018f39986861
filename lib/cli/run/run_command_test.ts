import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SubagentFailure } from "../../seam/errors.ts";
import type { SubagentResult } from "../../seam/types.ts";
import type { CommandRunOptions } from "./run_options.ts";
import { UsageFault } from "../command_words.ts";
import { FakeCliSystem } from "../fake_system_fixtures_test.ts";
import { runCli } from "../cli.ts";
import { runWith } from "./run.ts";
import { runCommand, type RunCommandParts } from "./run_command.ts";
import { answer, type FakeChild, never, OPTIONS, Session } from "./session_fixtures_test.ts";

const TEARDOWN = "Subagent failure (provider: ACP; stage: teardown; category: unknown)";

function failTeardown(): never {
  throw new SubagentFailure({ provider: "ACP", stage: "teardown", category: "unknown" });
}

/** Waits for the end of the command, checks that it holds no timer and no listener, and gives what it left. */
async function ended(session: Session, code: Promise<number>) {
  const exitCode = await code;
  const { held, stdout, stderr } = session.system;
  assert.equal(held, 0, "timers and listeners");
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

function isUsageFault(message: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof UsageFault);
    assert.equal(error.message, message);
    return true;
  };
}

describe("runCommand()", () => {
  it("writes the answer to stdout and nothing else", async () => {
    const session = new Session();
    assert.deepEqual(await ended(session, session.run()), { exitCode: 0, stdout: "yes\n", stderr: "" });
    assert.equal(session.count("disposed"), 1);
  });

  it("hands over the task, its parent's directory and a signal", async () => {
    const session = new Session();
    session.system.directory = "/some/where";
    await session.run();
    assert.deepEqual(session.request?.prompt, [{ type: "text", text: "do it" }]);
    assert.deepEqual(session.request?.parent, { id: "subagent run", cwd: "/some/where" });
    assert.equal(session.request?.signal?.aborted, false);
  });

  it("does not look for the current directory when one is given", async () => {
    const session = new Session();
    session.system.directory = new Error("ENOENT");
    assert.equal(await session.run({ cwd: "elsewhere" }), 0);
    assert.deepEqual(session.request?.parent, { id: "subagent run" });
  });

  it("starts nothing in a directory that is gone", async () => {
    const session = new Session();
    session.system.directory = new Error("ENOENT");
    await assert.rejects(
      session.run(),
      isUsageFault("The current directory does not exist: go to one that does, or use --cwd DIR"),
    );
    assert.deepEqual([session.events, session.system.held], [[], 0]);
  });

  it("takes what the provider finds wrong with the options for a usage fault", async () => {
    const system = new FakeCliSystem();
    const chooseProvider = () => {
      throw new TypeError("subagent-acp: command must name a program");
    };
    await assert.rejects(
      runCommand(OPTIONS, system, { chooseProvider }),
      isUsageFault("subagent-acp: command must name a program"),
    );
    assert.equal(system.held, 0);
  });

  it("reads the task from stdin", async () => {
    const session = new Session();
    session.system.stdin = new TextEncoder().encode("from stdin\n");
    assert.equal(await session.run({ task: { kind: "stdin" } }), 0);
    assert.deepEqual(session.request?.prompt, [{ type: "text", text: "from stdin\n" }]);
  });
});

describe("runCommand() without a whole answer", () => {
  const TRANSPORT = "Subagent failure (provider: ACP; stage: prompt; category: transport)";
  const failed: SubagentResult = {
    stopReason: "error",
    output: [{ type: "text", text: "so far" }],
    diagnostic: TRANSPORT,
  };
  const rows: [fact: string, child: FakeChild, disposals: number, stderr: string, json: object][] = [
    [
      "tells of a run that failed",
      { result: () => failed },
      1,
      `subagent run failed\nDiagnostic: ${TRANSPORT}\nPartial output before the run ended:\nso far\n`,
      { stopReason: "error", output: "so far", diagnostic: TRANSPORT },
    ],
    [
      "tells of a start that failed",
      {
        ready: () => {
          const cause = new Error("canary");
          throw new SubagentFailure({ provider: "ACP", stage: "prompt", category: "transport" }, { cause });
        },
      },
      0,
      `${TRANSPORT}\n`,
      { stopReason: "error", output: "", error: TRANSPORT },
    ],
    [
      "shows nothing of a stranger's error",
      { ready: () => Promise.reject(new Error("canary")) },
      0,
      "Subagent failure (provider: acp; stage: start; category: unknown)\n",
      {
        stopReason: "error",
        output: "",
        error: "Subagent failure (provider: acp; stage: start; category: unknown)",
      },
    ],
    [
      "tells of a result that breaks its promise",
      { result: () => Promise.reject(new Error("canary")) },
      1,
      "Subagent failure (provider: acp; stage: result; category: unknown)\n",
      {
        stopReason: "error",
        output: "",
        error: "Subagent failure (provider: acp; stage: result; category: unknown)",
      },
    ],
    [
      "tells of both a refusal and an agent that did not end",
      { result: () => ({ stopReason: "refusal", output: [] }), dispose: failTeardown },
      1,
      `subagent declined the task\n${TEARDOWN}\n`,
      { stopReason: "refusal", output: "", error: TEARDOWN },
    ],
  ];
  for (const [fact, child, disposals, stderr, json] of rows) {
    it(`${fact} on stderr`, async () => {
      const session = new Session(child);
      assert.deepEqual(await ended(session, session.run()), { exitCode: 1, stdout: "", stderr });
      assert.equal(session.count("disposed"), disposals);
    });

    it(`${fact} in one JSON object`, async () => {
      const session = new Session(child);
      const { exitCode, stdout, stderr: messages } = await ended(session, session.run({ json: true }));
      assert.deepEqual([exitCode, messages], [1, ""]);
      assert.deepEqual(JSON.parse(stdout), { ...json, elapsedMs: 0 });
    });
  }

  it("fails when something of the agent is left, even though the answer was written", async () => {
    const session = new Session({ dispose: failTeardown });
    assert.deepEqual(await ended(session, session.run()), {
      exitCode: 1,
      stdout: "yes\n",
      stderr: `${TEARDOWN}\n`,
    });
  });
});

describe("runCommand() and its streams", () => {
  async function writtenAtDisposal(json: boolean): Promise<string> {
    let written = "never disposed of";
    const session: Session = new Session({ dispose: () => void (written = session.system.stdout.text) });
    assert.equal(await session.run({ json }), 0);
    return written;
  }

  it("writes an answer before it ends the agent, which may take seconds", async () => {
    assert.equal(await writtenAtDisposal(false), "yes\n");
  });

  it("writes JSON after it ended the agent, so that one object says it all", async () => {
    assert.equal(await writtenAtDisposal(true), "");
  });

  it("gives the time the run took in whole milliseconds", async () => {
    const session: Session = new Session({
      result: () => {
        session.system.advance(12.6);
        return answer("yes");
      },
      dispose: () => session.system.advance(1000),
    });
    await session.run({ json: true });
    const report: unknown = JSON.parse(session.system.stdout.text);
    assert.deepEqual(report, { stopReason: "completed", output: "yes", elapsedMs: 13 });
  });

  for (const json of [false, true]) {
    it(`disposes of the run of a reader that went away${json ? " from JSON" : ""}`, async () => {
      const session = new Session();
      session.system.stdout.fault = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
      assert.deepEqual(await ended(session, session.run({ json })), {
        exitCode: 141,
        stdout: "",
        stderr: "",
      });
      assert.equal(session.count("disposed"), 1);
    });
  }

  it("fails when the answer cannot be written", async () => {
    const session = new Session();
    session.system.stdout.fault = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
    const { exitCode, stderr } = await ended(session, session.run());
    assert.deepEqual([exitCode, stderr], [1, "Cannot write the answer to stdout (ENOSPC)\n"]);
    assert.equal(session.count("disposed"), 1);
  });

  it("shows a terminal the phases, and takes the line away before anything else is written", async () => {
    const session: Session = new Session({
      ready: () => session.system.advance(200),
      result: () => {
        session.system.advance(200);
        return answer("yes");
      },
      dispose: () => session.system.advance(200),
    });
    session.system.stderr.isTerminal = true;
    assert.equal(await session.run(), 0);
    assert.deepEqual(session.system.writes, [
      "\r\x1b[2Ksubagent starting, 0 s",
      "\r\x1b[2Ksubagent working, 0 s",
      "\r\x1b[2K",
      "yes\n",
      "\r\x1b[2Ksubagent ending, 0 s",
      "\r\x1b[2K",
    ]);
    assert.equal(session.system.held, 0);
  });

  const silent: [fact: string, options: Partial<CommandRunOptions>, isTerminal: boolean, term: string][] = [
    ["for a pipe", {}, false, "xterm"],
    ["with --quiet", { quiet: true }, true, "xterm"],
    ["beside the agent's stderr", { agentStderr: true }, true, "xterm"],
    ["on a dumb terminal", {}, true, "dumb"],
  ];
  for (const [fact, options, isTerminal, term] of silent) {
    it(`shows no progress ${fact}`, async () => {
      const session: Session = new Session({ ready: () => session.system.advance(1000) });
      session.system.environment = { TERM: term };
      session.system.stderr.isTerminal = isTerminal;
      assert.equal(await session.run(options), 0);
      assert.deepEqual(session.system.stderr.writes, []);
    });
  }
});

describe("runCommand() told to stop", () => {
  const SO_FAR = "subagent run was cancelled\nPartial output before the run ended:\nso far\n";

  it("ends before anything was started while it reads the task", async () => {
    const session = new Session();
    const code = session.run({ task: { kind: "stdin" } });
    session.system.send("SIGINT");
    assert.deepEqual(await ended(session, code), {
      exitCode: 130,
      stdout: "",
      stderr: "subagent run was cancelled\n",
    });
    assert.deepEqual(session.events, []);
  });

  it("cancels a start", async () => {
    const session = new Session({ ready: never });
    const code = session.run();
    await session.until("started");
    session.system.send("SIGTERM");
    assert.deepEqual(await ended(session, code), {
      exitCode: 143,
      stdout: "",
      stderr: "subagent request was aborted before the ACP child started\n",
    });
  });

  it("cancels a run, disposes of it and shows what there is of the answer", async () => {
    const session = new Session({ result: never });
    const code = session.run();
    await session.until("working");
    session.system.send("SIGHUP");
    assert.deepEqual(await ended(session, code), { exitCode: 129, stdout: "", stderr: SO_FAR });
    assert.equal(session.count("disposed"), 1);
  });

  it("cancels a run in one JSON object", async () => {
    const session = new Session({ result: never });
    const code = session.run({ json: true });
    await session.until("working");
    session.system.send("SIGINT");
    const { exitCode, stdout, stderr } = await ended(session, code);
    assert.deepEqual([exitCode, stderr], [130, ""]);
    assert.deepEqual(JSON.parse(stdout), { stopReason: "aborted", output: "so far", elapsedMs: 0 });
  });

  it("keeps the answer and exits by the signal that came while it ended the agent", async () => {
    const session: Session = new Session({ dispose: () => session.system.send("SIGINT") });
    assert.deepEqual(await ended(session, session.run()), { exitCode: 130, stdout: "yes\n", stderr: "" });
  });

  it("exits at once at a second signal, whatever it is waiting for", async () => {
    const session = new Session({ dispose: never });
    void session.run();
    await session.until("disposed");
    session.system.send("SIGINT");
    assert.deepEqual(session.system.exits, []);
    session.system.send("SIGINT");
    assert.deepEqual(session.system.exits, [130]);
  });
});

describe("runCommand() with a time limit", () => {
  it("cancels a run and says that its time was up", async () => {
    const session = new Session({ result: never });
    const code = session.run({ timeoutMs: 300 });
    await session.until("working");
    session.system.advance(300);
    assert.deepEqual(await ended(session, code), {
      exitCode: 1,
      stdout: "",
      stderr: "Time limit of 300 ms reached\n" +
        "subagent run was cancelled\nPartial output before the run ended:\nso far\n",
    });
    assert.equal(session.count("disposed"), 1);
  });

  it("cancels a start and says so in JSON too", async () => {
    const session = new Session({ ready: never });
    const code = session.run({ timeoutMs: 300, json: true });
    await session.until("started");
    session.system.advance(300);
    const { exitCode, stdout, stderr } = await ended(session, code);
    assert.deepEqual([exitCode, stderr], [1, "Time limit of 300 ms reached\n"]);
    assert.deepEqual(JSON.parse(stdout), {
      stopReason: "aborted",
      output: "",
      error: "Time limit of 300 ms reached; subagent request was aborted before the ACP child started",
      elapsedMs: 300,
    });
  });

  it("takes an answer that comes in spite of the cancellation", async () => {
    const session = new Session({ result: never, cancelled: () => answer("yes") });
    const code = session.run({ timeoutMs: 300 });
    await session.until("working");
    session.system.advance(300);
    assert.deepEqual(await ended(session, code), { exitCode: 0, stdout: "yes\n", stderr: "" });
  });

  it("does not count the time that stdin takes", async () => {
    const session = new Session();
    const code = session.run({ timeoutMs: 300, task: { kind: "stdin" } });
    await session.system.stdinAwaited;
    session.system.advance(10_000);
    session.system.endStdin("do it");
    assert.deepEqual(await ended(session, code), { exitCode: 0, stdout: "yes\n", stderr: "" });
  });

  it("does not count the time the agent takes to end", async () => {
    const session: Session = new Session({ dispose: () => session.system.advance(10_000) });
    const code = session.run({ timeoutMs: 300 });
    assert.deepEqual(await ended(session, code), { exitCode: 0, stdout: "yes\n", stderr: "" });
  });
});

describe("subagent run", () => {
  async function run(words: readonly string[], parts: RunCommandParts = {}) {
    const system = new FakeCliSystem();
    const exitCode = await runCli(["run", ...words], system, [runWith(parts)]);
    return { exitCode, stdout: system.stdout.text, stderr: system.stderr.text };
  }

  it("says what is wrong with its words in one line", async () => {
    assert.deepEqual(await run(["do it"]), {
      exitCode: 2,
      stdout: "",
      stderr:
        'subagent: No agent command given: put it behind "--", as in subagent run "task" -- opencode acp\n',
    });
  });

  it("says that --cwd is no directory before it starts anything", async () => {
    assert.deepEqual(await run(["--cwd", "/no/such/place", "do it", "--", "agent"]), {
      exitCode: 2,
      stdout: "",
      stderr: "subagent: subagent-acp: config cwd is not an accessible directory: /no/such/place\n",
    });
  });

  it("shows nothing of a provider that breaks but the class of its error", async () => {
    assert.deepEqual(await run(["do it", "--", "agent"], { chooseProvider: () => ({}) as never }), {
      exitCode: 1,
      stdout: "",
      stderr: "subagent: Internal error (SubagentError): please report how it came about\n",
    });
  });
});
