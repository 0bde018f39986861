/**
 * Language models for tests, and questions to them. It holds no test itself.
 *
 * @module
 */
import type { LanguageModelLike } from "./language_model_like.ts";
import type { ModelChunk, ModelRequest } from "./model_types.ts";

/** The versions of the specification. */
export const VERSIONS: readonly LanguageModelLike["specificationVersion"][] = ["v2", "v3", "v4"];

/** A model that plays parts, and the calls it got. */
export interface ScriptedModel {
  /** The model. */
  readonly model: LanguageModelLike;
  /** The options of its calls, oldest first. */
  readonly calls: Readonly<Record<string, unknown>>[];
}

/** Makes a model of a version whose answers are the streams of a function. */
export function modelOf(
  specificationVersion: LanguageModelLike["specificationVersion"],
  answer: (
    signal: AbortSignal,
  ) => ReadableStream<{ type: string }> | Promise<ReadableStream<{ type: string }>>,
): ScriptedModel {
  const calls: Readonly<Record<string, unknown>>[] = [];
  return {
    calls,
    model: {
      specificationVersion,
      provider: "fake",
      modelId: "one",
      doStream: async (options: { readonly abortSignal: AbortSignal }) => {
        calls.push({ ...options });
        return { stream: await answer(options.abortSignal) };
      },
    } as LanguageModelLike,
  };
}

/** Makes a model that answers with these parts. */
export function scriptedModel(
  specificationVersion: LanguageModelLike["specificationVersion"],
  parts: readonly { readonly type: string }[],
): ScriptedModel {
  return modelOf(specificationVersion, () => streamOf(parts));
}

/** A stream of these parts, and then its end. */
export function streamOf(parts: readonly { readonly type: string }[]): ReadableStream<{ type: string }> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** A question with nothing in it but what a test gives. */
export function question(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "",
    messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
    tools: [],
    options: {},
    signal: new AbortController().signal,
    ...fields,
  };
}

/** Everything that an answer gives. */
export async function chunksOf(answer: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return chunks;
}

/** How an answer fails: what it gave before, and what it threw. */
export async function failureOf(
  answer: AsyncIterable<ModelChunk>,
): Promise<{ readonly chunks: ModelChunk[]; readonly error: unknown }> {
  const chunks: ModelChunk[] = [];
  try {
    for await (const chunk of answer) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  throw new Error("The answer did not fail");
}
