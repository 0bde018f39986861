/**
 * A delegation tool that is there exactly as long as its provider is.
 *
 * @module
 */
import { aFunction, checkedOptions, objectWith } from "../seam/checked_options.ts";
import { contain } from "../seam/contain.ts";
import type { Subagents } from "../seam/subagents.ts";
import type { SubagentProvider } from "../seam/types.ts";
import { type SubagentTool, type SubagentToolOptions, toolOf } from "./subagent_tool.ts";
import { checkedToolConfig, type SubagentToolConfig } from "./subagent_tool_config.ts";

/** Where a delegation tool goes, and what it works with. */
export interface MountSubagentToolOptions extends SubagentToolOptions {
  /** Gives the tool to the model. Returns what takes it away again. */
  readonly register: (tool: SubagentTool) => () => void;
  /** Takes information for the host's log. Default: it is dropped. */
  readonly log?: (message: string) => void;
}

/**
 * Registers the tool once its provider is registered, takes it away when the provider is removed, and registers it
 * anew, with the words for that one, when another provider takes the name.
 *
 * A provider that is not able to do what the configuration asks of it is an error of whoever comes second: of this call
 * when the provider is there, else of the registration of the provider, which is undone.
 *
 * @returns Takes the tool away for good; calling it again does nothing.
 * @throws {TypeError} When a field of the configuration or an option is wrong.
 * @throws {Error} When the provider does not fit, or what `register` throws.
 */
export function mountSubagentTool(
  subagents: Subagents,
  config: SubagentToolConfig,
  options: MountSubagentToolOptions,
): () => void {
  const checked = checkedToolConfig(config);
  const { register, log = () => {}, ...ports } = checkedOptions("mountSubagentTool()", options, {
    register: aFunction,
    log: aFunction,
    jobs: objectWith("start"),
    onHostFailure: aFunction,
  });
  if (register === undefined) throw new TypeError('mountSubagentTool(): option "register" is required');

  let unregister: (() => void) | undefined;
  const add = (provider: SubagentProvider) => {
    unregister = register(toolOf(subagents, checked, provider, ports));
  };
  const remove = () => {
    const current = unregister;
    unregister = undefined;
    current?.();
  };

  const present = subagents.provider(checked.provider);
  if (present !== undefined) add(present);
  else {
    const { provider, toolName } = checked;
    const message =
      `subagent provider "${provider}" not registered yet; the "${toolName}" tool will register ` +
      "when it appears";
    contain(() => log(message), () => {});
  }
  const ends = [
    subagents.on("subagent/provider-added", (provider) => {
      if (provider.name === checked.provider) add(provider);
    }),
    subagents.on("subagent/provider-removed", (name) => {
      if (name === checked.provider) remove();
    }),
  ];
  return () => {
    for (const end of ends) end();
    remove();
  };
}
