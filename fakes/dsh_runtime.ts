#!/usr/bin/env node
/**
 * A scripted DeepSeek Harness runtime on stdin and stdout, without any dependency. It runs from source under Deno, Bun and
 * Node from 22.18, and transpiled under any Node.
 *
 * ```sh
 * node dsh_runtime.ts                                            # behaves well, answers with the prompt
 * node dsh_runtime.ts '{"onPrompt":[{"do":"exit","code":3}]}'    # dies on the first prompt
 * node dsh_runtime.ts --file script.json
 * node dsh_runtime.ts --play wire.ndjson                         # says again what a real runtime said
 * ```
 *
 * The script is a `RuntimeScript` (`dsh_runtime/script.ts`). Arguments behind it mean nothing to the runtime. Exit code 2
 * is a script that could not be read, 70 a step that could not be taken.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { Agent } from "./acp_agent/agent.ts";
import { checkScript } from "./acp_agent/check_script.ts";
import type { AgentScript } from "./acp_agent/script.ts";
import { runtimeAgent } from "./dsh_runtime/expand.ts";
import { playedRuntime, readRecording } from "./dsh_runtime/play.ts";
import type { RuntimeScript } from "./dsh_runtime/script.ts";

const EXIT_USAGE = 2;

function readScript([first, second]: readonly string[]): AgentScript {
  if (first === "--file" || first === "--play") {
    if (second === undefined) throw new TypeError(`Expected a path behind ${first}`);
    if (first === "--play") return playedRuntime(readRecording(second));
    return runtimeAgent(JSON.parse(readFileSync(second, "utf8")) as RuntimeScript);
  }
  return runtimeAgent(first === undefined ? {} : JSON.parse(first) as RuntimeScript);
}

function main(): void {
  let script: AgentScript;
  try {
    script = checkScript(readScript(process.argv.slice(2)));
  } catch (error) {
    process.stderr.write(`dsh_runtime: cannot use the script: ${(error as Error).message}\n`);
    process.exit(EXIT_USAGE);
  }
  void new Agent(script).start();
}

main();
