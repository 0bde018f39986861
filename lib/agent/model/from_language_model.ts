/**
 * Any language model of the AI SDK as a model of agents.
 *
 * @module
 */
import { answerStream } from "./answer_stream.ts";
import { callSettings } from "./call_settings.ts";
import { checkedLanguageModel } from "./checked_language_model.ts";
import type {
  LanguageModelAnswer,
  LanguageModelCall,
  LanguageModelLike,
  LanguageModelTool,
} from "./language_model_like.ts";
import { modelPrompt } from "./model_prompt.ts";
import type { ModelPort, ModelRequest } from "./model_types.ts";
import { DIALECT_V2, DIALECT_V3, DIALECT_V4, type PromptDialect } from "./prompt_dialect.ts";

/**
 * Adapts a language model of the AI SDK, of specification v2, v3 or v4, whatever its provider. It is asked once for each
 * iteration of an answer; nothing is tried again.
 *
 * Of an agent's options, `maxTokens` becomes `maxOutputTokens`, and `temperature`, `topP`, `topK`, `seed`,
 * `stopSequences` and `providerOptions` are passed on when they have the type that the SDK gives them. `model` changes
 * nothing: the model is the one that is wrapped here.
 *
 * Images, audio and binary resources become files; links and resources of text become text. Arguments of earlier tool
 * calls that are no JSON object go as `{ invalidArguments: text }`. Files and sources of an answer are dropped, and so
 * is what a provider's own tools do.
 *
 * @returns A model whose answers throw a `LanguageModelError`, with the original error as its `cause`, when the call
 *   fails, the answer reports an error, or its stream ends without a finish part; and the signal's reason once that is
 *   aborted.
 * @throws {TypeError} When it is no language model, or one of another version.
 */
export function fromLanguageModel(model: LanguageModelLike): ModelPort {
  const checked = checkedLanguageModel(model);
  const modelName = JSON.stringify(`${checked.provider}/${checked.modelId}`);
  return {
    stream: (request) => ({
      [Symbol.asyncIterator]: () =>
        answerStream({
          modelName,
          ask: (signal) => askModel(checked, request, signal),
          signal: request.signal,
        }),
    }),
  };
}

function askModel(
  model: LanguageModelLike,
  request: ModelRequest,
  signal: AbortSignal,
): PromiseLike<LanguageModelAnswer> {
  switch (model.specificationVersion) {
    case "v2":
      return model.doStream(languageModelCall(request, DIALECT_V2, signal));
    case "v3":
      return model.doStream(languageModelCall(request, DIALECT_V3, signal));
    case "v4":
      return model.doStream(languageModelCall(request, DIALECT_V4, signal));
  }
}

function languageModelCall<FileData, ResultFile>(
  request: ModelRequest,
  dialect: PromptDialect<FileData, ResultFile>,
  abortSignal: AbortSignal,
): LanguageModelCall<FileData, ResultFile> {
  const tools = request.tools.map(({ name, description, parameters }): LanguageModelTool => ({
    type: "function",
    name,
    description,
    // Requests are frozen, and providers adapt schemas in place.
    inputSchema: structuredClone(parameters),
  }));
  return {
    prompt: modelPrompt(request, dialect),
    ...(tools.length === 0 ? {} : { tools, toolChoice: { type: "auto" } }),
    ...callSettings(request.options),
    abortSignal,
  };
}
