/**
 * The `subagent` command.
 *
 * @module
 */
import { parseArguments } from "./arguments.ts";
import type { CliSystem } from "./cli_system.ts";
import { UsageFault } from "./command_words.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { RUN_HELP, SUBAGENT_HELP } from "./help.ts";
import { runCommand, type RunCommandParts } from "./run_command.ts";
import { VERSION } from "./version.ts";
import { writeAnswer, writeMessage } from "./write.ts";

/**
 * Does what a command line asks for.
 *
 * @param words The arguments behind the program's name.
 * @returns The exit code, one of {@linkcode EXIT_CODES}.
 */
export async function runCli(
  words: readonly string[],
  system: CliSystem,
  parts: RunCommandParts = {},
): Promise<number> {
  try {
    const invocation = parseArguments(words, system.environment);
    switch (invocation.kind) {
      case "help":
        return await print(system, invocation.topic === "run" ? RUN_HELP : SUBAGENT_HELP);
      case "version":
        return await print(system, VERSION);
      case "run":
        return await runCommand(invocation.options, system, parts);
    }
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

async function print(system: CliSystem, text: string): Promise<number> {
  switch (await writeAnswer(system, text)) {
    case "written":
      return EXIT_CODES.success;
    case "reader-gone":
      return EXIT_CODES.brokenPipe;
    case "failed":
      return EXIT_CODES.failure;
  }
}
