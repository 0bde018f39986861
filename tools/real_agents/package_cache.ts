/**
 * Packages from the npm registry, in a cache folder of their own, outside of `node_modules`.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runProcess } from "../run_process.ts";

/** What to install. */
export interface PackageSet {
  /** Name of the set, part of the folder's name. */
  readonly name: string;
  /** npm packages with exact versions. */
  readonly install: readonly string[];
}

/** Where the packages are. */
export interface InstalledPackages {
  /** The folder that holds `node_modules`. */
  readonly folder: string;
  /** How long the installation took, in milliseconds; undefined when it was there already. */
  readonly installMs: number | undefined;
}

/** The folder that all sets are installed under. */
export function cacheRoot(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "subagent-seam", "agents");
}

/** The folder of one set: another list of packages is another folder. */
export function cacheFolder({ name, install }: PackageSet, root: string): string {
  const digest = createHash("sha256").update(JSON.stringify(install)).digest("hex");
  return join(root, `${name}-${digest.slice(0, 12)}`);
}

/**
 * Installs packages unless they are installed already. Scripts of packages do not run: no recipe needs one.
 *
 * The folder gets its name only after npm succeeded, so that what has the name is whole, also when two runs install the
 * same set at once.
 *
 * @throws {Error} If npm fails; the message holds the end of its output.
 */
export async function installPackages(
  set: PackageSet,
  root: string = cacheRoot(),
): Promise<InstalledPackages> {
  const folder = cacheFolder(set, root);
  if (existsSync(folder)) return { folder, installMs: undefined };
  await mkdir(root, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.unfinished-`);
  const started = performance.now();
  try {
    await writeFile(join(unfinished, "package.json"), JSON.stringify({ private: true }));
    await runNpm([...INSTALL, ...set.install], unfinished);
    await renameUnlessThere(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return { folder, installMs: Math.round(performance.now() - started) };
}

const INSTALL = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

async function runNpm(args: readonly string[], cwd: string): Promise<void> {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { exitCode, output } = await runProcess(npm, args, { cwd, env: withoutNpmRun(process.env) });
  if (exitCode !== 0) throw new Error(`npm ${args.join(" ")} failed in "${cwd}":\n${output.slice(-2_000)}`);
}

/** `npm run` tells its scripts where the project is; an npm under it must not take that for its own folder. */
function withoutNpmRun(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^npm_(package|lifecycle|config_local_prefix)/.test(name)),
  );
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // Another run was faster; its folder is as good.
    if (!["ENOTEMPTY", "EEXIST"].includes((error as { code?: string }).code ?? "")) throw error;
  }
}
