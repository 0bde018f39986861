/**
 * The tool that a parent's model delegates with.
 *
 * @module
 */
import { DELEGATION_KIND, type DelegationRequest, delegationWork } from "../jobs/delegation.ts";
import { startedText } from "../jobs/job_texts.ts";
import type { Jobs } from "../jobs/jobs_types.ts";
import { aFunction, checkedOptions, objectWith } from "../seam/checked_options.ts";
import { SubagentError } from "../seam/errors.ts";
import type { HostFailureSink } from "../seam/host_failure.ts";
import { presentableError } from "../seam/presentable_error.ts";
import type { Subagents } from "../seam/subagents.ts";
import type { SubagentParent, SubagentProvider, SubagentRun } from "../seam/types.ts";
import type { ModelTool, ModelToolCall, ModelToolResult } from "./model_tool.ts";
import { type ForegroundAnswer, foregroundResult } from "./present_foreground.ts";
import { shownJobsError } from "./shown_jobs_error.ts";
import {
  assertProviderFits,
  type CheckedToolConfig,
  checkedToolConfig,
  type SubagentToolConfig,
} from "./subagent_tool_config.ts";
import { toolDescription, toolInputSchema } from "./subagent_tool_words.ts";
import { assertNotAborted, checkedInput } from "./tool_input.ts";

/** What a delegation tool works with, besides its configuration. */
export interface SubagentToolOptions {
  /** Where delegations run in the background. Its runner must know the same providers. Default: nowhere. */
  readonly jobs?: Jobs;
  /**
   * Takes raw failures that `Subagents` has no way to see: a result that cannot be read, jobs that break down. All
   * others go to the `onHostFailure` of that. Default: they are dropped.
   */
  readonly onHostFailure?: HostFailureSink;
}

/** That a delegation was started in the background. */
export interface BackgroundStart {
  /** Discriminant, beside an answer in the foreground. */
  readonly kind: "background";
  /** Id of the job. */
  readonly jobId: string;
}

/** What a delegation gives the host. */
export type DelegationValue = ForegroundAnswer | BackgroundStart;

/** The tool that a parent's model delegates with. */
export type SubagentTool = ModelTool<DelegationValue>;

/**
 * Makes the tool that a parent's model delegates with. Its words depend on the provider, which must be registered;
 * `mountSubagentTool()` waits for that.
 *
 * @throws {SubagentError} `NO_PROVIDER`.
 * @throws {TypeError} When a field of the configuration or an option is wrong.
 * @throws {Error} When the provider is not able to do what the configuration asks of it.
 */
export function subagentTool(
  subagents: Subagents,
  config: SubagentToolConfig,
  options: SubagentToolOptions = {},
): SubagentTool {
  const checked = checkedToolConfig(config);
  const provider = subagents.provider(checked.provider);
  if (provider === undefined) {
    throw new SubagentError("NO_PROVIDER", `no subagent provider registered for "${checked.provider}"`);
  }
  return toolOf(subagents, checked, provider, checkedToolOptions("subagentTool()", options));
}

/** Checks the ports. @throws {TypeError} When one is wrong. */
export function checkedToolOptions(owner: string, options: SubagentToolOptions): SubagentToolOptions {
  return checkedOptions(owner, options, { jobs: objectWith("start"), onHostFailure: aFunction });
}

/** Makes the tool for a provider. @throws {Error} When that is not able to do what the configuration asks of it. */
export function toolOf(
  subagents: Subagents,
  config: CheckedToolConfig,
  provider: SubagentProvider,
  { jobs, onHostFailure = () => {} }: SubagentToolOptions,
): SubagentTool {
  assertProviderFits(config, provider);
  const { inheritsParentContext } = provider;
  const words = {
    inheritsParentContext,
    offersBackground: config.enableRunInBackground ?? jobs !== undefined,
  };
  const inputSchema = toolInputSchema(words);
  const delegation = { subagents, config, jobs, onHostFailure };
  return Object.freeze({
    name: config.toolName,
    description: toolDescription(words),
    inputSchema,
    execute: async (input: unknown, call: ModelToolCall): Promise<ModelToolResult<DelegationValue>> => {
      assertNotAborted(call.signal);
      const { parent } = call;
      if (parent === undefined) {
        throw new Error("subagent tool requires a calling agent (exec.agent was undefined)");
      }
      const { description, prompt, run_in_background: inBackground } = checkedInput(inputSchema, input);
      const request: DelegationRequest = {
        label: description as string,
        prompt: [{ type: "text", text: prompt as string }],
        ...config.request,
      };
      return inBackground === true
        ? await startInBackground(delegation, request, parent, call.key)
        : await runInForeground(delegation, request, parent, call.signal);
    },
  });
}

interface DelegationParts {
  readonly subagents: Subagents;
  readonly config: CheckedToolConfig;
  readonly jobs: Jobs | undefined;
  readonly onHostFailure: HostFailureSink;
}

async function runInForeground(
  { subagents, config: { provider }, onHostFailure }: DelegationParts,
  request: DelegationRequest,
  parent: SubagentParent,
  signal: AbortSignal | undefined,
): Promise<ModelToolResult<DelegationValue>> {
  let run: SubagentRun;
  try {
    run = await subagents.start(provider, { ...request, parent, ...(signal && { signal }) });
  } catch (error) {
    throw presentableError(error, provider, "start");
  }
  return await foregroundResult(run, { provider, onHostFailure });
}

async function startInBackground(
  { config, jobs, onHostFailure }: DelegationParts,
  request: DelegationRequest,
  owner: SubagentParent,
  key: string | undefined,
): Promise<ModelToolResult<DelegationValue>> {
  const { provider, enableRunInBackground } = config;
  if (enableRunInBackground === false) {
    throw new Error("run_in_background is disabled for this tool instance (enableRunInBackground: false)");
  }
  if (jobs === undefined) {
    throw new Error(
      "background jobs unavailable: give the subagent tool a jobs port and its agent the job tools",
    );
  }
  try {
    // The call's own signal is not the job's: a job outlives the call that started it.
    const job = await jobs.start({
      kind: DELEGATION_KIND,
      label: request.label as string,
      owner,
      ...(key === undefined ? {} : { key }),
      work: delegationWork({ provider, request }),
    });
    return { text: startedText(job), value: { kind: "background", jobId: job.id } };
  } catch (error) {
    throw shownJobsError(error, (raw) => onHostFailure({ provider, operation: "start", error: raw }));
  }
}
