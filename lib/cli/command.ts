/**
 * What every command of the program is made of.
 *
 * @module
 */
import type { CliSystem } from "./cli_system.ts";
import type { CommandWords, KnownOptions } from "./command_words.ts";

/** One command of the program, such as `subagent run`. A new one is a row in the table of `commands.ts`. */
export interface Command {
  /** The word behind `subagent`. */
  readonly name: string;
  /** What it does, in one sentence, for the list of commands. */
  readonly summary: string;
  /** What `--help` prints. Lists every option and every exit code of the command; a test holds that. */
  readonly help: string;
  /** The options it takes; `--help` comes by itself. */
  readonly options: KnownOptions;
  /**
   * Does what the words ask for.
   *
   * @returns The exit code, one of `EXIT_CODES`.
   * @throws {UsageFault} When the words cannot be used; nothing was started or changed.
   */
  execute(words: CommandWords, system: CliSystem): Promise<number>;
}

/** The option that every command takes. */
export const HELP_OPTION: KnownOptions = { help: { type: "boolean", short: "h" } };
