import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runCli } from "./cli.ts";
import type { CliSystem } from "./cli_system.ts";
import type { Command } from "./command.ts";
import { type CommandWords, UsageFault } from "./command_words.ts";
import { COMMANDS } from "./commands.ts";
import { FakeCliSystem } from "./fake_system_fixtures_test.ts";
import { programHelp } from "./help.ts";
import { VERSION } from "./version.ts";

/** A command that takes `--loud` and keeps the words it gets. */
class FakeCommand implements Command {
  readonly name: string = "shout";
  readonly summary: string = "Shout.";
  readonly help: string = "Shout.\n";
  readonly options = { loud: { type: "boolean" } } as const;
  readonly given: CommandWords[] = [];
  outcome: number | Error = 0;

  execute(words: CommandWords, _system: CliSystem): Promise<number> {
    this.given.push(words);
    return typeof this.outcome === "number" ? Promise.resolve(this.outcome) : Promise.reject(this.outcome);
  }
}

async function run(
  words: string[],
  { system = new FakeCliSystem(), command = new FakeCommand() } = {},
) {
  const exitCode = await runCli(words, system, [command]);
  return { exitCode, stdout: system.stdout.text, stderr: system.stderr.text };
}

describe("runCli()", () => {
  const help = programHelp([new FakeCommand()]);
  const printed: [words: string[], text: string][] = [
    [["--help"], help],
    [["-h"], help],
    [["--version"], `${VERSION}\n`],
    [["shout", "--help"], "Shout.\n"],
    [["shout", "-h", "--loud", "a"], "Shout.\n"],
  ];
  for (const [words, stdout] of printed) {
    it(`answers ${words.join(" ")} on stdout`, async () => {
      assert.deepEqual(await run(words), { exitCode: 0, stdout, stderr: "" });
    });
  }

  it("hands a command its words, sorted, and gives its exit code", async () => {
    const command = new FakeCommand();
    command.outcome = 7;
    assert.deepEqual(await run(["shout", "a", "--loud", "--", "--help"], { command }), {
      exitCode: 7,
      stdout: "",
      stderr: "",
    });
    assert.deepEqual(command.given, [
      { options: new Map([["loud", [""]]]), positionals: ["a"], behindTerminator: ["--help"] },
    ]);
  });

  const faults: [fact: string, words: string[], message: string][] = [
    ["no words", [], "No command given: see subagent --help"],
    ["only a terminator", ["--"], "No command given: see subagent --help"],
    ["an empty command", [""], 'Unknown command "": the commands are "shout"; see subagent --help'],
    ["another command", ["start"], 'Unknown command "start": the commands are "shout"; see subagent --help'],
    ["a slip of the pen", ["shuot"], 'Unknown command "shuot": did you mean shout? see subagent --help'],
    [
      "a control character",
      ["\x1b[2J"],
      'Unknown command "\\u001b[2J": the commands are "shout"; see subagent --help',
    ],
    [
      "an option of a command in front of it",
      ["--loud", "shout"],
      'Unknown option "--loud": see subagent --help',
    ],
    [
      "an unknown option of a command",
      ["shout", "--lodu"],
      'Unknown option "--lodu": did you mean --loud? see subagent shout --help',
    ],
  ];
  for (const [fact, words, message] of faults) {
    it(`names the fault of ${fact} in one line`, async () => {
      assert.deepEqual(await run(words), { exitCode: 2, stdout: "", stderr: `subagent: ${message}\n` });
    });
  }

  it("shows what a command finds wrong with its words", async () => {
    const command = new FakeCommand();
    command.outcome = new UsageFault("Not so loud");
    assert.deepEqual(await run(["shout"], { command }), {
      exitCode: 2,
      stdout: "",
      stderr: "subagent: Not so loud\n",
    });
  });

  it("shows nothing of an error nobody expected but its class", async () => {
    const command = new FakeCommand();
    command.outcome = new RangeError("canary");
    assert.deepEqual(await run(["shout"], { command }), {
      exitCode: 1,
      stdout: "",
      stderr: "subagent: Internal error (RangeError): please report how it came about\n",
    });
  });

  it("notices that nobody reads its help", async () => {
    const system = new FakeCliSystem();
    system.stdout.fault = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    assert.equal((await run(["--help"], { system })).exitCode, 141);
  });

  it("has the commands of the table unless it is given others", async () => {
    const system = new FakeCliSystem();
    assert.equal(await runCli(["--help"], system), 0);
    assert.equal(system.stdout.text, programHelp(COMMANDS));
  });
});
