/**
 * One question to the model, answered in full or not at all.
 *
 * @module
 */
import { contain } from "../../seam/contain.ts";
import { kindOf } from "../../seam/kind_of.ts";
import type { ModelChunk, ModelPort, ModelRequest } from "../model/model_types.ts";
import { Answer, checkedChunk } from "./answer.ts";
import { assertNotAborted, untilAborted } from "./until_aborted.ts";

/** An answer ended without saying why, so nobody knows whether it is whole. */
export class BrokenAnswerError extends Error {}

/**
 * Asks, and tells of every piece as it comes. Once the signal is aborted nothing is waited for, whatever the model does:
 * its iteration is told to end, and what it gives after that is dropped.
 *
 * @returns The answer, with its end.
 * @throws {AbortedWork} When the request's signal was aborted first.
 * @throws {TypeError} When the model gives something else than pieces.
 * @throws {BrokenAnswerError} When there is no end.
 * @throws What the model throws.
 */
export async function askModel(
  model: ModelPort,
  request: ModelRequest,
  onChunk: (chunk: ModelChunk) => void,
): Promise<Answer> {
  const { signal } = request;
  const answer = new Answer();
  assertNotAborted(signal);
  const iterator = iteratorOf(model.stream(request));
  try {
    while (answer.finish === undefined) {
      const next = await untilAborted(Promise.resolve(iterator.next()), signal);
      if (next.done === true) {
        throw new BrokenAnswerError("The model's answer broke off: its stream ended without a finish chunk");
      }
      const chunk = checkedChunk(next.value);
      answer.push(chunk);
      onChunk(chunk);
      // Whoever heard of the piece may have ended the work: then the next one is not asked for.
      assertNotAborted(signal);
    }
    return answer;
  } finally {
    // It may take its time, or fail: nobody is interested any more.
    contain(() => iterator.return?.(), () => {});
  }
}

function iteratorOf(stream: AsyncIterable<ModelChunk>): AsyncIterator<ModelChunk> {
  const open = (stream as AsyncIterable<ModelChunk> | undefined)?.[Symbol.asyncIterator];
  if (typeof open === "function") return open.call(stream);
  throw new TypeError(`Model port must give an async iterable of chunks, got ${kindOf(stream)}`);
}
