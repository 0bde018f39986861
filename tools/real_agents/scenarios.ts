/**
 * What is tried with each agent, and what would come of it if the agent did as the protocol leads one to expect.
 *
 * @module
 */
import type { ScenarioName, ScenarioOutcome } from "../../conformance/recipe.ts";

/** One thing to try. */
export interface Scenario {
  /** The prompt, a script for the model server. `effect` is the file that a command is to make. */
  prompt(effect: string): string;
  /** How permission requests are answered. */
  readonly permission: "allow" | "reject";
  /** What happens once the answer is coming in. */
  readonly interrupt?: "abort" | "kill";
  /** The outcome, unless the recipe knows of a deviation. */
  readonly norm: ScenarioOutcome;
}

const PROMPT_FAILED = "Subagent failure (provider: ACP; stage: prompt; category: transport)";
const KILLED = "Subagent failure (provider: ACP; stage: process; category: process-exit; signal: SIGKILL)";

/** All scenarios. Expected texts are literal: nothing here is derived from the library. */
export const SCENARIO: Readonly<Record<ScenarioName, Scenario>> = {
  plain: {
    prompt: () => "SAY:The answer is forty-two.",
    permission: "reject",
    norm: { stopReason: "completed", text: "The answer is forty-two." },
  },
  "length-limit": {
    prompt: () => "STOP:max_tokens",
    permission: "reject",
    norm: { stopReason: "max-tokens", text: "This answer was cut sho" },
  },
  "length-limit-always": {
    prompt: () => "STOP:max_tokens!",
    permission: "reject",
    norm: { stopReason: "max-tokens", text: "This answer was cut sho" },
  },
  refusal: {
    prompt: () => "STOP:refusal",
    permission: "reject",
    norm: { stopReason: "refusal", text: "I cannot help with that." },
  },
  "server-error": {
    prompt: () => "HTTP:500",
    permission: "reject",
    norm: { stopReason: "error", diagnostic: PROMPT_FAILED, text: "" },
  },
  unauthorized: {
    prompt: () => "HTTP:401",
    permission: "reject",
    norm: { stopReason: "error", diagnostic: PROMPT_FAILED, text: "" },
  },
  "permission-allow": {
    prompt: (effect) => `SAY:Tried. TOOL:bash:echo done > ${effect}`,
    permission: "allow",
    norm: { stopReason: "completed", asked: true, effect: true, text: "Tried." },
  },
  "permission-reject": {
    prompt: (effect) => `SAY:Tried. TOOL:bash:echo done > ${effect}`,
    permission: "reject",
    norm: { stopReason: "completed", asked: true, effect: false, text: "Tried." },
  },
  cancel: {
    prompt: () => "SLOW:50:600",
    permission: "reject",
    interrupt: "abort",
    norm: { stopReason: "aborted" },
  },
  kill: {
    prompt: () => "SLOW:50:600",
    permission: "reject",
    interrupt: "kill",
    norm: { stopReason: "error", diagnostic: KILLED },
  },
};
