/**
 * A bounded look at how a child ended.
 *
 * @module
 */
import type { ProcessExit, ProcessHandle } from "./port.ts";
import { settlesWithin } from "./settles_within.ts";

/**
 * Waits for a child to end, at most `boundMs` milliseconds; undefined when it did not end in time. Leaves no timer
 * behind.
 */
export async function observeExit(
  handle: Pick<ProcessHandle, "exit">,
  boundMs: number,
): Promise<ProcessExit | undefined> {
  let observed: ProcessExit | undefined;
  await settlesWithin(handle.exit.then((exit) => observed = exit), boundMs);
  return observed;
}
