/**
 * A fresh home and a fresh working directory for one start of an agent, and what to start.
 *
 * @module
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import type { Recipe } from "../../conformance/recipe.ts";
import { fillPlaceholders } from "./placeholders.ts";

/** An agent whose packages are installed. */
export interface InstalledAgent {
  readonly recipe: Recipe;
  /** The folder that holds its `node_modules`. */
  readonly folder: string;
  /** Absolute path of the Node.js that it runs on. */
  readonly node: string;
}

/** What to start, and where. Whoever made it disposes of it. */
export interface AgentLaunch extends AsyncDisposable {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment, by name; `undefined` removes what the starting process has. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that holds all others; it goes with the launch. */
  readonly root: string;
  /** The empty working directory. */
  readonly cwd: string;
}

/** Makes the folders and writes the recipe's files. */
export async function prepareLaunch(
  { recipe, folder, node }: InstalledAgent,
  url: string,
): Promise<AgentLaunch> {
  const root = await mkdtemp(join(tmpdir(), `agent-${recipe.name}-`));
  const [home, cwd, temp] = ["home", "work", "tmp"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [home, cwd, temp]) await mkdir(made);
  const path = [dirname(node), ...ordinaryPath()].join(delimiter);
  const values = { URL: url, HOME: home, CACHE: folder, NODE: node, NODE_DIR: dirname(node), PATH: path };
  const { command, args, env, files } = fillPlaceholders(recipe, values);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
  return {
    command,
    args,
    env: { ...withoutInherited(), PATH: path, HOME: home, TMPDIR: temp, LANG: "C.UTF-8", ...env },
    root,
    cwd,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The search path without what `npm run` put in front. */
function ordinaryPath(): string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.filter((folder) => !/[/\\](node_modules[/\\]\.bin|node-gyp-bin)$/.test(folder));
}

function withoutInherited(): Record<string, undefined> {
  return Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
}
