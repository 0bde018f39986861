/**
 * Commands that start the fake agents under the runtime that asks, whether from source or from an installed package.
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { checkScript } from "./acp_agent/check_script.ts";
import type { AgentScript } from "./acp_agent/script.ts";
import { bundleForNode } from "./node_bundle.ts";

/** A program and its arguments. */
export interface AgentCommand {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/** How to launch a scripted agent. */
export interface ScriptedAgentOptions {
  /** Absolute path of a file to write the script to, for scripts too long for an argument. */
  readonly scriptFile?: string;
  /** Arguments behind the script, which the agent does not look at. */
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
export function scriptedAgent(
  script: AgentScript = {},
  { scriptFile, extraArgs = [] }: ScriptedAgentOptions = {},
): AgentCommand {
  const text = JSON.stringify(checkScript(script));
  if (scriptFile !== undefined) writeFileSync(scriptFile, text);
  else if (new TextEncoder().encode(text).length > MAX_ARGUMENT_BYTES) {
    throw new RangeError(
      `Script of ${text.length} characters is too long for an argument: name a scriptFile`,
    );
  }
  const { command, args } = programAt("acp_agent");
  return {
    command,
    args: [...args, ...(scriptFile === undefined ? [text] : ["--file", scriptFile]), ...extraArgs],
  };
}

/** The command of the agent built on the official SDK. */
export function sdkAgent(): AgentCommand {
  return programAt("sdk_agent");
}

function programAt(name: "acp_agent" | "sdk_agent"): AgentCommand {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const entry = new URL(`./${name}${extension}`, import.meta.url);
  const versions = process.versions as Readonly<Record<string, string | undefined>>;
  // A remote module has a URL only, which deno takes as it takes a path.
  if (versions["deno"] !== undefined) {
    return { command: process.execPath, args: ["run", "-A", "--quiet", entry.href] };
  }
  const runsAsIs = extension === ".js" || versions["bun"] !== undefined;
  return { command: process.execPath, args: [runsAsIs ? fileURLToPath(entry) : bundleForNode(entry)] };
}
