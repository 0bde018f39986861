/**
 * The steps of the gate, as data.
 *
 * @module
 */

import { join } from "node:path";
import { npmCommand } from "../npm_command.ts";
import { packageBin, type ProgramCommand } from "../package_bin.ts";

/** One step of the gate. */
export interface Step {
  /** Its name on the command line and in the report. */
  readonly name: string;
  /** What it holds, in a few words. */
  readonly holds: string;
  /** The command; exit code 0 passes. */
  readonly command: ProgramCommand;
  /** Steps that must have passed before; they are run even when only this one is asked for. @default {[]} */
  readonly needs?: readonly string[];
  /** True when it measures time or uses both cores, so nothing runs beside it. @default {false} */
  readonly alone?: boolean;
  /** Picks the lines of its output that are shown when it passes. @default {none} */
  readonly shows?: RegExp;
}

/** What the steps depend on. */
export interface StepContext {
  /** The modules that are published, from the exports of deno.json. */
  readonly entries: readonly string[];
  /** The tarball that the package steps share; the step `pack` writes it. */
  readonly tarball: string;
  /** Scripts of package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Whether the real agents are driven too: in CI, and where somebody asks for them. */
  readonly withAgents: boolean;
}

/** Node's closing lines, Deno's and Bun's, ours, and c8's total: whoever reads the report sees that tests ran. */
const TEST_LINES = /^ℹ |^(?:ok|FAILED) \| | pass$| fail$|^(?:node|deno|bun): \d|^All files/;

/** Gives the steps in order: cheap ones first, so that a typo does not cost the tests' time. */
export function checkSteps({ entries, tarball, scripts, withAgents }: StepContext): Step[] {
  const steps: Step[] = [
    { name: "format", holds: "deno fmt", command: bin("deno", ["fmt", "--check"]) },
    { name: "lint", holds: "deno lint, recommended and JSR rules", command: bin("deno", ["lint"]) },
    {
      name: "promises",
      holds: "oxlint, promises by types",
      command: bin("oxlint", ["--type-aware", "--deny-warnings"]),
    },
    {
      name: "types",
      holds: "tsc over the whole tree",
      command: tool("typescript", "tsc", ["-p", "tsconfig.json"]),
    },
    {
      name: "deno-types",
      holds: "deno check of the entry points",
      command: bin("deno", ["check", ...entries]),
    },
    {
      name: "docs",
      holds: "every public symbol documented",
      command: bin("deno", ["doc", "--lint", ...entries]),
    },
    tests("node", ["--coverage"], "tests on Node with coverage thresholds"),
    tests("deno", [], "tests on Deno"),
    tests("bun", [], "tests on Bun"),
    {
      name: "test-newer",
      holds: "tests that need a newer Node",
      alone: true,
      shows: TEST_LINES,
      command: script("tools/newer_node.ts"),
    },
    { name: "build", holds: "dist/", command: script("tools/build.ts") },
    {
      name: "pack",
      holds: "the npm tarball",
      needs: ["build"],
      command: npm(["pack", "--silent", "--ignore-scripts", "--pack-destination", join(tarball, "..")]),
    },
    {
      name: "publint",
      holds: "package.json as bundlers read it",
      needs: ["pack"],
      command: bin("publint", ["run", tarball, "--strict"]),
    },
    {
      name: "attw",
      holds: "types as resolvers find them",
      needs: ["pack"],
      command: tool("@arethetypeswrong/cli", "attw", [
        tarball,
        "--profile",
        "esm-only",
        "--no-definitely-typed",
        "--no-color",
        "--no-emoji",
      ]),
    },
    {
      name: "npm-package",
      holds: "the package installed and used",
      needs: ["pack"],
      command: script("tools/verify_npm_package.ts", [tarball]),
    },
    {
      name: "jsr",
      holds: "deno publish, dry run",
      command: bin("deno", ["publish", "--dry-run", "--allow-dirty"]),
    },
    {
      name: "jsr-upload",
      holds: "what JSR would get",
      command: script("tools/verify_jsr_upload.ts"),
      shows: /bytes$/,
    },
    {
      name: "readme",
      holds: "every block of the README runs",
      command: bin("deno", ["test", "--allow-all", "--doc", "README.md"]),
      shows: TEST_LINES,
    },
  ];
  if (withAgents) {
    steps.push({
      name: "agents",
      holds: "real agents against a scripted model",
      alone: true,
      shows: /^\d+ passed/,
      command: "test:agents" in scripts
        ? npm(["run", "--silent", "test:agents", "--", "--ci"])
        : missing("test:agents"),
    });
  }
  return steps;
}

function tests(runtime: string, args: readonly string[], holds: string): Step {
  return {
    name: `test-${runtime}`,
    holds,
    alone: true,
    shows: TEST_LINES,
    command: script("tools/test.ts", [runtime, ...args]),
  };
}

function bin(name: string, args: readonly string[]): ProgramCommand {
  return tool(name, name, args);
}

function tool(packageName: string, name: string, args: readonly string[]): ProgramCommand {
  const { command, args: first } = packageBin(name, packageName);
  return { command, args: [...first, ...args] };
}

function script(path: string, args: readonly string[] = []): ProgramCommand {
  return { command: "node", args: ["--import", "tsx", path, ...args] };
}

function npm(args: readonly string[]): ProgramCommand {
  const { command, args: first } = npmCommand();
  return { command, args: [...first, ...args] };
}

function missing(name: string): ProgramCommand {
  return {
    command: "node",
    args: ["-e", `console.error('package.json has no script "${name}"'); process.exit(1)`],
  };
}
