/**
 * Signals, always through `process.kill`: the second `child.kill()` of a child does nothing under Deno 2.9
 * (denoland/deno#36643).
 *
 * @module
 */
import { denoGrants } from "./deno_permission.ts";
import { errorCode } from "./errors.ts";

/** What `process.kill` does. A negative pid means the group; signal 0 only asks whether there is one. */
export type Kill = (pid: number, signal: "SIGTERM" | "SIGKILL" | 0) => void;

/** The signals of this process. */
export const processKill: Kill = (pid, signal) => {
  globalThis.process.kill(pid, signal);
};

/**
 * Sends a signal to a process, or to a group by its negated id.
 *
 * That there is none (ESRCH) and that it is out of reach (EPERM) are no errors here; the next look tells the two apart.
 *
 * @throws {Error} Any other failure, such as Deno's NotCapable without `--allow-run`.
 */
export function sendSignal(kill: Kill, pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    kill(pid, signal);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/**
 * Tells whether a process group has members, zombies included; undefined when the runtime does not permit to ask.
 */
export function groupExists(kill: Kill, group: number): boolean | undefined {
  if (!denoGrants({ name: "run" })) return undefined;
  try {
    kill(-group, 0);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ESRCH") return false;
    if (code === "EPERM") return true;
    throw error;
  }
}
