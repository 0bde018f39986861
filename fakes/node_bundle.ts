/**
 * Makes a TypeScript program startable by any Node: one bundled file. Loading a transpiler in each child
 * (`node --import tsx`) costs about 400 ms a start; a bundle costs nothing.
 *
 * Development only. esbuild comes with tsx; an installed package has plain JavaScript and does not get here.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
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
 * Bundles a program, once in a process; packages stay imports.
 *
 * @param entry Its `.ts` file.
 * @returns Path of the bundle. It is named after all that is in it, so it is never an old one. It lies under
 * `node_modules`, where its package imports resolve, with an inline source map, so that coverage and stack traces name
 * the sources.
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
  const name = basename(path, ".ts");
  const folder = join(packagesOf(path), ".cache", "subagent-programs");
  const [output] = esbuild().buildSync({
    entryPoints: [path],
    absWorkingDir: dirname(path),
    outfile: join(folder, `${name}.mjs`),
    write: false,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    logLevel: "silent",
  }).outputFiles;
  const contents = output?.contents ?? new Uint8Array();
  const hash = createHash("sha256").update(contents).digest("hex").slice(0, 16);
  const file = join(folder, `${name}-${hash}.mjs`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Several test processes may get here at once; a rename makes each see the whole file or none.
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, contents);
  renameSync(partial, file);
  return file;
}

/** The nearest folder of packages above a file. */
function packagesOf(path: string): string {
  for (let folder = dirname(path);; folder = dirname(folder)) {
    const packages = join(folder, "node_modules");
    if (existsSync(packages)) return packages;
    if (dirname(folder) === folder) throw new Error(`Cannot bundle ${path}: no node_modules above it`);
  }
}

function esbuild(): Esbuild {
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve("tsx"))("esbuild") as Esbuild;
}
