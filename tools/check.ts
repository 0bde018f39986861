#!/usr/bin/env node
/**
 * The one gate of the project: `npm run check`. See `--help`.
 *
 * @module
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { chooseSteps } from "./checking/choose_steps.ts";
import { runSteps } from "./checking/run_steps.ts";
import { checkSteps, type Step } from "./checking/steps.ts";
import { runProcess } from "./run_process.ts";
import { PROJECT_ROOT } from "./source/project_files.ts";

const HELP = `Usage: npm run check
       npm run check -- --only STEP[,STEP…]
       npm run check -- --skip STEP[,STEP…]

Runs every check of the project and stops at the first that fails. With CI=true, or asked for by
name, "agents" is one of them: real agents against a scripted model, for two minutes.

  --only STEP   run these steps and what they need
  --skip STEP   leave these steps out, and what needs them
  --list        print the steps and end
  --help        print this and end
`;

const list = { type: "string", multiple: true, default: [] as string[] } as const;
const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({ options: { only: list, skip: list, list: flag, help: flag } });

const folder = mkdtempSync(join(tmpdir(), "subagent-seam-check-"));
try {
  const manifest = readJson("package.json");
  const name = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
  const steps = checkSteps({
    entries: Object.values<string>(readJson("deno.json").exports),
    tarball: join(folder, name),
    scripts: manifest.scripts,
    withAgents: process.env["CI"] === "true" || names(values.only).includes("agents"),
  });
  if (values.help) process.stdout.write(HELP);
  else if (values.list) { for (const step of steps) say(`${step.name.padEnd(12)} ${step.holds}`); }
  else {
    const chosen = chooseSteps(steps, { only: names(values.only), skip: names(values.skip) });
    const passed = await runSteps(chosen, { run, say, now: () => performance.now() });
    if (!passed) process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run({ command: { command, args } }: Step): Promise<{ passed: boolean; output: string }> {
  // oxlint finds its type-aware part only on the path.
  const path = `${join(PROJECT_ROOT, "node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, PATH: path, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const { exitCode, timedOut, output } = await runProcess(command, args, { cwd: PROJECT_ROOT, env });
  return {
    passed: exitCode === 0,
    output: timedOut ? `${output}\nIt took too long and was ended\n` : output,
  };
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, path), "utf8"));
}

function names(values: readonly string[]): string[] {
  return values.flatMap((value) => value.split(",")).filter((name) => name !== "");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
