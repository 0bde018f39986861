#!/usr/bin/env node
/**
 * A scripted ACP agent on stdin and stdout, without any dependency. It runs from source under Deno, Bun and Node from
 * 22.18, and transpiled under any Node; `launch.ts` gives the right command.
 *
 * ```sh
 * node acp_agent.ts                                            # behaves well, echoes the prompt
 * node acp_agent.ts '{"onPrompt":[{"do":"exit","code":3}]}'    # dies on the first prompt
 * node acp_agent.ts --file script.json
 * ```
 *
 * The script is an `AgentScript` (`acp_agent/script.ts`); README.md has the steps in one table. Arguments behind the script
 * mean nothing to the agent. Exit code 2 is a script that could not be read, 70 a step that could not be taken.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { Agent } from "./acp_agent/agent.ts";
import { checkScript } from "./acp_agent/check_script.ts";
import type { AgentScript } from "./acp_agent/script.ts";

const EXIT_USAGE = 2;

function readScript([first, second]: readonly string[]): AgentScript {
  if (first === undefined) return {};
  if (first !== "--file") return checkScript(JSON.parse(first));
  if (second === undefined) throw new TypeError("Expected a path behind --file");
  return checkScript(JSON.parse(readFileSync(second, "utf8")));
}

function main(): void {
  let script: AgentScript;
  try {
    script = readScript(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`acp_agent: cannot use the script: ${(error as Error).message}\n`);
    process.exit(EXIT_USAGE);
  }
  void new Agent(script).start();
}

main();
