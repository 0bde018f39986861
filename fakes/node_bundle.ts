/**
 * Makes a TypeScript entry point startable by any Node: one bundled file, made once per state of the sources. Loading
 * a transpiler in each child (`node --import tsx`) costs about 400 ms a start; a bundle costs nothing.
 *
 * Development only. esbuild comes with tsx; an installed package has plain JavaScript and does not get here.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The little of esbuild that is used. */
interface Esbuild {
  buildSync(options: Readonly<Record<string, unknown>>): {
    readonly outputFiles: readonly { readonly contents: Uint8Array }[];
  };
}

/**
 * Bundles an entry point; packages stay imports.
 *
 * @param entry A `.ts` file in this folder; what it imports lies in the folder of the same name, or is a package.
 * @returns Path of the bundle. It lies under `node_modules`, where its package imports resolve, with an inline source
 * map, so that coverage and stack traces name the sources.
 */
export function bundleForNode(entry: URL): string {
  const path = fileURLToPath(entry);
  const made = bundles.get(path) ?? makeBundle(path);
  bundles.set(path, made);
  return made;
}

/** Bundles of this process by entry point. */
const bundles: Map<string, string> = new Map();

function makeBundle(path: string): string {
  const folder = join(dirname(path), "..", "node_modules", ".cache", "subagent-fakes");
  const outfile = join(folder, `${basename(path, ".ts")}-${hashOfSources(path)}.mjs`);
  if (existsSync(outfile)) return outfile;
  const [output] = esbuild().buildSync({
    entryPoints: [path],
    outfile,
    write: false,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    logLevel: "silent",
  }).outputFiles;
  mkdirSync(folder, { recursive: true });
  // Several test processes may get here at once; a rename makes each see the whole file or none.
  const partial = `${outfile}.${process.pid}`;
  writeFileSync(partial, output?.contents ?? "");
  renameSync(partial, outfile);
  return outfile;
}

/** Hashes an entry point and the folder of its name. */
function hashOfSources(path: string): string {
  const hash = createHash("sha256").update(readFileSync(path));
  const folder = path.replace(/\.ts$/, "");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const name of names) {
    if (!name.endsWith("_test.ts")) hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest("hex").slice(0, 16);
}

function esbuild(): Esbuild {
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve("tsx"))("esbuild") as Esbuild;
}
