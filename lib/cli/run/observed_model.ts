/**
 * Watching a model, for the person who runs the command.
 *
 * @module
 */
import { LanguageModelError } from "../../agent/model/language_model_error.ts";
import type { ModelChunk, ModelFinishReason, ModelPort } from "../../agent/model/model_types.ts";
import { utf8Prefix } from "../../diagnostics/utf8.ts";
import { errorCode } from "../../process/errors.ts";

/** Who is told of what a model does. */
export interface ModelObserver {
  /** The answer grew by so many bytes of UTF-8. */
  readonly onText: (bytes: number) => void;
  /** There is no answer, or no whole one. The text is fixed: it holds a status or an error code, no word of the server. */
  readonly onModelFailure: (problem: string) => void;
}

/** An answer that ends like this is not known to be whole, so the turn fails. */
const FAILING_REASONS: ReadonlySet<ModelFinishReason> = new Set(["error", "other"]);

/** Passes everything on, and tells the observer. */
export function observedModel(model: ModelPort, observer: ModelObserver): ModelPort {
  return { stream: (request) => observe(model.stream(request), observer) };
}

async function* observe(
  answer: AsyncIterable<ModelChunk>,
  { onText, onModelFailure }: ModelObserver,
): AsyncGenerator<ModelChunk> {
  try {
    for await (const chunk of answer) {
      if (chunk.type === "text-delta") onText(utf8Prefix(chunk.text, Infinity).bytes);
      if (chunk.type === "finish" && FAILING_REASONS.has(chunk.reason)) {
        onModelFailure(`The model ended its answer with the reason "${chunk.reason}"`);
      }
      yield chunk;
    }
  } catch (error) {
    if (LanguageModelError.is(error)) onModelFailure(problemOf(error));
    throw error;
  }
}

function problemOf(error: LanguageModelError): string {
  let inner: unknown = error.cause;
  // Bounded: an error may be its own cause.
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    const code = errorCode(inner);
    if (code !== undefined) return `${error.message} (${code})`;
    inner = inner.cause;
  }
  return error.message;
}
