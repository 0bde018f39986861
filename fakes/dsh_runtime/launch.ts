/**
 * Commands that start the scripted runtime under the runtime that asks.
 *
 * @module
 */
import { type AgentCommand, scriptedAgent, type ScriptedAgentOptions } from "../launch.ts";
import { runtimeAgent } from "./expand.ts";
import { playedRuntime, readRecording } from "./play.ts";
import type { RuntimeScript } from "./script.ts";

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
  return scriptedAgent(runtimeAgent(script), options);
}

/** The command of a runtime that says again what a real one said; the file holds one recorded line a line. */
export function recordedRuntime(recording: string | URL, options: ScriptedAgentOptions = {}): AgentCommand {
  return scriptedAgent(playedRuntime(readRecording(recording)), options);
}
