/**
 * Configuration of the ACP provider.
 *
 * @module
 */
import { z } from "zod";
import { environment, nonEmpty, positiveInteger, timerMilliseconds, word } from "../seam/config_fields.ts";
import { parseConfig } from "../seam/parse_config.ts";
import type { PermissionPolicy } from "../diagnostics/vocabularies.ts";

/** Prefix of configuration errors. */
export const CONFIG_PREFIX = "subagent-acp";

/** How to start and treat one kind of ACP agent. */
export interface AcpProviderConfig {
  /** Registry name. @default {"acp"} */
  readonly providerName?: string;
  /** The program spawned for each run; never interpreted by a shell. */
  readonly command: string;
  /** Its arguments. @default {[]} */
  readonly args?: readonly string[];
  /**
   * Working directory of the child and of its ACP session. A relative path is resolved once, when the provider is
   * made, against the process's directory at that time; with a process host of your own it must be absolute. Left out,
   * the parent's `cwd` is used.
   */
  readonly cwd?: string;
  /**
   * Answer to the agent's permission requests: `reject` answers the outcome `cancelled`, `allow` selects the first
   * option that allows. @default {"reject"}
   */
  readonly permission?: PermissionPolicy;
  /**
   * Explicit environment, laid unfiltered over the credential-scrubbed environment of this process. `undefined`
   * removes an inherited variable. @default {{}}
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds the child may take to end after its stdin was closed, before it is terminated. @default {6000} */
  readonly disposeEofGraceMs?: number;
  /**
   * Milliseconds: bound for observing how the process ended after its connection failed, gap between SIGTERM and
   * SIGKILL, and bound of the look that nothing is left after SIGKILL. @default {3000}
   */
  readonly disposeGraceMs?: number;
  /** Largest line, in bytes, taken from the agent. A longer one fails the run. @default {33554432} */
  readonly maxMessageBytes?: number;
  /** Most answer text, in UTF-8 bytes, kept of a run. More fails the run, keeping the text so far. @default {16777216} */
  readonly maxOutputBytes?: number;
  /** Milliseconds the start may take until the session exists. Left out, there is no bound. */
  readonly startTimeoutMs?: number;
  /**
   * What becomes of the agent's stderr: this process's own stderr, or nothing. It never reaches a result or an
   * error. @default {"inherit"}
   */
  readonly stderr?: "inherit" | "ignore";
}

/** A checked configuration with its defaults. */
export type ResolvedAcpConfig = Readonly<
  & Required<Omit<AcpProviderConfig, "cwd" | "startTimeoutMs">>
  & { cwd: string | undefined; startTimeoutMs: number | undefined }
>;

const schema = z.strictObject({
  providerName: z.string().default("acp"),
  command: nonEmpty("a program"),
  args: z.array(word).readonly().default([]),
  cwd: word.optional(),
  permission: z.enum(["allow", "reject"]).default("reject"),
  env: environment.default({}),
  disposeEofGraceMs: timerMilliseconds("disposeEofGraceMs").default(6000),
  disposeGraceMs: timerMilliseconds("disposeGraceMs").default(3000),
  maxMessageBytes: positiveInteger("maxMessageBytes").default(32 * 1024 * 1024),
  maxOutputBytes: positiveInteger("maxOutputBytes").default(16 * 1024 * 1024),
  startTimeoutMs: timerMilliseconds("startTimeoutMs").optional(),
  stderr: z.enum(["inherit", "ignore"]).default("inherit"),
});

/**
 * Checks a configuration and fills in the defaults. The working directory is checked apart, since that looks at the
 * file system.
 *
 * @throws {TypeError} Naming every field that is wrong, what it must be, what kind of value it holds, and for an
 * unknown field the nearest known one. Values themselves are never named: they may be secrets.
 */
export function resolveAcpConfig(config: AcpProviderConfig): ResolvedAcpConfig {
  const { cwd, startTimeoutMs, ...rest } = parseConfig(CONFIG_PREFIX, schema, config);
  return Object.freeze({ ...rest, cwd, startTimeoutMs });
}
