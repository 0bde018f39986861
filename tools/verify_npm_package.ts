#!/usr/bin/env node
/**
 * Installs a packed tarball into an empty project and uses it as people do: `import`, `require()`, types, Deno, Bun,
 * the command. `tsx tools/verify_npm_package.ts TARBALL`.
 *
 * @module
 */

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, resolve } from "node:path";
import { npmCommand } from "./npm_command.ts";
import { packageBin, type ProgramCommand } from "./package_bin.ts";
import { LOADED_PROGRAM, namesPrograms, TYPE_CHECKS, TYPED_PROGRAM } from "./packaging/package_consumers.ts";
import { readTar } from "./packaging/read_tar.ts";
import { strayFileViolations } from "./packaging/upload_rules.ts";
import { runProcess } from "./run_process.ts";
import { moduleFacts } from "./source/module_facts.ts";
import { PROJECT_ROOT } from "./source/project_files.ts";

const NODE: ProgramCommand = { command: "node", args: [] };
const DENO = packageBin("deno");
const BUN = packageBin("bun");

const tarball = resolve(process.argv[2] ?? "");
const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));
const project = mkdtempSync(join(tmpdir(), "subagent-seam-package-"));
try {
  verifyContents();
  await install();
  await verifyPrograms();
  await verifyTypes();
  await verifyCommands();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** No test, nothing of the workshop, and every map leads to a source that is there. */
function verifyContents(): void {
  const files = new Map(
    [...readTar(readFileSync(tarball))].map(([path, text]) => [path.replace(/^package\//, ""), text]),
  );
  const published = [...manifest.files, "package.json", "README.md", "LICENSE"].filter((entry) =>
    !entry.startsWith("!")
  );
  const violations = strayFileViolations(files.keys(), published);
  for (const [path, text] of files) {
    if (!path.endsWith(".map")) continue;
    for (const source of JSON.parse(text).sources) {
      const target = posix.join(posix.dirname(path), source);
      if (!files.has(target)) violations.push(`${path} names "${target}", which is not in the package`);
    }
  }
  for (const path of ["LICENSE", "dist/mod.js", "dist/mod.d.ts", "mod.ts"]) {
    if (!files.has(path)) violations.push(`The package has no ${path}`);
  }
  if (violations.length > 0) throw new Error(violations.join("\n"));
  say(`contents: ${files.size} files`);
}

/** Takes what it can from npm's cache. The types of Node are what a host written in TypeScript has. */
async function install(): Promise<void> {
  write("package.json", JSON.stringify({ name: "consumer", private: true }));
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm install", npmCommand(), [
    "install",
    ...flags,
    tarball,
    `@types/node@${manifest.devDependencies["@types/node"]}`,
  ]);
}

/** All exports are there in each module system and runtime, and importing loads neither processes nor the ACP SDK. */
async function verifyPrograms(): Promise<void> {
  const { exports } = JSON.parse(readFileSync(join(PROJECT_ROOT, "deno.json"), "utf8"));
  for (const [path, source] of Object.entries<string>(exports)) {
    const specifier = posix.join(manifest.name, path);
    const { listedExports } = moduleFacts(readFileSync(join(PROJECT_ROOT, source), "utf8"));
    const names = listedExports.filter(({ typeOnly }) => !typeOnly).map(({ name }) => name).sort().join("\n");
    for (const [file, program] of Object.entries(namesPrograms(specifier))) {
      write(file, program);
      await expectOutput(`${specifier} node ${file}`, NODE, [file], names);
    }
    await expectOutput(
      `${specifier} deno`,
      DENO,
      ["run", "--allow-env", "--allow-read", "import.mjs"],
      names,
    );
    await expectOutput(`${specifier} bun`, BUN, ["import.mjs"], names);
  }
  write("loaded.mjs", LOADED_PROGRAM);
  await expectOutput("no process module at import", NODE, ["loaded.mjs"], "");
  const sdk = join(project, "node_modules/@agentclientprotocol");
  renameSync(sdk, `${sdk}-away`);
  await expectOutput("no ACP SDK at import", NODE, ["loaded.mjs"], "");
  renameSync(`${sdk}-away`, sdk);
}

/** The types check for hosts on both module resolutions, libraries included. */
async function verifyTypes(): Promise<void> {
  for (const [name, options] of Object.entries(TYPE_CHECKS)) {
    write(`${name}/host.mts`, TYPED_PROGRAM);
    const common = {
      target: "ES2022",
      lib: ["ES2022"],
      types: ["node"],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    write(
      `${name}/tsconfig.json`,
      JSON.stringify({ compilerOptions: { ...common, ...options }, include: ["host.mts"] }),
    );
    await run(`types ${name}`, packageBin("tsc", "typescript"), ["-p", name]);
  }
}

/** Each command of the package explains itself. */
async function verifyCommands(): Promise<void> {
  for (const command of Object.keys(manifest.bin)) {
    const { stdout } = await run(`${command} --help`, npmCommand(), [
      "exec",
      "--offline",
      "--",
      command,
      "--help",
    ]);
    if (!stdout.includes(command)) {
      throw new Error(`"${command} --help" does not name its command: ${stdout}`);
    }
  }
}

async function expectOutput(
  name: string,
  program: ProgramCommand,
  args: readonly string[],
  expected: string,
): Promise<void> {
  const { output } = await run(name, program, args);
  if (output.trim() !== expected) throw new Error(`${name}: expected\n${expected}\ngot\n${output}`);
}

async function run(
  name: string,
  { command, args: first }: ProgramCommand,
  args: readonly string[],
): Promise<{ stdout: string; output: string }> {
  const started = Date.now();
  const env = { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const result = await runProcess(command, [...first, ...args], { cwd: project, env, timeoutMs: 180_000 });
  if (result.exitCode !== 0) {
    throw new Error(`${name} ended with ${result.exitCode ?? result.signal}\n${result.output}`);
  }
  say(`${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

function write(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
