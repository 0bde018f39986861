/**
 * Descendants that sleep, for tests of process trees.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import type { SpawnStep } from "./life_step.ts";
import { type Context, idleUntil } from "./context.ts";

const POLL_MS = 2;

/** Starts a descendant and waits until its pid stands in the file. */
export async function startDescendant(step: SpawnStep, context: Context): Promise<void> {
  const { how, pidFile, seconds = 60, holdStdout = false, ignoreSigterm = false, clearEnv = false } = step;
  // The pid file appears whole or not at all. `exec` keeps the pid; an ignored signal stays ignored through it.
  const sleeper = `${
    ignoreSigterm ? "trap '' TERM; " : ""
  }echo $$ > "$1.part" && mv "$1.part" "$1" && exec sleep "$2"`;
  const inBackground = `sh -c '${sleeper.replaceAll("'", `'\\''`)}' sh "$1" "$2" & exit 0`;
  const child = spawn("/bin/sh", [
    "-c",
    how === "daemon" ? inBackground : sleeper,
    "sh",
    pidFile,
    String(seconds),
  ], {
    detached: how !== "plain",
    stdio: ["ignore", holdStdout ? "inherit" : "ignore", "ignore"],
    env: clearEnv ? { PATH: "/usr/bin:/bin" } : process.env,
  });
  child.unref();
  const failed = new Promise<never>((_, reject) => child.on("error", reject));
  await idleUntil(context, Promise.race([failed, appears(pidFile)]));
}

async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((fulfil) => setTimeout(fulfil, POLL_MS));
}
