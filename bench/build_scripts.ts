/**
 * Builds what is measured: the library as it is published, JavaScript for plain Node, with the scripts that use it beside
 * it. A loader of TypeScript in the measured process would cost more than most of the work.
 *
 * @module
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packageBin } from "../tools/package_bin.ts";
import { runProcess } from "../tools/run_process.ts";
import { PROJECT_ROOT } from "../tools/source/project_files.ts";

/** A build. */
export interface BuiltScripts {
  /** Path of a built script, named from `bench/` without its extension. */
  path(script: string): string;
  /** Deletes the build. */
  remove(): Promise<void>;
}

/**
 * Compiles the library and the scripts of `bench/` into a folder of their own, below `node_modules`, where imports of
 * packages resolve as they do for `dist/`.
 *
 * @throws {Error} When the compiler finds an error; the message has its output.
 */
export async function buildScripts(): Promise<BuiltScripts> {
  const cache = join(PROJECT_ROOT, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "subagent-bench-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const { command, args } = packageBin("tsc", "typescript");
  const { exitCode, output } = await runProcess(
    command,
    [...args, "-p", join("bench", "tsconfig.json"), "--outDir", folder],
    { cwd: PROJECT_ROOT },
  );
  if (exitCode !== 0) {
    await remove();
    throw new Error(`Cannot build the library and the scripts of the benchmarks:\n${output}`);
  }
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  return { path: (script) => join(folder, "bench", `${script}.js`), remove };
}
