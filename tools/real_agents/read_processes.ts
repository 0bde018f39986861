/**
 * The processes of this machine, read from /proc. Linux only.
 *
 * @module
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What is known of one living process. */
export interface LivingProcess {
  readonly pid: number;
  /** Its parent's id; 1 or a reaper's when its parent has ended. */
  readonly parent: number;
  /** Names one process for good, since ids are used again. */
  readonly identity: string;
  readonly argv: readonly string[];
  /** Its environment as of exec, as NAME=VALUE. */
  readonly environment: readonly string[];
  readonly cwd: string;
}

/** Reads all living processes of this user. What has ended but was not reaped is not alive. */
export function readProcesses(): readonly LivingProcess[] {
  return readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)).map(Number).map(readProcess)
    .filter((one) => one !== undefined);
}

function readProcess(pid: number): LivingProcess | undefined {
  try {
    // The command name stands in brackets and may hold anything, so fields are counted behind the last bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent] = fields;
    if (state === "Z" || state === "X") return undefined;
    return {
      pid,
      parent: Number(parent),
      identity: `${pid}:${fields[19]}`, // field 22 of the whole line, when it began
      argv: readList(`/proc/${pid}/cmdline`),
      environment: readList(`/proc/${pid}/environ`),
      cwd: readlinkSync(`/proc/${pid}/cwd`),
    };
  } catch (error) {
    // Ended meanwhile, or somebody else's.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as { code?: string }).code ?? "")) {
      return undefined;
    }
    throw error;
  }
}

function readList(path: string): string[] {
  return readFileSync(path, "utf8").split("\0").filter((entry) => entry !== "");
}
