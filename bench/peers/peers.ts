/**
 * The libraries that are put side by side, as data.
 *
 * @module
 */

/** A library and the script that drives it. */
export interface Peer {
  /** Its name in the tables and on the command line. */
  readonly name: string;
  /** What is installed for it, with exact versions; nothing for the library of this repository. */
  readonly install: readonly string[];
  /** Its script in `drivers/`, without the extension. */
  readonly driver: string;
}

/** The Node that all of them run under has at least this major version: acpx needs 22.13. */
export const NODE_MAJOR = 22;

const AI_PROVIDER = ["@mcpc-tech/acp-ai-provider@0.2.9", "ai@6.0.326"];

/** The libraries, this one first. */
export const PEERS: readonly Peer[] = [
  { name: "seam", install: [], driver: "seam" },
  { name: "acp-sdk", install: ["@agentclientprotocol/sdk@2.4.0", "zod@4.6.7"], driver: "acp_sdk" },
  { name: "acpx", install: ["acpx@0.19.1"], driver: "acpx" },
  { name: "acp-factory", install: ["acp-factory@0.1.14"], driver: "acp_factory" },
  { name: "ai-generate", install: AI_PROVIDER, driver: "ai_generate_text" },
  { name: "ai-stream", install: AI_PROVIDER, driver: "ai_stream_text" },
];
