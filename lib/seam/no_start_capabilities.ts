/**
 * What a provider says that enforces nothing.
 *
 * @module
 */
import type { SubagentCapabilities } from "./types.ts";

/** For providers whose children are out of reach: every optional field of a request is refused. */
export const NO_START_CAPABILITIES: SubagentCapabilities = Object.freeze({
  agentOptions: false,
  outputSchema: false,
  depthLimit: false,
  toolFilter: false,
  persona: false,
});
