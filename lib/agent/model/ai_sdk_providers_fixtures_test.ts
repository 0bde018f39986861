/**
 * Real providers of the AI SDK, one for each version of the specification, for tests. It holds no test itself.
 *
 * @module
 */
import { skipBelowNode } from "../../../fakes/test_support/node_floor.ts";
import type { LanguageModelLike } from "./language_model_like.ts";

/** Where the model of a test is. */
export interface ProviderSettings {
  /** Name of the provider. */
  readonly name: string;
  /** Address of the server's API. */
  readonly baseURL: string;
  /** Ask for the usage at the end of the stream. */
  readonly includeUsage?: boolean;
}

/** A provider for OpenAI-compatible servers. */
export interface RealProvider {
  /** Version of the specification that its models keep to. */
  readonly version: LanguageModelLike["specificationVersion"];
  /** Why its tests cannot run here, or false. */
  readonly skip: string | false;
  /** Loads the package and makes a model. */
  model(settings: ProviderSettings): Promise<LanguageModelLike>;
}

/** `@ai-sdk/openai-compatible` of AI SDK 5, 6 and 7. */
export const REAL_PROVIDERS: readonly RealProvider[] = [
  {
    version: "v2",
    skip: false,
    model: (settings) => openAICompatible("ai-sdk-openai-compatible-v2", settings),
  },
  {
    version: "v3",
    skip: false,
    model: (settings) => openAICompatible("@ai-sdk/openai-compatible", settings),
  },
  {
    version: "v4",
    skip: skipBelowNode(22),
    model: (settings) => openAICompatible("ai-sdk-openai-compatible-v4", settings),
  },
];

/** The name of the package is no constant, so that the type check leaves the declarations of these packages alone. */
async function openAICompatible(packageName: string, settings: ProviderSettings): Promise<LanguageModelLike> {
  const { createOpenAICompatible } = await import(packageName) as {
    createOpenAICompatible(settings: ProviderSettings): (modelId: string) => LanguageModelLike;
  };
  return createOpenAICompatible(settings)("scripted");
}
