/**
 * Facts that only one provider understands, on their way out of a model and back.
 *
 * @module
 */
import { isRecord } from "../../seam/kind_of.ts";
import type { LanguageModelProviderOptions } from "./language_model_like.ts";

/**
 * Copies facts by provider. Providers may change what they get, and what they give away may still change.
 *
 * @param value A value that JSON carries.
 * @returns The copy, or `undefined` when the value is no object of objects.
 */
export function copyProviderOptions(value: unknown): LanguageModelProviderOptions | undefined {
  if (!isRecord(value) || !Object.values(value).every(isRecord)) return undefined;
  return structuredClone(value) as LanguageModelProviderOptions;
}
