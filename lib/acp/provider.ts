/**
 * The ACP provider: any Agent Client Protocol agent, in a fresh subprocess for each run.
 *
 * @module
 */
import { aFunction, checkedOptions, objectWith } from "../seam/checked_options.ts";
import { NO_START_CAPABILITIES } from "../seam/no_start_capabilities.ts";
import type { SubagentProvider } from "../seam/types.ts";
import { nodeProcessHost } from "../process/node_process_host.ts";
import type { ProcessHost } from "../process/port.ts";
import { startDirectoryElsewhere, startDirectoryHere } from "../process/start_directory.ts";
import type { AcpActivityListener } from "./activity.ts";
import { type AcpProviderConfig, CONFIG_PREFIX, resolveAcpConfig } from "./config.ts";
import { type AcpStartOptions, startAcpRun } from "./start.ts";

/** What a host may replace. */
export interface AcpProviderOptions {
  /**
   * What starts the child processes. They may run elsewhere, so the file system of this machine is not asked then:
   * working directories must be absolute and are taken as they are. @default {the processes of this machine}
   */
  readonly processHost?: ProcessHost;
  /** Watches the runs: how much text came, what was permitted. For a progress line; never text of the child. */
  readonly onActivity?: AcpActivityListener;
}

/**
 * Makes a provider that runs one ACP agent per delegation.
 *
 * The child shares only the working directory with its parent. It is asked for protocol version 1 with no client
 * capabilities, gets the prompt, and answers with the text of its `agent_message_chunk` updates. The provider enforces
 * none of the optional start capabilities, so the seam refuses requests that need one.
 *
 * @throws {TypeError} When a field of the configuration or an option is wrong, naming it and what it must be.
 * @throws {Error} When the configured working directory is empty or cannot be entered; with a process host of your own,
 * when it is not absolute.
 *
 * @example
 * ```ts ignore
 * const subagents = new Subagents();
 * subagents.register(acpProvider({ command: "opencode", args: ["acp"] }));
 * await using run = await subagents.start("acp", { prompt: "List the open issues", parent: { id: "host", cwd } });
 * const { stopReason, output, diagnostic } = await run.result;
 * ```
 */
export function acpProvider(
  config: AcpProviderConfig,
  options: AcpProviderOptions = {},
): SubagentProvider {
  const { processHost, onActivity } = checkedOptions("acpProvider()", options, {
    processHost: objectWith("spawn"),
    onActivity: aFunction,
  });
  const checked = resolveAcpConfig(config);
  const startDirectory = processHost === undefined ? startDirectoryHere : startDirectoryElsewhere;
  const start: AcpStartOptions = {
    config: checked,
    host: processHost ?? nodeProcessHost(),
    resolveCwd: startDirectory(CONFIG_PREFIX, checked.cwd),
    onActivity,
  };
  return {
    specificationVersion: "v1",
    name: checked.providerName,
    capabilities: NO_START_CAPABILITIES,
    inheritsParentContext: false,
    start: (request, context) => startAcpRun(start, request, context),
  };
}
