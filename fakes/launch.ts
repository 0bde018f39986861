/**
 * Commands that start the fakes under the runtime that asks, whether from source or from an installed package.
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { checkScript } from "./acp_agent/check_script.ts";
import type { AgentScript } from "./acp_agent/script.ts";
import { runtimeAgent } from "./dsh_runtime/expand.ts";
import type { RuntimeScript } from "./dsh_runtime/script.ts";
import { bundleForNode } from "./node_bundle.ts";

/** A program and its arguments. */
export interface AgentCommand {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/** How to launch a scripted program. */
export interface ScriptedAgentOptions {
  /** Absolute path of a file to write the script to, for scripts too long for an argument. */
  readonly scriptFile?: string;
  /** Arguments behind the script, which the program does not look at. */
  readonly extraArgs?: readonly string[];
}

/** Linux takes at most 128 KiB in one argument. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/**
 * The command of a scripted ACP agent.
 *
 * @throws {TypeError} When the script is not in the step language.
 * @throws {RangeError} When it is too long for an argument and no file is named.
 */
export function scriptedAgent(script: AgentScript = {}, options: ScriptedAgentOptions = {}): AgentCommand {
  checkScript(script);
  return withScript(fake("acp_agent"), script, options);
}

/** The command of the ACP agent built on the official SDK. */
export function sdkAgent(): AgentCommand {
  return fake("sdk_agent");
}

/**
 * The command of a scripted DeepSeek Harness runtime.
 *
 * @throws {TypeError} When the script is not in the step language.
 * @throws {RangeError} When it is too long for an argument and no file is named.
 */
export function scriptedRuntime(
  script: RuntimeScript = {},
  options: ScriptedAgentOptions = {},
): AgentCommand {
  checkScript(runtimeAgent(script));
  return withScript(fake("dsh_runtime"), script, options);
}

/** The command of a runtime that says again what a real one said; the file holds one recorded line a line. */
export function recordedRuntime(recording: URL): AgentCommand {
  const { command, args } = fake("dsh_runtime");
  return { command, args: [...args, "--play", fileURLToPath(recording)] };
}

/** The command of a program of this repository, from source or built; its own arguments go behind. */
export function programCommand(entry: URL): AgentCommand {
  const versions: Readonly<Record<string, string | undefined>> = process.versions;
  // A remote module has a URL only, which deno takes as it takes a path.
  if (versions["deno"] !== undefined) {
    return { command: process.execPath, args: ["run", "-A", "--quiet", entry.href] };
  }
  const runsAsIs = entry.href.endsWith(".js") || versions["bun"] !== undefined;
  return { command: process.execPath, args: [runsAsIs ? fileURLToPath(entry) : bundleForNode(entry)] };
}

function fake(name: "acp_agent" | "sdk_agent" | "dsh_runtime"): AgentCommand {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  return programCommand(new URL(`./${name}${extension}`, import.meta.url));
}

function withScript(
  { command, args }: AgentCommand,
  script: object,
  { scriptFile, extraArgs = [] }: ScriptedAgentOptions,
): AgentCommand {
  const text = JSON.stringify(script);
  if (scriptFile !== undefined) writeFileSync(scriptFile, text);
  else if (new TextEncoder().encode(text).length > MAX_ARGUMENT_BYTES) {
    throw new RangeError(
      `Script of ${text.length} characters is too long for an argument: name a scriptFile`,
    );
  }
  return {
    command,
    args: [...args, ...(scriptFile === undefined ? [text] : ["--file", scriptFile]), ...extraArgs],
  };
}
