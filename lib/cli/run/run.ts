/**
 * `subagent run` as a command of the program.
 *
 * @module
 */
import type { Command } from "../command.ts";
import { runCommand, type RunCommandParts } from "./run_command.ts";
import { RUN_HELP } from "./run_help.ts";
import { parseRunOptions, RUN_OPTIONS } from "./run_options.ts";

/** Makes the command, with what a test may replace. */
export function runWith(parts: RunCommandParts = {}): Command {
  return {
    name: "run",
    summary: "Start an agent, give it one task, print the answer, end the agent.",
    help: RUN_HELP,
    options: RUN_OPTIONS,
    execute: (words, system) => runCommand(parseRunOptions(words, system.environment), system, parts),
  };
}

/** `subagent run`. */
export const RUN: Command = runWith();
