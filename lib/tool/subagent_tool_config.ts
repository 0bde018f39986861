/**
 * How a delegation tool is configured, and what its provider must be able to do for that.
 *
 * @module
 */
import { z } from "zod";
import type { JsonObject } from "../schema/json_value.ts";
import { snapshotFrozenJsonValue } from "../schema/snapshot_json_value.ts";
import { withoutUndefined } from "../schema/without_undefined.ts";
import { isDepth } from "../seam/depth_error.ts";
import { parseConfig } from "../seam/parse_config.ts";
import type { SubagentProvider, SubagentToolFilter } from "../seam/types.ts";

/** Configuration of a delegation tool: data, so that it may come from a file. */
export interface SubagentToolConfig {
  /** Registered name of the provider that starts the children. */
  readonly provider: string;
  /** Name of the tool, of 1 to 64 ASCII letters, digits, `_` and `-`. @default {"subagent"} */
  readonly toolName?: string;
  /**
   * Whether the model may have a task done in the background. Default: whether the tool has jobs to do that with; a
   * tool that says yes and has none refuses such calls.
   */
  readonly enableRunInBackground?: boolean;
  /** What becomes of a background child: it does one task. @default {"one-shot"} */
  readonly backgroundMode?: "one-shot";
  /** Child route overrides, as JSON. Needs the `agentOptions` capability. */
  readonly agentOptions?: Readonly<Record<string, unknown>>;
  /** Child-scoped replacement of the deployment persona. Needs the `persona` capability. */
  readonly persona?: string;
  /** Mask over the child's tools; `allow`, `deny` or both. Needs the `toolFilter` capability. */
  readonly toolFilter?: SubagentToolFilter;
  /**
   * How many delegations may lead to a child at most, which needs the `depthLimit` capability; or `provider-managed`:
   * no cap is sent, and nothing here keeps children from delegating again. @default {3}
   */
  readonly maxDepth?: number | "provider-managed";
}

/** A configuration that was checked, with its defaults; frozen. */
export interface CheckedToolConfig {
  readonly provider: string;
  readonly toolName: string;
  readonly enableRunInBackground: boolean | undefined;
  /** What the configuration puts into every request. */
  readonly request: {
    readonly agentOptions?: JsonObject;
    readonly persona?: string;
    readonly toolFilter?: SubagentToolFilter;
    readonly maxDepth?: number;
  };
}

/** The words that an error of a configuration begins with. */
const PREFIX = "subagent tool";

const NAMES = z.array(z.string());

const SCHEMA = z.strictObject({
  provider: z.string().min(1, { error: "must name a provider" }),
  toolName: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, {
    error: 'must be 1 to 64 ASCII letters, digits, "_" or "-"',
  }).optional(),
  enableRunInBackground: z.boolean().optional(),
  backgroundMode: z.enum(["one-shot", "continuable"]).optional(),
  agentOptions: z.record(z.string(), z.unknown()).optional(),
  persona: z.string().optional(),
  toolFilter: z.strictObject({ allow: NAMES.optional(), deny: NAMES.optional() }).optional(),
  maxDepth: z.custom<number | "provider-managed">(isMaxDepth, {
    error: 'must be a non-negative safe integer or "provider-managed"',
  }).optional(),
});

function isMaxDepth(value: unknown): boolean {
  return value === "provider-managed" || isDepth(value);
}

/**
 * Checks a configuration, as far as that can be done without its provider.
 *
 * @throws {TypeError} When a field is wrong, naming it and what it must be.
 * @throws {Error} When the tool filter is empty, or children are to be continued, which no provider is able to do.
 */
export function checkedToolConfig(config: SubagentToolConfig): CheckedToolConfig {
  const parsed = parseConfig(PREFIX, SCHEMA, config);
  const { provider, toolName = "subagent", enableRunInBackground, maxDepth = 3, persona, toolFilter } =
    parsed;
  if (toolFilter !== undefined && toolFilter.allow === undefined && toolFilter.deny === undefined) {
    throw new Error(
      `${PREFIX}: \`toolFilter\` is configured but names neither \`allow\` nor \`deny\` — ` +
        "remove the key or fill the filter",
    );
  }
  if (parsed.backgroundMode === "continuable") {
    throw new Error(`${PREFIX}: provider "${provider}" does not support \`backgroundMode: continuable\``);
  }
  const agentOptions = checkedAgentOptions(parsed.agentOptions);
  return Object.freeze({
    provider,
    toolName,
    enableRunInBackground,
    request: Object.freeze({
      ...(agentOptions && { agentOptions }),
      ...(persona === undefined ? {} : { persona }),
      ...(toolFilter &&
        { toolFilter: snapshotFrozenJsonValue(withoutUndefined(toolFilter)) as SubagentToolFilter }),
      ...(maxDepth === "provider-managed" ? {} : { maxDepth }),
    }),
  });
}

function checkedAgentOptions(options: Readonly<Record<string, unknown>> | undefined): JsonObject | undefined {
  if (options === undefined) return undefined;
  const snapshot = snapshotFrozenJsonValue(options);
  if (snapshot !== undefined) return snapshot as JsonObject;
  throw new TypeError(`${PREFIX}: config field "agentOptions" must be losslessly JSON-serializable`);
}

/**
 * Checks that a provider is able to do what a configuration asks of it: else every call would fail.
 *
 * @throws {Error} Naming the first thing that it is not able to do.
 */
export function assertProviderFits({ request }: CheckedToolConfig, provider: SubagentProvider): void {
  const { name, capabilities } = provider;
  if (request.maxDepth !== undefined && !capabilities.depthLimit) {
    throw new Error(
      `${PREFIX}: provider "${name}" cannot enforce maxDepth (no depthLimit capability) — ` +
        "set maxDepth: 'provider-managed' to leave the recursion budget to the provider",
    );
  }
  for (const field of ["agentOptions", "persona", "toolFilter"] as const) {
    if (request[field] !== undefined && !capabilities[field]) {
      throw new Error(`${PREFIX}: provider "${name}" does not support child ${field}`);
    }
  }
}
