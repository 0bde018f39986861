/**
 * From an agent's options to the settings of a call.
 *
 * @module
 */
import type { JsonValue } from "../../schema/json_value.ts";
import { kindOf } from "../../seam/kind_of.ts";
import type { AgentOptions } from "../agent.ts";
import { LanguageModelError } from "./language_model_error.ts";
import type { LanguageModelCall } from "./language_model_like.ts";
import { copyProviderOptions } from "./provider_options.ts";

/** The settings that an agent's options are able to carry. */
export type CallSettings = Omit<
  LanguageModelCall<unknown, unknown>,
  "prompt" | "tools" | "toolChoice" | "abortSignal"
>;

/**
 * Reads the settings. Of the options only `maxTokens` is this library's own; the others are a host's, so one that has
 * another type than the setting of that name means something else and is passed over.
 *
 * @throws {LanguageModelError} When `maxTokens` is no whole number above 0.
 */
export function callSettings(options: AgentOptions): CallSettings {
  const { maxTokens, providerOptions, stopSequences } = options;
  const byProvider = copyProviderOptions(providerOptions);
  return {
    ...(maxTokens === undefined ? {} : { maxOutputTokens: checkedLimit(maxTokens) }),
    ...numbersOf(options, ["temperature", "topP", "topK", "seed"]),
    ...(isTexts(stopSequences) ? { stopSequences: [...stopSequences] } : {}),
    ...(byProvider === undefined ? {} : { providerOptions: byProvider }),
  };
}

function checkedLimit(maxTokens: JsonValue): number {
  if (Number.isSafeInteger(maxTokens) && (maxTokens as number) > 0) return maxTokens as number;
  const got = typeof maxTokens === "number" ? maxTokens : kindOf(maxTokens);
  throw new LanguageModelError(
    "INVALID_OPTION",
    `Agent option "maxTokens" must be a whole number above 0, got ${got}: leave it out for the model's own limit`,
  );
}

function numbersOf<Name extends string>(
  options: AgentOptions,
  names: readonly Name[],
): { readonly [Key in Name]?: number } {
  const found: { [Key in Name]?: number } = {};
  for (const name of names) {
    const value = options[name];
    if (typeof value === "number") found[name] = value;
  }
  return found;
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
