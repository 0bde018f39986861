/**
 * What `subagent --help` prints.
 *
 * @module
 */
import type { Command } from "./command.ts";

/** Lists the commands. */
export function programHelp(commands: readonly Pick<Command, "name" | "summary">[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length), "-h, --help".length);
  const row = (name: string, text: string) => `  ${name.padEnd(width)}  ${text}`;
  return `Delegate tasks to subagents.

Usage:
  subagent COMMAND [options] …

Commands:
${commands.map(({ name, summary }) => row(name, summary)).join("\n")}

Options:
${row("-h, --help", 'Print this text; "subagent COMMAND --help" has the options of a command.')}
${row("--version", "Print the version of this program.")}

Example:
  subagent run "List the open issues" -- opencode acp
`;
}
