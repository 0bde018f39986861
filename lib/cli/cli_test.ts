import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runCli } from "./cli.ts";
import { RUN_HELP, SUBAGENT_HELP } from "./help.ts";
import { FakeCliSystem } from "./fake_system_fixtures_test.ts";
import { VERSION } from "./version.ts";

async function run(words: string[], system = new FakeCliSystem()) {
  const exitCode = await runCli(words, system);
  return { exitCode, stdout: system.stdout.text, stderr: system.stderr.text };
}

describe("runCli()", () => {
  const printed: [words: string[], text: string][] = [
    [["--help"], SUBAGENT_HELP],
    [["run", "--help"], RUN_HELP],
    [["--version"], `${VERSION}\n`],
  ];
  for (const [words, stdout] of printed) {
    it(`answers ${words.join(" ")} on stdout`, async () => {
      assert.deepEqual(await run(words), { exitCode: 0, stdout, stderr: "" });
    });
  }

  it("says what is wrong with the command line in one line", async () => {
    assert.deepEqual(await run(["run", "do it"]), {
      exitCode: 2,
      stdout: "",
      stderr:
        'subagent: No agent command given: put it behind "--", as in subagent run "task" -- opencode acp\n',
    });
  });

  it("says that --cwd is no directory before it starts anything", async () => {
    const { exitCode, stdout, stderr } = await run([
      "run",
      "--cwd",
      "/no/such/place",
      "do it",
      "--",
      "agent",
    ]);
    assert.deepEqual([exitCode, stdout], [2, ""]);
    assert.equal(
      stderr,
      "subagent: subagent-acp: config cwd is not an accessible directory: /no/such/place\n",
    );
  });

  it("shows nothing of an error nobody expected but its class", async () => {
    const system = new FakeCliSystem();
    const chooseProvider = () => ({}) as never;
    const exitCode = await runCli(["run", "do it", "--", "agent"], system, { chooseProvider });
    assert.deepEqual([exitCode, system.stdout.text], [1, ""]);
    assert.equal(
      system.stderr.text,
      "subagent: Internal error (SubagentError): please report how it came about\n",
    );
  });

  it("notices that nobody reads its help", async () => {
    const system = new FakeCliSystem();
    system.stdout.fault = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    assert.equal((await run(["--help"], system)).exitCode, 141);
  });
});
