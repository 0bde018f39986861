/**
 * The DSH SDK provider: a fresh DeepSeek Harness runtime for each run, over its JSON-RPC SDK on stdio.
 *
 * @module
 */
import { nodeProcessHost } from "../process/node_process_host.ts";
import type { ProcessHost } from "../process/port.ts";
import { resolveConfiguredCwd, resolveStartCwd } from "../process/working_directory.ts";
import { NO_START_CAPABILITIES } from "../seam/no_start_capabilities.ts";
import type { SubagentProvider } from "../seam/types.ts";
import { CONFIG_PREFIX, type DshSdkProviderConfig, resolveDshSdkConfig } from "./config.ts";
import { resolveLaunch } from "./launch.ts";
import { startSdkRun } from "./start.ts";

/** What a host may replace. */
export interface DshSdkProviderOptions {
  /** What starts the runtimes. @default {the processes of this machine} */
  readonly processHost?: ProcessHost;
}

/**
 * Makes a provider that runs one DeepSeek Harness runtime per delegation.
 *
 * The runtime shares only the working directory with its parent, and what `env` gives it. The whole prompt goes to it
 * unmodified; its answer is the last message it committed in the run's own session, else what it streamed. The provider
 * enforces none of the optional start capabilities, so the seam refuses requests that need one.
 *
 * @throws {TypeError} When a field of the configuration is wrong, naming it and what it must be.
 * @throws {Error} When the configured working directory, home, command line or a patch is not where it should be.
 *
 * @example
 * ```ts ignore
 * const subagents = new Subagents();
 * subagents.register(dshSdkProvider({ dshHome: "/srv/dsh-child", env: { DEEPSEEK_API_KEY: key } }));
 * await using run = await subagents.start("dsh-sdk", { prompt: "List the open issues", parent: { id: "host", cwd } });
 * const { stopReason, output, diagnostic } = await run.result;
 * ```
 */
export function dshSdkProvider(
  config: DshSdkProviderConfig,
  { processHost = nodeProcessHost() }: DshSdkProviderOptions = {},
): SubagentProvider {
  const checked = resolveDshSdkConfig(config);
  const configuredCwd = resolveConfiguredCwd(CONFIG_PREFIX, checked.cwd);
  const launch = resolveLaunch(checked.launch);
  return {
    specificationVersion: "v1",
    name: checked.providerName,
    capabilities: NO_START_CAPABILITIES,
    inheritsParentContext: false,
    start: (request, context) =>
      startSdkRun(
        {
          config: checked,
          launch,
          host: processHost,
          resolveCwd: (parentCwd) => resolveStartCwd(CONFIG_PREFIX, configuredCwd, parentCwd),
        },
        request,
        context,
      ),
  };
}
