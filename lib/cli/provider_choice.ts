/**
 * From the options of a run to the provider that does it.
 *
 * @module
 */
import type { AcpActivityListener } from "../acp/activity.ts";
import { acpProvider } from "../acp/provider.ts";
import { dshSdkProvider } from "../dsh_sdk/provider.ts";
import type { SubagentProvider } from "../seam/types.ts";
import type { RunOptions } from "./arguments.ts";

/** Makes the provider of one run. */
export type ProviderChoice = (options: RunOptions, onActivity: AcpActivityListener) => SubagentProvider;

/**
 * Makes the provider that the options name. The registered name is the word of `--provider`.
 *
 * @throws {Error} When the options do not fit, as when `--cwd` is no directory.
 */
export function chosenProvider(options: RunOptions, onActivity: AcpActivityListener): SubagentProvider {
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
