/**
 * The process table of other POSIX systems: `ps`. It shows neither sessions nor environments.
 *
 * @module
 */
import { processKill, sendSignal } from "./signals.ts";
import { ProcessLook, type ProcessRow, type ProcessTable } from "./process_table.ts";

type ChildProcessModule = Pick<typeof import("node:child_process"), "spawn" | "spawnSync">;

const PS = "/bin/ps";
const ARGUMENTS = ["-axo", "pid=,ppid=,pgid=,stat=,lstart="];
// Day and month names in English, and no hour that a change of clocks repeats.
const ENVIRONMENT = { LC_ALL: "C", TZ: "UTC0" };

// Whole seconds, which procps adds to a boot time that it works out anew.
const START_TIME_SLACK_MS = 1500;

/** How the table is read. */
export interface PsTableOptions {
  /** Starts `ps`. @default {node:child_process} */
  readonly childProcess?: ChildProcessModule;
  /** How long one look may take, in milliseconds. @default {2000} */
  readonly timeoutMs?: number;
}

/** Makes the table that `ps` prints. One look starts one process: 10 to 100 milliseconds. */
export function psTable(
  { childProcess = globalThis.process.getBuiltinModule("node:child_process"), timeoutMs = 2000 }:
    PsTableOptions = {},
): ProcessTable {
  function lookNow(): ProcessLook | undefined {
    const { stdout, status } = childProcess.spawnSync(PS, ARGUMENTS, {
      env: ENVIRONMENT,
      encoding: "latin1",
      maxBuffer: 1 << 26,
      timeout: timeoutMs,
    });
    return status === 0 ? toLook(stdout) : undefined;
  }

  function look(): Promise<ProcessLook | undefined> {
    return new Promise((resolve) => {
      const ps = childProcess.spawn(PS, ARGUMENTS, { env: ENVIRONMENT, stdio: ["ignore", "pipe", "ignore"] });
      const decoder = new TextDecoder("latin1");
      let output = "";
      const timer = setTimeout(() => {
        if (ps.pid !== undefined) sendSignal(processKill, ps.pid, "SIGKILL");
      }, timeoutMs);
      ps.stdout.on("data", (chunk: Uint8Array) => output += decoder.decode(chunk));
      ps.on("error", () => {
        clearTimeout(timer);
        resolve(undefined);
      });
      ps.on("close", (status) => {
        clearTimeout(timer);
        resolve(status === 0 ? toLook(output) : undefined);
      });
    });
  }

  return { look, lookNow, startTimeOf: () => undefined };
}

/** Parses what `ps -axo pid=,ppid=,pgid=,stat=,lstart=` prints in the C locale and UTC; zombies are left out. */
export function parsePs(output: string): ProcessRow[] {
  return output.split("\n").flatMap((line): ProcessRow[] => {
    const [, pid, parent, group, state, started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ??
      [];
    if (pid === undefined || state === undefined || /^[ZX]/.test(state)) return [];
    return [{
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: undefined,
      startTime: Date.parse(`${started} UTC`) || 0, // never NaN, which equals nothing, not even itself
    }];
  });
}

function toLook(output: string): ProcessLook {
  return new ProcessLook(parsePs(output), () => undefined, START_TIME_SLACK_MS);
}
