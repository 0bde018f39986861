import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { readRecord } from "../../fakes/acp_agent/record.ts";
import type { AgentScript } from "../../fakes/acp_agent/script.ts";
import { scriptedAgent } from "../../fakes/launch.ts";
import { eventually } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { Program, programWords } from "./program_fixtures_test.ts";

/** Text that must not be shown. */
const CANARY = "canary-93ab17";

/** The words of a run with a scripted agent that works in the workplace and records there. */
function runWords(
  workplace: Workplace,
  script: AgentScript,
  options: readonly string[] = [],
  task = "do it",
): string[] {
  const { command, args } = scriptedAgent({ record: workplace.file("record"), ...script });
  return ["run", "--cwd", workplace.path, ...options, task, "--", command, ...args];
}

describe("subagent", () => {
  it("writes a long answer whole and as it is to a pipe, and nothing else", async () => {
    using workplace = new Workplace();
    using program = Program.run(runWords(workplace, {
      onPrompt: [
        { do: "stderr", text: CANARY },
        { do: "line", text: CANARY },
        { do: "text", text: "\x1b[2J\r\n" },
        { do: "text", text: { $repeat: { text: "0123456789abcdef", times: 65_536 } } },
        { do: "stop" },
      ],
    }));
    const { exitCode, stdout, stderr } = await program.ended();
    assert.deepEqual([exitCode, stderr, stdout.length], [0, "", 6 + 16 * 65_536 + 1]);
    assert.equal(stdout, `\x1b[2J\r\n${"0123456789abcdef".repeat(65_536)}\n`);
  });

  it("keeps stdout empty when there is no whole answer, and shows the agent's stderr only if asked", async () => {
    using workplace = new Workplace();
    const script: AgentScript = {
      onPrompt: [{ do: "stderr", text: `${CANARY}\n` }, { do: "text", text: "so far" }, {
        do: "exit",
        code: 3,
      }],
    };
    const text = "subagent run failed\n" +
      "Diagnostic: Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 3)\n" +
      "Partial output before the run ended:\nso far\n";
    using silent = Program.run(runWords(workplace, script));
    assert.deepEqual(await silent.ended(), { exitCode: 1, stdout: "", stderr: text });
    using loud = Program.run(runWords(workplace, script, ["--agent-stderr"]));
    assert.deepEqual(await loud.ended(), { exitCode: 1, stdout: "", stderr: `${CANARY}\n${text}` });
  });

  it("reads the task from stdin and reports in JSON", async () => {
    using workplace = new Workplace();
    using program = Program.run(runWords(workplace, {}, ["--json"], "-"));
    program.process.stdin!.end("from stdin: 漢\x9b\n");
    const { exitCode, stdout, stderr } = await program.ended();
    assert.deepEqual([exitCode, stderr], [0, ""]);
    const { elapsedMs, ...report } = JSON.parse(stdout);
    assert.deepEqual(report, { stopReason: "completed", output: "from stdin: 漢\x9b\n" });
    assert.ok(Number.isInteger(elapsedMs) && elapsedMs > 0, `elapsedMs: ${elapsedMs}`);
    assert.match(stdout, /^\{.*\\u009b.*\}\n$/);
  });

  it("exits 2 at a wrong command line", async () => {
    using program = Program.run(["run", "--jsn", "do it"]);
    assert.deepEqual(await program.ended(), {
      exitCode: 2,
      stdout: "",
      stderr: 'subagent: Unknown option "--jsn": did you mean --json? see subagent run --help\n',
    });
  });

  it("exits 141 when its reader went away, after it ended the agent", async () => {
    using workplace = new Workplace();
    using program = Program.run(
      runWords(workplace, { onPrompt: [{ do: "text", text: "yes" }, { do: "stop" }] }),
    );
    program.process.stdout!.destroy();
    assert.deepEqual(await program.ended(), { exitCode: 141, stdout: "", stderr: "" });
    assert.deepEqual(readRecord(workplace.file("record")).at(-1), { event: "exit", code: 0 });
  });

  it("says that the time is up", async () => {
    using workplace = new Workplace();
    using program = Program.run(runWords(workplace, { onPrompt: [{ do: "hang" }] }, ["--timeout", "100"]));
    const { exitCode, stdout, stderr } = await program.ended();
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.match(
      stderr,
      /^Time limit of 100 ms reached\nsubagent (run was cancelled|request was aborted before the ACP child started)\n$/,
    );
  });

  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    it(`exits ${code} at ${signal} in the middle of a run, and leaves no process`, async () => {
      using workplace = new Workplace();
      using program = Program.run(runWords(workplace, {
        onPrompt: [{ do: "text", text: "so far" }, { do: "ask", title: CANARY }, { do: "hang" }],
      }));
      await eventually(() => workplace.received().includes("answer"), "the agent is in the middle");
      program.signal(signal);
      assert.deepEqual(await program.ended(), {
        exitCode: code,
        stdout: "",
        stderr: "subagent run was cancelled\nPartial output before the run ended:\nso far\n",
      });
      assert.ok(workplace.received().includes("session/cancel"));
      assert.deepEqual(workplace.processes(), []);
    });
  }

  it("exits at once at a second SIGINT, and takes a stubborn tree with it", async () => {
    using workplace = new Workplace();
    using program = Program.run(runWords(workplace, {
      onPrompt: [
        { do: "spawn", how: "setsid", pidFile: workplace.file("descendant"), ignoreSigterm: true },
        { do: "ask" },
        { do: "hang" },
      ],
      onCancel: [],
      onEof: [],
      onSigterm: [],
    }));
    await eventually(() => workplace.received().includes("answer"), "the agent is in the middle");
    program.signal("SIGINT");
    const inTeardown = () => readRecord(workplace.file("record")).some(({ event }) => event === "eof");
    await eventually(inTeardown, "the agent is being ended");
    const secondAt = performance.now();
    program.signal("SIGINT");
    assert.equal(await program.exit, 130);
    // The teardown would have taken 9 s.
    assert.ok(performance.now() - secondAt < 4000, "the second signal did not wait");
    await eventually(() => workplace.processes().length === 0, "the tree is gone");
  });
});

const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ??
  false;
const needs = hasScript ? "" : " (skipped: no script of util-linux here)";

describe("subagent on a terminal", () => {
  /** Runs the program on a terminal of its own; stdin of the program is the keyboard. */
  function onTerminal(words: readonly string[]): Program {
    const line = [...programWords(), ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    // exec: no shell between the keyboard's signals and the program.
    return new Program(["script", "-qec", `TERM=xterm exec ${line}`, "/dev/null"]);
  }

  /** What a person sees in the end: every line as it is after the last time it was erased. */
  const visible = (text: string) => text.split("\n").map((line) => line.split("\r\x1b[2K").at(-1)).join("\n");

  it(
    `shows how it goes, then the answer with its control characters harmless${needs}`,
    { skip: !hasScript },
    async () => {
      using workplace = new Workplace();
      using program = onTerminal(runWords(workplace, {
        onPrompt: [
          { do: "text", text: "\x1b[2J" },
          { do: "ask", title: CANARY },
          { do: "waitForFile", path: workplace.file("gate") },
          { do: "text", text: "done\x07" },
          { do: "stop" },
        ],
      }));
      const progress = /\[2Ksubagent working, \d+ s, 4 bytes, permissions 1 denied/;
      await eventually(() => progress.test(program.stdout), "the progress line counts");
      writeFileSync(workplace.file("gate"), "");
      assert.equal(await program.exit, 0);
      assert.equal(visible(program.stdout), "\\x1b[2Jdone\\x07\r\n");
      assert.ok(!program.stdout.includes(CANARY));
    },
  );

  it(`exits 130 at Ctrl-C and leaves no process${needs}`, { skip: !hasScript }, async () => {
    using workplace = new Workplace();
    using program = onTerminal(runWords(workplace, { onPrompt: [{ do: "ask" }, { do: "hang" }] }));
    await eventually(() => workplace.received().includes("answer"), "the agent is in the middle");
    program.process.stdin!.write("\x03");
    assert.equal(await program.exit, 130);
    assert.match(visible(program.stdout), /^(\^C)?subagent run was cancelled\r\n$/);
    assert.deepEqual(workplace.processes(), []);
  });
});
