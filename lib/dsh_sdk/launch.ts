/**
 * From the configured launch to a program with arguments.
 *
 * @module
 */
import { absoluteElsewhere } from "../process/start_directory.ts";
import { CONFIG_PREFIX, type DshSdkLaunch } from "./config.ts";

/** What is spawned for each run. */
export interface LaunchCommand {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Environment that belongs to the way of launching; it wins over the configured one. */
  readonly env: Readonly<Record<string, string>>;
}

/** What launching depends on beside the configuration. */
export interface LaunchPlace {
  /** What relative paths are relative to, and where the package is looked for. @default {the process's current directory} */
  readonly directory?: string;
  /** The Node program. @default {this process's own if it runs under Node, else "node"} */
  readonly node?: string;
}

/** The package of the DeepSeek Harness command line, and its program. */
const PACKAGE = "@deepseek-ai/dsh";
const PROGRAM = "dsh";

/**
 * Makes the command that launches a runtime. A profile is launched as `node DSH_BIN --profile NAME`, with one
 * `--patch FILE` for each patch behind it; all paths are absolute.
 *
 * @throws {Error} When `dshHome` is relative, `dshBin` or a patch is no file, or the package is not installed.
 */
export function resolveLaunch(
  launch: DshSdkLaunch,
  { directory = globalThis.process.cwd(), node = nodeProgram() }: LaunchPlace = {},
): LaunchCommand {
  if (launch.kind === "command") return { command: launch.command, args: launch.args, env: {} };
  const { isAbsolute, resolve } = globalThis.process.getBuiltinModule("node:path");
  if (!isAbsolute(launch.dshHome)) {
    throw new Error(`${CONFIG_PREFIX}: config dshHome must be an absolute path: ${launch.dshHome}`);
  }
  const file = (field: string, path: string): string => {
    const absolute = resolve(directory, path);
    if (!isFile(absolute)) throw new Error(`${CONFIG_PREFIX}: config ${field} is not a file: ${absolute}`);
    return absolute;
  };
  const dshBin = launch.dshBin === undefined ? installedProgram(directory) : file("dshBin", launch.dshBin);
  const patches = launch.patches.map((patch, index) => file(`patches[${index}]`, patch));
  return profileCommand({ ...launch, dshBin, patches }, node);
}

/**
 * Makes the command that launches a runtime by a host that may do so on another machine, without asking this one for
 * anything. A profile is launched with the `node` of that machine.
 *
 * @throws {Error} When a path is not absolute, or `dshBin` is left out.
 */
export function launchElsewhere(launch: DshSdkLaunch): LaunchCommand {
  if (launch.kind === "command") return { command: launch.command, args: launch.args, env: {} };
  const absolute = (field: string, path: string) => absoluteElsewhere(CONFIG_PREFIX, field, path);
  return profileCommand({
    ...launch,
    dshHome: absolute("dshHome", launch.dshHome),
    dshBin: absolute("dshBin", launch.dshBin ?? ""),
    patches: launch.patches.map((patch, index) => absolute(`patches[${index}]`, patch)),
  }, "node");
}

type ProfileLaunch = Extract<DshSdkLaunch, { readonly kind: "profile" }>;

function profileCommand(
  { dshHome, dshBin, profile, patches }: ProfileLaunch & { readonly dshBin: string },
  node: string,
): LaunchCommand {
  return {
    command: node,
    args: [dshBin, "--profile", profile, ...patches.flatMap((patch) => ["--patch", patch])],
    env: { DSH_HOME: dshHome },
  };
}

// Looked for by hand: a package may keep its package.json from being resolved, and its program is no module to import.
function installedProgram(directory: string): string {
  const { dirname, join } = globalThis.process.getBuiltinModule("node:path");
  for (let from = directory;; from = dirname(from)) {
    const root = join(from, "node_modules", PACKAGE);
    const program = programOf(join(root, "package.json"));
    if (program !== undefined) return join(root, program);
    if (dirname(from) === from) break;
  }
  throw new Error(
    `${CONFIG_PREFIX}: package "${PACKAGE}" is not installed in ${directory} or above: install it, or set dshBin to the module file of the command line`,
  );
}

function programOf(packageFile: string): string | undefined {
  const { readFileSync } = globalThis.process.getBuiltinModule("node:fs");
  if (!isFile(packageFile)) return undefined;
  const { bin } = JSON.parse(readFileSync(packageFile, "utf8")) as { readonly bin?: unknown };
  if (typeof bin === "string") return bin;
  const program: unknown = typeof bin === "object" && bin !== null
    ? (bin as Readonly<Record<string, unknown>>)[PROGRAM]
    : undefined;
  return typeof program === "string" ? program : undefined;
}

function isFile(path: string): boolean {
  const { statSync } = globalThis.process.getBuiltinModule("node:fs");
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

// The command line is a Node program: Deno and Bun do not run it with what their own execPath names.
function nodeProgram(): string {
  const { execPath, versions } = globalThis.process;
  return "deno" in versions || "bun" in versions ? "node" : execPath;
}
