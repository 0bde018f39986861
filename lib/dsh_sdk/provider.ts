/**
 * The DSH SDK provider: a fresh DeepSeek Harness runtime for each run, over its JSON-RPC SDK on stdio.
 *
 * @module
 */
import { nodeProcessHost } from "../process/node_process_host.ts";
import type { ProcessHost } from "../process/port.ts";
import { startDirectoryElsewhere, startDirectoryHere } from "../process/start_directory.ts";
import { checkedOptions, objectWith } from "../seam/checked_options.ts";
import { NO_START_CAPABILITIES } from "../seam/no_start_capabilities.ts";
import type { SubagentProvider } from "../seam/types.ts";
import { CONFIG_PREFIX, type DshSdkProviderConfig, resolveDshSdkConfig } from "./config.ts";
import { launchElsewhere, resolveLaunch } from "./launch.ts";
import { type SdkStartOptions, startSdkRun } from "./start.ts";

/** What a host may replace. */
export interface DshSdkProviderOptions {
  /**
   * What starts the runtimes. They may run elsewhere, so the file system of this machine is not asked then: working
   * directories, and with `dshHome` the `dshBin` (which must be given) and the patches, must be absolute and are taken as
   * they are; the command line runs with the `node` of the place. @default {the processes of this machine}
   */
  readonly processHost?: ProcessHost;
}

/**
 * Makes a provider that runs one DeepSeek Harness runtime per delegation.
 *
 * The runtime shares only the working directory with its parent, and what `env` gives it. The whole prompt goes to it
 * unmodified; its answer is the last message it committed in the run's own session, else what it streamed. The provider
 * enforces none of the optional start capabilities, so the seam refuses requests that need one.
 *
 * @throws {TypeError} When a field of the configuration or an option is wrong, naming it and what it must be.
 * @throws {Error} When the configured working directory, home, command line or a patch is not where it should be; with a
 * process host of your own, when one of their paths is not absolute.
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
  options: DshSdkProviderOptions = {},
): SubagentProvider {
  const { processHost } = checkedOptions("dshSdkProvider()", options, { processHost: objectWith("spawn") });
  const checked = resolveDshSdkConfig(config);
  const [startDirectory, launchCommand] = processHost === undefined
    ? [startDirectoryHere, resolveLaunch]
    : [startDirectoryElsewhere, launchElsewhere];
  const start: SdkStartOptions = {
    config: checked,
    resolveCwd: startDirectory(CONFIG_PREFIX, checked.cwd),
    launch: launchCommand(checked.launch),
    host: processHost ?? nodeProcessHost(),
  };
  return {
    specificationVersion: "v1",
    name: checked.providerName,
    capabilities: NO_START_CAPABILITIES,
    inheritsParentContext: false,
    start: (request, context) => startSdkRun(start, request, context),
  };
}
