/**
 * The scripted agent in the place of an installed one, for the runner's own tests.
 *
 * @module
 */
import process from "node:process";
import type { AgentScript } from "../../fakes/acp_agent/script.ts";
import { scriptedAgent } from "../../fakes/launch.ts";
import type { InstalledAgent } from "./agent_launch.ts";

/** An agent named `scripted` that plays a script. */
export function installedScript(script: AgentScript): InstalledAgent {
  const { command, args } = scriptedAgent(script);
  const recipe = {
    name: "scripted",
    install: [],
    node: "any",
    env: {},
    files: {},
    notes: [],
    expectations: {},
  };
  return { recipe: { ...recipe, command, args }, folder: "/none", node: process.execPath };
}
