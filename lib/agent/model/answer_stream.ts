/**
 * Reading a language model's answer while it comes.
 *
 * @module
 */
import { isRecord } from "../../seam/kind_of.ts";
import { AnswerParts } from "./answer_parts.ts";
import { LanguageModelError } from "./language_model_error.ts";
import type { LanguageModelAnswer, LanguageModelStreamReader } from "./language_model_like.ts";
import type { ModelChunk } from "./model_types.ts";

/** What {@linkcode answerStream} needs. */
export interface AnswerStreamOptions {
  /** The model, for error messages. */
  readonly modelName: string;
  /** Asks the model. The signal is aborted when nobody waits for the answer any longer. */
  readonly ask: (signal: AbortSignal) => PromiseLike<LanguageModelAnswer>;
  /** Aborted by whoever asks. */
  readonly signal: AbortSignal;
}

/**
 * Asks at the first piece that is asked for, and gives the answer piece by piece. Whoever stops early, by the signal or
 * by `return()`, even while a piece is awaited, aborts the call and cancels the stream. The last piece comes when the
 * stream has closed, so that whoever stops there stops nothing.
 *
 * The iteration throws a {@linkcode LanguageModelError}, or the signal's reason once that is aborted.
 */
export function answerStream(options: AnswerStreamOptions): AsyncIterableIterator<ModelChunk, undefined> {
  const call: AnswerCall = { stopped: new AbortController(), isOver: false };
  const chunks = readAnswer(options, call);
  return {
    next: () => chunks.next(),
    return: () => {
      // A generator lets its pending piece come first, and this is what makes it come.
      if (!call.isOver) call.stopped.abort();
      return chunks.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What the reader of an answer shares with whoever may end it. */
interface AnswerCall {
  readonly stopped: AbortController;
  /** Whether the model was let go of. */
  isOver: boolean;
}

async function* readAnswer(
  { modelName, ask, signal }: AnswerStreamOptions,
  call: AnswerCall,
): AsyncGenerator<ModelChunk, undefined> {
  const { stopped } = call;
  const parts = new AnswerParts(modelName);
  const stop = () => stopped.abort(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const reader = await openAnswer(ask, modelName, stopped.signal);
    // Of a stream that was read to its end there is nothing left to cancel.
    const cancel = () => void reader.cancel(stopped.signal.reason).catch(() => {});
    stopped.signal.addEventListener("abort", cancel, { once: true });
    try {
      while (true) {
        const { done, value } = await nextPart(reader, modelName);
        stopped.signal.throwIfAborted();
        if (done) break;
        // What comes behind the end is passed over, but read: some wrappers of models do their work as the stream closes.
        if (parts.finish === undefined) yield* parts.chunksOf(value);
      }
    } finally {
      stopped.signal.removeEventListener("abort", cancel);
      cancel();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (stopped.signal.aborted) return;
    // An answer that is whole stays so, whatever becomes of the connection.
    if (parts.finish === undefined) throw error;
  } finally {
    call.isOver = true;
    signal.removeEventListener("abort", stop);
  }
  if (parts.finish !== undefined) return yield parts.finish;
  throw new LanguageModelError(
    "BROKEN_OFF",
    `The answer of language model ${modelName} broke off: its stream ended without a finish part`,
  );
}

async function openAnswer(
  ask: (signal: AbortSignal) => PromiseLike<LanguageModelAnswer>,
  modelName: string,
  signal: AbortSignal,
): Promise<LanguageModelStreamReader> {
  // A function of its own, so that what `ask` throws at once is a rejection too.
  const asked = (async () => readerOf(await ask(signal), modelName))();
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([asked, stopped]);
  } catch (cause) {
    // A model that does not heed the signal may still answer.
    asked.then((late) => late.cancel(signal.reason)).catch(() => {});
    if (LanguageModelError.is(cause)) throw cause;
    throw new LanguageModelError("CALL_FAILED", `Cannot ask language model ${modelName}: the call failed`, {
      cause,
    });
  }
}

function readerOf(answer: unknown, modelName: string): LanguageModelStreamReader {
  const stream: unknown = isRecord(answer) ? answer["stream"] : undefined;
  if (isRecord(stream) && typeof stream["getReader"] === "function") {
    return (stream as { getReader(): LanguageModelStreamReader }).getReader();
  }
  throw new LanguageModelError(
    "MALFORMED_ANSWER",
    `Language model ${modelName} does not keep to its specification: doStream() gave no stream that can be read`,
  );
}

async function nextPart(
  reader: LanguageModelStreamReader,
  modelName: string,
): ReturnType<LanguageModelStreamReader["read"]> {
  try {
    return await reader.read();
  } catch (cause) {
    throw new LanguageModelError(
      "STREAM_FAILED",
      `The answer of language model ${modelName} broke off: its stream failed`,
      { cause },
    );
  }
}
