#!/usr/bin/env node
/**
 * Builds `dist/`: JavaScript, types and maps of the published sources, and the data files that they read. Runs on
 * every system that Node runs on: no shell commands.
 *
 * @module
 */

import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageBin } from "./package_bin.ts";
import { runProcess } from "./run_process.ts";
import { PROJECT_ROOT, projectFiles } from "./source/project_files.ts";
import { builtDataFiles } from "./packaging/built_data_files.ts";

const dist = join(PROJECT_ROOT, "dist");
rmSync(dist, { recursive: true, force: true });

const { command, args } = packageBin("tsc", "typescript");
const result = await runProcess(command, [...args, "-p", "tsconfig.build.json"], { cwd: PROJECT_ROOT });
process.stdout.write(result.output);

if (result.exitCode === 0) {
  for (const path of builtDataFiles(projectFiles())) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    cpSync(join(PROJECT_ROOT, path), join(dist, path));
  }
  const { bin } = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));
  // npm sets these bits at installation; a clone that links the package to itself has to have them too.
  for (const path of Object.values<string>(bin)) chmodSync(join(PROJECT_ROOT, path), 0o755);
} else {
  process.exitCode = 1;
}
