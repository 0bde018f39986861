/**
 * The real program in a process of its own, for its tests. It holds no test itself.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

let words: readonly string[] | undefined;

/** The words that start the program under the runtime that runs the test. */
export function programWords(): readonly string[] {
  return words ??= findProgram();
}

function findProgram(): readonly string[] {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const versions: Readonly<Record<string, string | undefined>> = process.versions;
  if (versions["deno"] !== undefined) return [process.execPath, "run", "-A", "--quiet", main];
  if (versions["bun"] !== undefined) return [process.execPath, main];
  return [process.execPath, bundled(main)];
}

/**
 * Bundles the program for Node, which would load a transpiler for a second at each start otherwise. The inline source
 * map makes coverage name the sources. The file is named after what is in it, so it is never an old one; it lies under
 * `node_modules`, where its imports of packages resolve.
 */
function bundled(main: string): string {
  const require = createRequire(main);
  const { buildSync } = createRequire(require.resolve("tsx"))("esbuild");
  const folder = fileURLToPath(new URL("../../node_modules/.cache/subagent-cli/", import.meta.url));
  const { outputFiles: [{ contents }] } = buildSync({
    entryPoints: [main],
    outfile: join(folder, "main.mjs"),
    write: false,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    logLevel: "silent",
  });
  const path = join(folder, `main-${createHash("sha256").update(contents).digest("hex").slice(0, 16)}.mjs`);
  mkdirSync(folder, { recursive: true });
  // Test processes may get here at once; a rename makes each see the whole file or none.
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, contents);
  renameSync(partial, path);
  return path;
}

/** A running program. */
export class Program implements Disposable {
  /** The process, its streams in pipes. */
  readonly process: ChildProcess;
  /** Fulfils with the exit code, or the name of the signal that ended it. */
  readonly exit: Promise<number | string>;
  /** What it has written to stdout. */
  stdout = "";
  /** What it has written to stderr. */
  stderr = "";

  /** Starts a program. */
  constructor([command, ...args]: readonly string[]) {
    this.process = spawn(command!, args, { stdio: "pipe" });
    this.process.stdout!.setEncoding("utf8").on("data", (text: string) => this.stdout += text);
    this.process.stderr!.setEncoding("utf8").on("data", (text: string) => this.stderr += text);
    // A program that does not read its stdin may be gone before the test ends it.
    this.process.stdin!.on("error", () => {});
    this.exit = new Promise((resolve, reject) => {
      this.process.on("error", reject);
      this.process.on("close", (code, signal) => resolve(code ?? signal ?? "nothing"));
    });
  }

  /** Starts the `subagent` program. */
  static run(words: readonly string[]): Program {
    return new Program([...programWords(), ...words]);
  }

  /** Sends a signal to the program alone, as `kill` does. */
  signal(name: NodeJS.Signals): void {
    process.kill(this.process.pid!, name);
  }

  /** Waits for the end and gives all there is to see. */
  async ended(): Promise<{ exitCode: number | string; stdout: string; stderr: string }> {
    const exitCode = await this.exit;
    return { exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** Ends what a failed test left running. */
  [Symbol.dispose](): void {
    if (this.process.exitCode === null && this.process.signalCode === null) this.signal("SIGKILL");
  }
}
