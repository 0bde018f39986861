/**
 * Getting hold of the task.
 *
 * @module
 */
import type { TaskSource } from "./run_options.ts";
import type { CliSystem } from "../cli_system.ts";
import { UsageFault } from "../command_words.ts";

/**
 * Gives the task, from stdin if it stands there.
 *
 * @returns The task, or undefined when the signal was aborted first.
 * @throws {UsageFault} When stdin cannot be read, is no UTF-8 or holds nothing.
 */
export async function readTask(
  source: TaskSource,
  system: Pick<CliSystem, "readStdin">,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (source.kind === "text") return source.text;
  let bytes: Uint8Array;
  try {
    bytes = await system.readStdin(signal);
  } catch (cause) {
    if (signal.aborted) return undefined;
    throw new UsageFault("Cannot read the task from stdin", { cause });
  }
  const task = decode(bytes);
  if (task.trim() === "") throw new UsageFault("The task on stdin is empty: say what to do");
  return task;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UsageFault("The task on stdin is not valid UTF-8: convert it first", { cause });
  }
}
