/**
 * The built-in process host: children of this process, through `node:child_process` of Node, Deno or Bun.
 *
 * @module
 */
import type { ChildProcess } from "node:child_process";
import { childEnvironment } from "./child_environment.ts";
import { NodeChild } from "./node_child.ts";
import { localSystem, type NodeSystem } from "./node_system.ts";
import type { ProcessHandle, ProcessHost, ProcessSpec } from "./port.ts";
import { startError } from "./start_error.ts";
import { windowsCommand } from "./windows_command.ts";

/** What may be set about the built-in process host. */
export interface NodeProcessHostOptions {
  /** How long the pipes of a tree that is gone may take to empty, in milliseconds. @default {250} */
  readonly drainMs?: number;
}

/**
 * Makes a host that runs children on this machine.
 *
 * Each child leads its own process group (not on Windows) and carries a marker in its environment, so that its whole
 * tree is found again. It inherits this process's environment without the credentials; see
 * {@linkcode childEnvironment}. The trees that are alive when this process exits are killed.
 *
 * Deno needs `--allow-run` without a list to send signals, and `--allow-all` to see the environment of processes, which
 * is what finds a descendant that left its group and lost its parent.
 */
export function nodeProcessHost(options: NodeProcessHostOptions = {}): ProcessHost {
  return processHostOn(localSystem, options);
}

/** Makes a host that runs children on a machine, which is asked for at each start. */
export function processHostOn(
  system: () => NodeSystem,
  { drainMs = 250 }: NodeProcessHostOptions = {},
): ProcessHost {
  return { spawn: (spec) => spawnChild(spec, system, drainMs) };
}

async function spawnChild(
  spec: ProcessSpec,
  getSystem: () => NodeSystem,
  drainMs: number,
): Promise<ProcessHandle> {
  try {
    const system = getSystem();
    const marker = system.newTreeId();
    return await NodeChild.adopt(spawnProcess(spec, system, marker), { spec, system, marker, drainMs });
  } catch (cause) {
    throw startError(cause, spec.cwd);
  }
}

function spawnProcess(spec: ProcessSpec, system: NodeSystem, marker: string): ChildProcess {
  const { platform, childProcess, windowsFiles } = system;
  const env = childEnvironment({ inherited: system.environment(), explicit: spec.env, platform, marker });
  const windows = platform === "win32";
  const { command, args } = windows
    ? windowsCommand(spec, { cwd: spec.cwd, environment: env, files: windowsFiles })
    : spec;
  return childProcess.spawn(command, args, {
    cwd: spec.cwd,
    env,
    detached: !windows, // its own group and session; on Windows it would be a console window of its own
    windowsHide: true,
    stdio: ["pipe", "pipe", typeof spec.stderr === "function" ? "pipe" : spec.stderr],
  });
}
