/**
 * Runs test files in one runtime and judges the run: the runner's verdict, that something ran at all, and that
 * nothing was left behind.
 *
 * @module
 */

import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { runProcess } from "../run_process.ts";
import { PROJECT_ROOT } from "../source/project_files.ts";
import { type Leftover, leftoverProcesses, RUN_VARIABLE, type RunMark } from "./leftover_processes.ts";
import { type Runtime, TEST_ENVIRONMENT, testCommand, type TestCommandOptions } from "./test_command.ts";
import { type TestCounts, testCounts, unexplainedSkips } from "./test_counts.ts";

/** How one run ended. */
export interface TestReport {
  /** How many tests ended how. */
  readonly counts: TestCounts;
  /** Everything that is wrong with the run, one sentence each; empty when it passed. */
  readonly problems: readonly string[];
}

/** What {@linkcode runTests} can be told. */
export interface RunTestsOptions extends Omit<TestCommandOptions, "coverage"> {
  /** Measure coverage, on Node, leaving these paths and patterns out. @default {not measured} */
  readonly coverageWithout?: readonly string[];
  /** After so many milliseconds the run is ended and has failed. @default {1_200_000} */
  readonly timeoutMs?: number;
  /** How long processes may take to end after the run, in milliseconds. @default {3000} */
  readonly leftoverMs?: number;
  /** Receives the runner's output as it comes. @default {nothing} */
  readonly onOutput?: (text: string) => void;
}

/** What runtimes and tools keep in the temp folder for their next start. */
const TOOL_CACHES = /^(?:tsx-.*|node-compile-cache|bun-node-.*|deno.*|v8-coverage)$/;

/** Runs the files, named relative to the project's root or absolutely, and judges the run. */
export async function runTests(
  runtime: Runtime,
  files: readonly string[],
  options: RunTestsOptions = {},
): Promise<TestReport> {
  const { onOutput, timeoutMs, leftoverMs, coverageWithout: exclude, ...commandOptions } = options;
  const run: RunMark = {
    id: randomUUID(),
    folder: realpathSync(mkdtempSync(join(tmpdir(), "subagent-seam-test-"))),
  };
  try {
    const { command, args } = testCommand(runtime, files, {
      ...commandOptions,
      ...(exclude && { coverage: { exclude, folder: join(run.folder, "v8-coverage") } }),
    });
    const result = await runProcess(command, args, {
      cwd: PROJECT_ROOT,
      env: testEnvironment(run, options.node),
      ...(onOutput && { onOutput }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const counts = testCounts(runtime, result.output);
    const problems: string[] = [];
    if (result.timedOut) problems.push("The run took too long and was ended");
    else if (result.exitCode !== 0) {
      problems.push(`${runtime} ended with ${result.exitCode ?? result.signal}`);
    }
    if (counts.passed + counts.failed === 0) problems.push("No test ran");
    problems.push(
      ...unexplainedSkips(result.output).map((name) => `A test is skipped without a reason: ${name}`),
    );
    const leftovers = await leftoverProcesses(run, leftoverMs);
    problems.push(...leftovers.map(describeLeftover));
    end(leftovers);
    if (leftovers.length > 0) await leftoverProcesses(run, leftoverMs);
    const leftFiles = readdirSync(run.folder).filter((name) => !TOOL_CACHES.test(name));
    problems.push(...leftFiles.map((name) => `A test left "${name}" in the temp folder`));
    return { counts, problems };
  } finally {
    if (existsSync(run.folder)) rmSync(run.folder, { recursive: true, force: true });
  }
}

/** The environment of the run: its mark, its own temp folder, and the chosen Node first on the path. */
function testEnvironment(run: RunMark, node: string | undefined): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = {
    ...process.env,
    ...TEST_ENVIRONMENT,
    [RUN_VARIABLE]: run.id,
  };
  // Set in a Node test file; a runner started from there would believe that it is one more file and run nothing.
  delete env["NODE_TEST_CONTEXT"];
  env["TMPDIR"] = env["TEMP"] = env["TMP"] = run.folder;
  if (node !== undefined && isAbsolute(node)) {
    env["PATH"] = `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`;
  }
  if (!process.stdout.isTTY) env["NO_COLOR"] = "1";
  return env;
}

function describeLeftover({ process, reason }: Leftover): string {
  return `A test left process ${process.pid} behind, which ${reason}: ${
    process.argv.join(" ").slice(0, 300)
  }`;
}

/** Ends what the run left, so that it cannot disturb the next one. */
function end(leftovers: readonly Leftover[]): void {
  for (const { process: { pid } } of leftovers) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as { code?: string }).code !== "ESRCH") throw error;
    }
  }
}
