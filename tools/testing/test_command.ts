/**
 * The command that runs test files in each runtime.
 *
 * @module
 */

import { isAbsolute } from "node:path";
import { packageBin, type ProgramCommand } from "../package_bin.ts";

/** The runtimes that the tests must pass in. */
export type Runtime = "node" | "deno" | "bun";

/** All of {@linkcode Runtime}. */
export const RUNTIMES: readonly Runtime[] = ["node", "deno", "bun"];

/** How Node gets rid of the types: through tsx, or by itself (Node 22.18 and later). */
export type NodeLoader = "tsx" | "native";

/** What c8 is told besides its configuration file. */
export interface CoverageOptions {
  /** Patterns and paths that do not count. */
  readonly exclude: readonly string[];
  /** Where raw coverage lies meanwhile: half a gigabyte. */
  readonly folder: string;
}

/** What {@linkcode testCommand} is asked for. */
export interface TestCommandOptions {
  /** Measure coverage with c8 and hold its thresholds; Node with tsx only. @default {not measured} */
  readonly coverage?: CoverageOptions;
  /** The Node program. @default {"node"} */
  readonly node?: string;
  /** How Node reads TypeScript. @default {"tsx"} */
  readonly loader?: NodeLoader;
}

/** Bounds a whole file on Node 20, not one test; Bun's default of 5 s for one test is too short for process trees. */
const TIMEOUT_MS = 120_000;

/** Node's own default, one fewer than the cores, would leave a core of a small machine idle. */
const FILES_AT_ONCE = 2;

/** Gives the command that runs `files`. */
export function testCommand(
  runtime: Runtime,
  files: readonly string[],
  { coverage, node = "node", loader = "tsx" }: TestCommandOptions = {},
): ProgramCommand {
  switch (runtime) {
    case "node": {
      // Node 20 prints TAP on a pipe unless told otherwise, and knows no patterns: files are named one by one.
      const test = [
        ...(loader === "tsx" ? ["--import", "tsx"] : []),
        "--test",
        `--test-timeout=${TIMEOUT_MS}`,
        `--test-concurrency=${FILES_AT_ONCE}`,
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        ...files,
      ];
      if (coverage === undefined) return { command: node, args: test };
      const exclude = coverage.exclude.map((pattern) => `--exclude=${pattern}`);
      const c8 = [...packageBin("c8").args, `--temp-directory=${coverage.folder}`, ...exclude];
      return { command: node, args: [...c8, node, ...test] };
    }
    case "deno": {
      const { command, args } = packageBin("deno");
      return { command, args: [...args, "test", "--allow-all", "--parallel", ...files] };
    }
    case "bun": {
      const { command, args } = packageBin("bun");
      // Without ./ Bun takes a relative path for a filter over all files.
      return {
        command,
        args: [
          ...args,
          "test",
          `--timeout=${TIMEOUT_MS}`,
          ...files.map((file) => isAbsolute(file) ? file : `./${file}`),
        ],
      };
    }
  }
}

/** Variables that belong to the command: Deno's parallelism is set by one. */
export const TEST_ENVIRONMENT: Readonly<Record<string, string>> = { DENO_JOBS: String(FILES_AT_ONCE) };
