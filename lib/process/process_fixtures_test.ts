/**
 * What the tests of real processes share. It holds no test itself.
 *
 * Every process of a fixture carries a token in its arguments, so that the tests find it by another way than the code
 * under test does, whatever became of its parent, group, session or environment. The token is a duration: what `sleep`
 * gets as its argument, and the end of every fixture that a test could not end.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeProcessHost } from "./node_process_host.ts";
import type { ProcessHandle, ProcessHost, ProcessSpec } from "./port.ts";

/** How long a test waits for an event before it fails, in milliseconds. */
export const DEADLINE_MS = 10_000;

const tokens = new Set<string>();
const folders = new Set<string>();

/** Makes the token of one fixture: 20 seconds and a fraction that nobody else uses. */
export function newToken(): string {
  const token = `20.0${Array.from({ length: 12 }, () => Math.floor(Math.random() * 10)).join("")}1`;
  tokens.add(token);
  return token;
}

/** The live processes with a token in their arguments; zombies have no arguments. */
export function processesOf(token: string): number[] {
  return spawnSync("ps", ["-axo", "pid=,args="], { encoding: "utf8" }).stdout.split("\n")
    .filter((line) => line.includes(token))
    .map((line) => Number.parseInt(line, 10));
}

/** Polls until a condition holds; fails at the deadline. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Gave up waiting: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Ends what the fixtures of a test left behind, by pid, and removes its folders. For `afterEach`. */
export function cleanUp(): void {
  for (const token of tokens) {
    for (const pid of processesOf(token)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it ended by itself
      }
    }
  }
  tokens.clear();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** Makes a folder that {@linkcode cleanUp} removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "subagent-process-"));
  folders.add(folder);
  return folder;
}

/** Writes a file into a fresh temporary folder; its path. */
export function temporaryFile(name: string, text: string, mode = 0o644): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text, { mode });
  return path;
}

/** What may be different about a child. */
export interface FixtureOptions extends Partial<ProcessSpec> {
  /** What starts it. */
  readonly host?: ProcessHost;
}

/** A child with what it wrote. */
export interface Fixture {
  /** Its handle. */
  readonly handle: ProcessHandle;
  /** Its stdout so far. */
  output(): string;
  /** How often the end of its stdout was reported. */
  ends(): number;
  /** Waits until it wrote something. */
  wrote(text: string): Promise<void>;
}

/** Starts a child. */
export async function startFixture(
  command: string,
  args: readonly string[],
  { host = nodeProcessHost(), ...spec }: FixtureOptions = {},
): Promise<Fixture> {
  let output = "";
  let ends = 0;
  const decoder = new TextDecoder();
  const handle = await host.spawn({
    command,
    args,
    cwd: process.cwd(),
    env: {},
    stderr: "ignore",
    stdout: {
      data: (chunk) => output += decoder.decode(chunk, { stream: true }),
      end: () => ends++,
    },
    ...spec,
  });
  return {
    handle,
    output: () => output,
    ends: () => ends,
    wrote: (text) => until(() => output.includes(text), `the child to write ${JSON.stringify(text)}`),
  };
}

/** Starts a shell script; its `$0` is the token. */
export function startShell(script: string, token: string, options: FixtureOptions = {}): Promise<Fixture> {
  return startFixture("sh", ["-c", script, token], options);
}
