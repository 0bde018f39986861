/**
 * One library in one scenario, once: in a process and a working folder of its own, bounded, and cleaned up behind.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import process from "node:process";
import { scriptedAgent } from "../../fakes/launch.ts";
import { readProcesses } from "../../tools/real_agents/read_processes.ts";
import type { DriverOptions, DriverReport } from "./drivers/driver.ts";
import { recordPath, type Scenario } from "./scenarios.ts";

/** What runs a driver. */
export interface CellOptions {
  /** The scenario. */
  readonly scenario: Scenario;
  /** Path of the built driver. */
  readonly driver: string;
  /** Folder whose `node_modules` holds the library. */
  readonly packages: string;
  /** The Node that runs the driver. */
  readonly node: string;
}

/** What one run showed. */
export interface CellResult {
  /** The driver's report; undefined when it ended without one. */
  readonly report: DriverReport | undefined;
  /** How the driver ended that gave no report. */
  readonly fate: string | undefined;
  /** How many processes were left, some time after the library said it was done. */
  readonly left: number;
}

/** Bound of closing, in milliseconds: longer than every library's own grace periods together. */
const CLOSE_MS = 30_000;
/** How long what a library ends without waiting for it may take to be gone, in milliseconds. */
const LINGER_MS = 10_000;
const POLL_MS = 100;

/** Runs one cell. Whatever it leaves behind has ended when this fulfils. Linux only: it reads /proc. */
export async function runCell({ scenario, driver, packages, node }: CellOptions): Promise<CellResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "subagent-bench-peer-")));
  const options: DriverOptions = {
    agent: scriptedAgent(scenario.script(folder)),
    packages,
    answer: scenario.answer,
    times: scenario.times ?? 1,
    turnMs: scenario.turnMs,
    closeMs: CLOSE_MS,
    ...(scenario.cancels ? { cancelWhenPrompted: recordPath(folder) } : {}),
  };
  const child = spawn(node, [driver, JSON.stringify(options)], {
    cwd: folder,
    env: { ...process.env, HOME: folder }, // where a library may keep what it likes
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => stderr = (stderr + text).slice(-500));
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    const report = await reportOf(child, scenario.turnMs + CLOSE_MS + LINGER_MS);
    const deadline = performance.now() + LINGER_MS;
    while (leftIn(folder, child.pid).length > 0 && performance.now() < deadline) await sleep(POLL_MS);
    const left = leftIn(folder, child.pid).length;
    const fate = report === undefined ? `no report; stderr ends with ${JSON.stringify(stderr)}` : undefined;
    return { report, fate, left };
  } finally {
    if (child.connected) child.disconnect();
    await Promise.race([exit, sleep(2_000)]);
    for (let pids = leftIn(folder); pids.length > 0; pids = leftIn(folder)) {
      for (const pid of pids) killQuietly(pid);
      await sleep(POLL_MS);
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** The driver's report; undefined when it exits or takes too long without one. */
function reportOf(child: ChildProcess, boundMs: number): Promise<DriverReport | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), boundMs);
    const settle = (report: DriverReport | undefined) => {
      clearTimeout(timer);
      resolve(report);
    };
    child.once("message", (message) => settle(message as DriverReport));
    child.once("exit", () => settle(undefined));
  });
}

/** Living processes that work in the folder, which nothing but this cell knows. */
function leftIn(folder: string, except?: number): number[] {
  return readProcesses()
    .filter(({ pid, cwd }) => pid !== except && (cwd === folder || cwd.startsWith(folder + sep)))
    .map(({ pid }) => pid);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Ended meanwhile.
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
