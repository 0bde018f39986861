/**
 * The `subagent` program: finds the command that its words name and runs it.
 *
 * @module
 */
import type { CliSystem } from "./cli_system.ts";
import { type Command, HELP_OPTION } from "./command.ts";
import { type KnownOptions, quoted, readWords, UsageFault } from "./command_words.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { programHelp } from "./help.ts";
import { nearestName } from "../seam/parse_config.ts";
import { VERSION } from "./version.ts";
import { printText, writeMessage } from "./write.ts";

const PROGRAM_OPTIONS: KnownOptions = { ...HELP_OPTION, version: { type: "boolean" } };

/**
 * Does what a command line asks for.
 *
 * @param words The arguments behind the program's name.
 * @param commands The commands there are.
 * @returns The exit code, one of {@linkcode EXIT_CODES}.
 */
export async function runCli(
  words: readonly string[],
  system: CliSystem,
  commands: readonly Command[] = COMMANDS,
): Promise<number> {
  try {
    const command = commands.find(({ name }) => name === words[0]);
    return command === undefined
      ? await answerWithoutCommand(words, system, commands)
      : await runCommandNamed(command, words.slice(1), system);
  } catch (error) {
    if (error instanceof UsageFault) {
      await writeMessage(system.stderr, `subagent: ${error.message}`);
      return EXIT_CODES.usage;
    }
    // The runtime would print the error with everything that hangs on it, and a cause may hold text of a child.
    const name = error instanceof Error && /^[A-Za-z]{1,64}$/.test(error.name) ? ` (${error.name})` : "";
    await writeMessage(system.stderr, `subagent: Internal error${name}: please report how it came about`);
    return EXIT_CODES.failure;
  }
}

async function runCommandNamed(
  command: Command,
  words: readonly string[],
  system: CliSystem,
): Promise<number> {
  const help = `subagent ${command.name} --help`;
  const given = readWords(words, { ...command.options, ...HELP_OPTION }, help);
  return given.options.has("help")
    ? await printText(system, command.help)
    : await command.execute(given, system);
}

async function answerWithoutCommand(
  words: readonly string[],
  system: CliSystem,
  commands: readonly Command[],
): Promise<number> {
  const { options, positionals: [given] } = readWords(words, PROGRAM_OPTIONS, "subagent --help");
  const names = commands.map(({ name }) => name);
  if (given !== undefined) {
    const nearest = nearestName(given, names);
    const hint = nearest === undefined
      ? `the commands are ${names.map(quoted).join(", ")};`
      : `did you mean ${nearest}?`;
    throw new UsageFault(`Unknown command ${quoted(given)}: ${hint} see subagent --help`);
  }
  if (options.has("help")) return await printText(system, programHelp(commands));
  if (options.has("version")) return await printText(system, VERSION);
  throw new UsageFault("No command given: see subagent --help");
}
