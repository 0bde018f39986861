/**
 * Configuration of the DSH SDK provider.
 *
 * @module
 */
import { z } from "zod";
import {
  environment,
  LONGEST_TIMER_MS,
  milliseconds,
  nonEmpty,
  positiveInteger,
  word,
} from "../seam/config_fields.ts";
import { parseConfig } from "../seam/parse_config.ts";

/** Prefix of configuration errors. */
export const CONFIG_PREFIX = "subagent-dsh-sdk";

/** What becomes of a runtime's stderr. */
export type DshSdkStderr = "tail" | "inherit" | "ignore";

/** How to treat a runtime, however it is launched. */
export interface DshSdkProviderSettings {
  /** Registry name. @default {"dsh-sdk"} */
  readonly providerName?: string;
  /**
   * Working directory of the runtime and of its session. A relative path is resolved once, when the provider is made,
   * against the process's directory at that time; with a process host of your own it must be absolute. Left out, the
   * parent's `cwd` is used.
   */
  readonly cwd?: string;
  /** Model provider, by the runtime's name for it. @default {"deepseek-official"} */
  readonly provider?: string;
  /** Model, by the provider's name for it. @default {"deepseek-v4-flash"} */
  readonly model?: string;
  /** Most tokens of one model answer. Left out, the runtime decides. */
  readonly maxTokens?: number;
  /**
   * Explicit environment, laid unfiltered over the credential-scrubbed environment of this process. `undefined`
   * removes an inherited variable. A model key goes here. @default {{}}
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds the runtime may take to answer `shutdown`, before its stdin is closed anyway. @default {1000} */
  readonly shutdownTimeoutMs?: number;
  /** Milliseconds the runtime may take to end after its stdin was closed, before it is terminated. @default {6000} */
  readonly disposeEofGraceMs?: number;
  /** Milliseconds between SIGTERM and SIGKILL, and of the look that nothing is left after SIGKILL. @default {3000} */
  readonly disposeGraceMs?: number;
  /** Largest line, in bytes, taken from the runtime. A longer one fails the run. @default {33554432} */
  readonly maxMessageBytes?: number;
  /** Most answer text, in UTF-8 bytes, kept of a run. More fails the run, keeping the text so far. @default {16777216} */
  readonly maxOutputBytes?: number;
  /** Milliseconds the start may take until the runtime is ready. Left out, there is no bound. */
  readonly startTimeoutMs?: number;
  /**
   * What becomes of the runtime's stderr. `tail` keeps its last 400 lines (at most 65536 characters) and hands them to
   * the host with each raw failure of that run, as `stderrTail`: there they explain the failure, while in one stream the
   * lines of runs at once would be nobody's. `inherit` lets it through to this process's own stderr; `ignore` drops it. It
   * never reaches a result or an error. @default {"tail"}
   */
  readonly stderr?: DshSdkStderr;
}

/** A runtime launched by a command of its own. */
export interface DshSdkCommandConfig extends DshSdkProviderSettings {
  /** The program spawned for each run; never interpreted by a shell. */
  readonly command: string;
  /** Its arguments. @default {[]} */
  readonly args?: readonly string[];
  /** Belongs to the other way to launch. */
  readonly dshHome?: never;
  /** Belongs to the other way to launch. */
  readonly dshBin?: never;
  /** Belongs to the other way to launch. */
  readonly profile?: never;
  /** Belongs to the other way to launch. */
  readonly patches?: never;
}

/** A runtime launched by the DeepSeek Harness command line under Node, with a home of its own. */
export interface DshSdkProfileConfig extends DshSdkProviderSettings {
  /** Absolute path of the runtime's home, its `DSH_HOME`: the child must not find that of the launching person. */
  readonly dshHome: string;
  /**
   * Module file of the command line, relative to the process's directory when the provider is made. Left out, the `dsh`
   * program of the package `@deepseek-ai/dsh` is used, looked for in `node_modules` from that directory upwards. With a
   * process host of your own it must be given, and absolute.
   */
  readonly dshBin?: string;
  /** Profile that serves the SDK. @default {"sdk"} */
  readonly profile?: string;
  /**
   * Patch files laid over the profile, in this order, relative as `dshBin` is; with a process host of your own they must be
   * absolute. @default {[]}
   */
  readonly patches?: readonly string[];
  /** Belongs to the other way to launch. */
  readonly command?: never;
  /** Belongs to the other way to launch. */
  readonly args?: never;
}

/** How to start and treat DeepSeek Harness runtimes. */
export type DshSdkProviderConfig = DshSdkCommandConfig | DshSdkProfileConfig;

/** The two ways to launch, as configured. */
export type DshSdkLaunch =
  | { readonly kind: "command"; readonly command: string; readonly args: readonly string[] }
  | {
    readonly kind: "profile";
    readonly dshHome: string;
    readonly dshBin: string | undefined;
    readonly profile: string;
    readonly patches: readonly string[];
  };

/** A checked configuration with its defaults. */
export type ResolvedDshSdkConfig = Readonly<
  & Required<Omit<DshSdkProviderSettings, "cwd" | "maxTokens" | "startTimeoutMs">>
  & {
    cwd: string | undefined;
    maxTokens: number | undefined;
    startTimeoutMs: number | undefined;
    launch: DshSdkLaunch;
  }
>;

const schema = z.strictObject({
  providerName: z.string().default("dsh-sdk"),
  command: nonEmpty("a program").optional(),
  args: z.array(word).readonly().optional(),
  dshHome: nonEmpty("a directory").optional(),
  dshBin: nonEmpty("a file").optional(),
  profile: nonEmpty("a profile").optional(),
  patches: z.array(nonEmpty("a file")).readonly().optional(),
  cwd: word.optional(),
  provider: nonEmpty("a model provider").default("deepseek-official"),
  model: nonEmpty("a model").default("deepseek-v4-flash"),
  maxTokens: positiveInteger("maxTokens").optional(),
  env: environment.default({}),
  shutdownTimeoutMs: milliseconds("shutdownTimeoutMs").default(1000),
  disposeEofGraceMs: milliseconds("disposeEofGraceMs").default(6000),
  disposeGraceMs: milliseconds("disposeGraceMs").default(3000),
  maxMessageBytes: positiveInteger("maxMessageBytes").default(32 * 1024 * 1024),
  maxOutputBytes: positiveInteger("maxOutputBytes").default(16 * 1024 * 1024),
  startTimeoutMs: milliseconds("startTimeoutMs").optional(),
  stderr: z.enum(["tail", "inherit", "ignore"]).default("tail"),
});

// The configuration has no upper bound, so a longer time means "24 days" from here on.
const timer = (ms: number) => Math.min(ms, LONGEST_TIMER_MS);

/**
 * Checks a configuration and fills in the defaults. What needs a look at the file system is checked apart.
 *
 * @throws {TypeError} Naming every field that is wrong, what it must be, what kind of value it holds, and for an
 * unknown field the nearest known one; or the fields of two ways to launch. Values themselves are never named: they may
 * be secrets.
 */
export function resolveDshSdkConfig(config: DshSdkProviderConfig): ResolvedDshSdkConfig {
  const { command, args, dshHome, dshBin, profile, patches, ...rest } = parseConfig(
    CONFIG_PREFIX,
    schema,
    config,
  );
  const { cwd, maxTokens, startTimeoutMs, ...settings } = rest;
  return Object.freeze({
    ...settings,
    cwd,
    maxTokens,
    shutdownTimeoutMs: timer(settings.shutdownTimeoutMs),
    disposeEofGraceMs: timer(settings.disposeEofGraceMs),
    disposeGraceMs: timer(settings.disposeGraceMs),
    startTimeoutMs: startTimeoutMs === undefined ? undefined : timer(startTimeoutMs),
    launch: chooseLaunch({ command, args }, { dshHome, dshBin, profile, patches }),
  });
}

function chooseLaunch(
  byCommand: Optional<"command" | "args">,
  byProfile: Optional<"dshHome" | "dshBin" | "profile" | "patches">,
): DshSdkLaunch {
  const [commandFields, profileFields] = [fieldsOf(byCommand), fieldsOf(byProfile)];
  if (commandFields.length > 0 && profileFields.length > 0) {
    throw new TypeError(
      `${CONFIG_PREFIX}: config names both ${quoted(commandFields)} and ${quoted(profileFields)}; ${CHOICE}`,
    );
  }
  if (byCommand.command !== undefined) {
    return { kind: "command", command: byCommand.command, args: byCommand.args ?? [] };
  }
  if (byProfile.dshHome !== undefined) {
    const { dshHome, dshBin, profile = "sdk", patches = [] } = byProfile;
    return { kind: "profile", dshHome, dshBin, profile, patches };
  }
  throw new TypeError(`${CONFIG_PREFIX}: config does not say how to launch a runtime; ${CHOICE}`);
}

const CHOICE = 'give either "command" (with "args"), or "dshHome" (with "dshBin", "profile" and "patches")';

type Optional<Field extends keyof z.output<typeof schema>> = Readonly<Pick<z.output<typeof schema>, Field>>;

function fieldsOf(group: object): string[] {
  return Object.entries(group).filter(([, value]) => value !== undefined).map(([field]) => field);
}

function quoted(fields: readonly string[]): string {
  return fields.map((field) => `"${field}"`).join(", ");
}
