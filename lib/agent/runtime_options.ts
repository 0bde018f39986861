/**
 * Checking what a runtime is made of.
 *
 * @module
 */
import {
  aFunction,
  aPositiveInteger,
  checkedOptions,
  objectWith,
  type OptionCheck,
} from "../seam/checked_options.ts";
import { isRecord } from "../seam/kind_of.ts";
import type { AgentRuntimeOptions } from "./runtime.ts";

const aModel: OptionCheck = {
  expected: "an object with a method stream(), such as fromLanguageModel() makes of any model of the AI SDK",
  accepts: objectWith("stream").accepts,
};
const aText: OptionCheck = { expected: "a string", accepts: (value) => typeof value === "string" };

const CHECKS: Readonly<Record<keyof AgentRuntimeOptions, OptionCheck>> = {
  model: aModel,
  tools: { expected: "an array of tool definitions", accepts: Array.isArray },
  identity: aText,
  persona: aText,
  variables: aFunction,
  approve: aFunction,
  codeMode: { expected: "an object", accepts: isRecord },
  maxSteps: aPositiveInteger,
  onFailure: aFunction,
  newId: aFunction,
};

/**
 * Reads each option once and checks it.
 *
 * @throws {TypeError} When one is wrong, unknown, or missing.
 */
export function checkedRuntimeOptions(options: AgentRuntimeOptions): AgentRuntimeOptions {
  const checked: Partial<AgentRuntimeOptions> = checkedOptions("createAgentRuntime()", options, CHECKS);
  const { model } = checked;
  if (model !== undefined) return { ...checked, model };
  throw new TypeError(`createAgentRuntime(): option "model" must be ${aModel.expected}, got undefined`);
}
