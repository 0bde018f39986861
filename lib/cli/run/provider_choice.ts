/**
 * From the options of a run to the provider that does it.
 *
 * @module
 */
import type { AcpActivityListener } from "../../acp/activity.ts";
import { acpProvider } from "../../acp/provider.ts";
import { createAgentRuntime } from "../../agent/runtime.ts";
import { openAiModel } from "../../config/open_ai_model.ts";
import { dshSdkProvider } from "../../dsh_sdk/provider.ts";
import { spawnProvider } from "../../in_process/provider.ts";
import type { SubagentProvider } from "../../seam/types.ts";
import type { CommandRunOptions, RunOptions, SpawnRunOptions } from "./run_options.ts";
import { type ModelObserver, observedModel } from "./observed_model.ts";

/** Who is told of what happens in a run. */
export interface RunObserver extends ModelObserver {
  /** Something happened in the session of an ACP agent. */
  readonly onActivity: AcpActivityListener;
}

/** Makes the provider of one run. */
export type ProviderChoice = (
  options: RunOptions,
  observer: RunObserver,
) => SubagentProvider | Promise<SubagentProvider>;

/**
 * Makes the provider that the options name. The registered name is the word of `--provider`.
 *
 * @throws {Error} When the options do not fit, as when `--cwd` is no directory.
 */
export function chosenProvider(
  options: RunOptions,
  observer: RunObserver,
): SubagentProvider | Promise<SubagentProvider> {
  return options.provider === "spawn"
    ? inProcessProvider(options, observer)
    : processProvider(options, observer);
}

/** The runtime holds nothing besides the children, and whoever has their runs ends these. */
async function inProcessProvider(
  { model }: SpawnRunOptions,
  observer: RunObserver,
): Promise<SubagentProvider> {
  const runtime = createAgentRuntime({ model: observedModel(await openAiModel(model), observer) });
  return spawnProvider({ runtime });
}

function processProvider(options: CommandRunOptions, { onActivity }: RunObserver): SubagentProvider {
  const { command, args, cwd, env, permission, agentStderr } = options;
  const config = {
    providerName: options.provider,
    command,
    args,
    env,
    stderr: agentStderr ? "inherit" as const : "ignore" as const,
    ...(cwd === undefined ? {} : { cwd }),
  };
  switch (options.provider) {
    case "acp":
      return acpProvider({ ...config, permission }, { onActivity });
    case "dsh-sdk":
      return dshSdkProvider(config);
  }
}
