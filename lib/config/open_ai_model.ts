/**
 * A model behind a server that speaks OpenAI's chat completions.
 *
 * @module
 */
import { fromLanguageModel } from "../agent/model/from_language_model.ts";
import type { LanguageModelLike } from "../agent/model/language_model_like.ts";
import type { ModelPort } from "../agent/model/model_types.ts";
import { errorCode } from "../process/errors.ts";
import type { ModelAccess } from "./model_access.ts";

const PACKAGE = "@ai-sdk/openai-compatible";

/** Loads a package. */
export type PackageLoader = (name: string) => Promise<unknown>;

/** The package that speaks to the server cannot be used. The message says what to install. */
export class ModelPackageError extends Error {
  /** Says who needs it. */
  constructor(problem: string, options?: ErrorOptions) {
    super(`An agent of type spawn ${problem}`, options);
  }
}

/** The part of the package that is used, the same in all of its versions. */
interface OpenAiCompatiblePackage {
  createOpenAICompatible(settings: {
    readonly name: string;
    readonly baseURL: string;
    readonly apiKey?: string;
    readonly includeUsage?: boolean;
  }): (modelId: string) => LanguageModelLike;
}

/**
 * Makes the model. The package that speaks to the server is loaded now: whoever runs other agents need not have it.
 *
 * @param loadPackage For tests. @default import()
 * @throws {ModelPackageError} When the package is not there or cannot be used.
 */
export async function openAiModel(
  { url, name, apiKey }: ModelAccess,
  loadPackage: PackageLoader = (packageName) => import(packageName),
): Promise<ModelPort> {
  const { createOpenAICompatible } = await loadOpenAiCompatible(loadPackage);
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: url,
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return fromLanguageModel(provider(name));
}

async function loadOpenAiCompatible(loadPackage: PackageLoader): Promise<OpenAiCompatiblePackage> {
  let loaded: unknown;
  try {
    loaded = await loadPackage(PACKAGE);
  } catch (cause) {
    const problem = errorCode(cause) === "ERR_MODULE_NOT_FOUND"
      ? `needs the package "${PACKAGE}", which is not installed: run npm install ${PACKAGE}`
      : `needs the package "${PACKAGE}", and the installed one cannot be loaded: ` +
        "it may be damaged, or made for a newer version of this runtime";
    throw new ModelPackageError(problem, { cause });
  }
  if (typeof (loaded as Partial<OpenAiCompatiblePackage>).createOpenAICompatible === "function") {
    return loaded as OpenAiCompatiblePackage;
  }
  throw new ModelPackageError(
    `needs the package "${PACKAGE}" with createOpenAICompatible(), which the installed one does ` +
      `not have: run npm install ${PACKAGE}@latest`,
  );
}
