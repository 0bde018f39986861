/**
 * Refusing what is no language model where it is handed over, and not at the first question.
 *
 * @module
 */
import { isRecord, kindOf } from "../../seam/kind_of.ts";
import type { LanguageModelLike } from "./language_model_like.ts";

const VERSIONS: readonly LanguageModelLike["specificationVersion"][] = ["v2", "v3", "v4"];
const WANTED = 'a language model of the AI SDK with the specificationVersion "v2", "v3" or "v4"';

/**
 * Gives a language model back.
 *
 * @throws {TypeError} When it is none, or one of an unknown version.
 */
export function checkedLanguageModel(model: unknown): LanguageModelLike {
  if (typeof model === "string") {
    throw new TypeError(
      `fromLanguageModel() takes ${WANTED}, got string: a model's name alone does not say where the model is, ` +
        'so make the model with its provider, as in createOpenAICompatible({ … })("name")',
    );
  }
  if (typeof model === "function") {
    throw new TypeError(
      `fromLanguageModel() takes ${WANTED}, got function: if it is a provider, call it with the name of a model`,
    );
  }
  if (!isRecord(model)) {
    throw new TypeError(`fromLanguageModel() takes ${WANTED}, got ${kindOf(model)}`);
  }
  const { specificationVersion, provider, modelId, doStream } = model;
  if (!VERSIONS.some((version) => version === specificationVersion)) {
    throw new TypeError(
      `fromLanguageModel() takes ${WANTED}, got ${versionShown(specificationVersion)}: ` +
        "use a version of the provider's package that has one of these",
    );
  }
  for (const [name, value] of Object.entries({ provider, modelId })) {
    if (typeof value !== "string") {
      throw new TypeError(`Language model's ${name} must be a string, got ${kindOf(value)}`);
    }
  }
  if (typeof doStream !== "function") {
    throw new TypeError(
      `Language model's doStream must be a function, got ${
        kindOf(doStream)
      }: models of other kinds do not talk`,
    );
  }
  return model as unknown as LanguageModelLike;
}

function versionShown(version: unknown): string {
  return typeof version === "string" && /^v\d{1,3}$/.test(version)
    ? `the specificationVersion "${version}"`
    : `a specificationVersion that is ${version === undefined ? "absent" : `an unknown ${kindOf(version)}`}`;
}
