import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred, eventually } from "../../../fakes/test_support/deferred.ts";
import { watchedAbort } from "../../../fakes/test_support/leaks.ts";
import { fromLanguageModel } from "./from_language_model.ts";
import {
  chunksOf,
  failureOf,
  modelOf,
  question,
  type ScriptedModel,
  scriptedModel,
  streamOf,
} from "./language_model_fixtures_test.ts";
import { LanguageModelError } from "./language_model_error.ts";
import type { LanguageModelLike } from "./language_model_like.ts";
import type { ModelChunk } from "./model_types.ts";

const HELLO = { type: "text-delta", id: "0", delta: "hello" };
const HELLO_CHUNK: ModelChunk = { type: "text-delta", text: "hello" };
const FINISH = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} };
const FINISH_CHUNK: ModelChunk = { type: "finish", reason: "stop" };

/** A stream that gives these parts and then nothing more, and what it was cancelled with. */
function openStream(
  parts: readonly { readonly type: string }[],
): { readonly stream: ReadableStream<{ type: string }>; readonly cancels: unknown[] } {
  const cancels: unknown[] = [];
  const stream = new ReadableStream<{ type: string }>({
    start: (controller) => parts.forEach((part) => controller.enqueue(part)),
    cancel: (reason) => void cancels.push(reason),
  });
  return { stream, cancels };
}

/** A model that says hello and then nothing more, whatever it is told by its signal. */
function slowModel(): ScriptedModel & { readonly cancels: unknown[] } {
  const { stream, cancels } = openStream([HELLO]);
  return { ...modelOf("v3", () => stream), cancels };
}

function ask(model: LanguageModelLike, signal?: AbortSignal): AsyncIterator<ModelChunk, unknown> {
  return fromLanguageModel(model).stream(question(signal === undefined ? {} : { signal }))
    [Symbol.asyncIterator]();
}

/** Asserts that it is an error of the model port with exactly this text. */
function assertError(error: unknown, code: string, message: string, cause?: unknown): void {
  assert.ok(LanguageModelError.is(error), String(error));
  assert.deepEqual([error.code, error.message, error.cause], [code, message, cause]);
}

describe("An answer of a language model", () => {
  const CANARY = Object.assign(new Error("canary-7734"), { statusCode: 401 });

  it("fails when the call is refused, without the model's text", async () => {
    const { model } = modelOf("v3", () => Promise.reject(CANARY));
    const { chunks, error } = await failureOf(fromLanguageModel(model).stream(question()));
    assert.deepEqual(chunks, []);
    assertError(
      error,
      "CALL_FAILED",
      'Cannot ask language model "fake/one": the call failed (HTTP status: 401)',
      CANARY,
    );
  });

  it("fails when the call throws at once", async () => {
    const { model } = modelOf("v3", () => Promise.resolve(streamOf([])));
    const thrower = {
      ...model,
      doStream: () => {
        throw CANARY;
      },
    } as LanguageModelLike;
    const { error } = await failureOf(fromLanguageModel(thrower).stream(question()));
    assertError(
      error,
      "CALL_FAILED",
      'Cannot ask language model "fake/one": the call failed (HTTP status: 401)',
      CANARY,
    );
  });

  it("fails at an error part, after what came before, and cancels the stream", async () => {
    const { stream, cancels } = openStream([HELLO, { type: "error", error: "canary" } as never]);
    const { chunks, error } = await failureOf(
      fromLanguageModel(modelOf("v3", () => stream).model).stream(question()),
    );
    assert.deepEqual(chunks, [HELLO_CHUNK]);
    assertError(
      error,
      "STREAM_FAILED",
      'Language model "fake/one" reported an error instead of the rest of its answer',
      "canary",
    );
    assert.equal(cancels.length, 1);
  });

  it("fails when the stream breaks", async () => {
    const parts = [HELLO];
    const stream = new ReadableStream<{ type: string }>({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.error(CANARY);
        else controller.enqueue(part);
      },
    });
    const { chunks, error } = await failureOf(
      fromLanguageModel(modelOf("v3", () => stream).model).stream(question()),
    );
    assert.deepEqual(chunks, [HELLO_CHUNK]);
    assertError(
      error,
      "STREAM_FAILED",
      'The answer of language model "fake/one" broke off: its stream failed (HTTP status: 401)',
      CANARY,
    );
  });

  it("fails when the stream ends without a finish part", async () => {
    const { model } = scriptedModel("v3", [HELLO]);
    const { chunks, error } = await failureOf(fromLanguageModel(model).stream(question()));
    assert.deepEqual(chunks, [HELLO_CHUNK]);
    assertError(
      error,
      "BROKEN_OFF",
      'The answer of language model "fake/one" broke off: its stream ended without a finish part',
    );
  });

  for (
    const [fact, answer] of [["nothing", undefined], ["no stream", {}], ["a list", {
      stream: [HELLO, FINISH],
    }]] as const
  ) {
    it(`fails when doStream() gives ${fact}`, async () => {
      const { model } = scriptedModel("v3", []);
      const odd = { ...model, doStream: () => Promise.resolve(answer) } as unknown as LanguageModelLike;
      const { error } = await failureOf(fromLanguageModel(odd).stream(question()));
      assertError(
        error,
        "MALFORMED_ANSWER",
        'Language model "fake/one" does not keep to its specification: doStream() gave no stream that can be read',
      );
    });
  }

  it("fails before it asks when the question does not fit", async () => {
    const { model, calls } = scriptedModel("v3", [FINISH]);
    const messages = [{ role: "user" as const, content: [{ type: "video" }] }];
    const { error } = await failureOf(fromLanguageModel(model).stream(question({ messages })));
    assert.ok(LanguageModelError.is(error) && error.code === "UNSUPPORTED_CONTENT");
    assert.equal(calls.length, 0);
  });

  it("reads on behind its end and passes over what is there, an error included", async () => {
    let isFlushed = false;
    const flushing = new TransformStream<{ type: string }, { type: string }>({
      flush: () => void (isFlushed = true),
    });
    const stream = streamOf([HELLO, FINISH, HELLO, FINISH, { type: "error" }]).pipeThrough(flushing);
    const { model } = modelOf("v3", () => stream);
    assert.deepEqual(await chunksOf(fromLanguageModel(model).stream(question())), [
      HELLO_CHUNK,
      FINISH_CHUNK,
    ]);
    assert.ok(isFlushed);
  });

  it("is whole even if the connection breaks behind its end", async () => {
    const parts = [HELLO, FINISH];
    const stream = new ReadableStream<{ type: string }>({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.error(CANARY);
        else controller.enqueue(part);
      },
    });
    const { model } = modelOf("v3", () => stream);
    assert.deepEqual(await chunksOf(fromLanguageModel(model).stream(question())), [
      HELLO_CHUNK,
      FINISH_CHUNK,
    ]);
  });
});

describe("Aborting the signal of a question", () => {
  const REASON = new Error("enough");

  it("before it is asked keeps it from being asked", async () => {
    const { model, calls } = slowModel();
    await assert.rejects(ask(model, AbortSignal.abort(REASON)).next(), REASON);
    assert.equal(calls.length, 0);
  });

  it("while the call is made ends a call that does not heed it, and cancels the late answer", async () => {
    const { stream, cancels } = openStream([HELLO]);
    const gate = deferred<ReadableStream<{ type: string }>>();
    const { model, calls } = modelOf("v3", () => gate.promise);
    const { controller, signal, listeners } = watchedAbort();
    const pending = ask(model, signal).next();
    await eventually(() => calls.length === 1, "the model is asked");
    controller.abort(REASON);
    await assert.rejects(pending, REASON);
    assert.equal(listeners.size, 0);
    gate.resolve(stream);
    await eventually(() => cancels.length === 1, "the late answer is cancelled");
    assert.deepEqual(cancels, [REASON]);
  });

  it("while the call is made does not report how the call ends later", async () => {
    const gate = deferred<ReadableStream<{ type: string }>>();
    const { model, calls } = modelOf("v3", () => gate.promise);
    const controller = new AbortController();
    const pending = ask(model, controller.signal).next();
    await eventually(() => calls.length === 1, "the model is asked");
    controller.abort(REASON);
    await assert.rejects(pending, REASON);
    // An unheard rejection would fail the test run.
    gate.reject(new Error("late"));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });

  it("while a piece is awaited cancels the stream, tells the model, and throws the reason", async () => {
    const { model, calls, cancels } = slowModel();
    const { controller, signal, listeners } = watchedAbort();
    const answer = ask(model, signal);
    assert.deepEqual(await answer.next(), { done: false, value: HELLO_CHUNK });
    assert.equal(listeners.size, 1);
    const pending = answer.next();
    controller.abort(REASON);
    await assert.rejects(pending, REASON);
    assert.deepEqual(cancels, [REASON]);
    const { abortSignal } = calls[0] as { readonly abortSignal: AbortSignal };
    assert.deepEqual([abortSignal.aborted, abortSignal.reason], [true, REASON]);
    assert.equal(listeners.size, 0);
    assert.deepEqual(await answer.next(), { done: true, value: undefined });
  });

  it("between two pieces throws the reason at the next one, whatever has come meanwhile", async () => {
    const { model } = scriptedModel("v3", [HELLO, HELLO, FINISH]);
    const controller = new AbortController();
    const answer = ask(model, controller.signal);
    await answer.next();
    controller.abort(REASON);
    await assert.rejects(answer.next(), REASON);
  });

  it("wins over the error that the model makes of it", async () => {
    const { model } = modelOf("v3", (signal) =>
      Promise.resolve(
        new ReadableStream<{ type: string }>({
          start(controller) {
            controller.enqueue(HELLO);
            signal.addEventListener("abort", () => controller.error(new Error("aborted by me")));
          },
        }),
      ));
    const controller = new AbortController();
    const answer = ask(model, controller.signal);
    await answer.next();
    const pending = answer.next();
    controller.abort(REASON);
    await assert.rejects(pending, REASON);
  });

  it("behind the finish part throws the reason while the stream is not closed", async () => {
    const { stream, cancels } = openStream([HELLO, FINISH]);
    const { model } = modelOf("v3", () => stream);
    const { controller, signal, listeners } = watchedAbort();
    const answer = ask(model, signal);
    await answer.next();
    const pending = answer.next();
    controller.abort(REASON);
    await assert.rejects(pending, REASON);
    assert.deepEqual([cancels, listeners.size], [[REASON], 0]);
  });

  it("after its end changes nothing", async () => {
    const { model, calls } = scriptedModel("v3", [FINISH]);
    const controller = new AbortController();
    const answer = ask(model, controller.signal);
    assert.deepEqual(await answer.next(), { done: false, value: FINISH_CHUNK });
    controller.abort(REASON);
    assert.deepEqual(await answer.next(), { done: true, value: undefined });
    assert.equal((calls[0] as { readonly abortSignal: AbortSignal }).abortSignal.aborted, false);
  });
});

describe("Stopping to read an answer", () => {
  it("in the middle aborts the call and cancels the stream", async () => {
    const { model, calls, cancels } = slowModel();
    const { signal, listeners } = watchedAbort();
    for await (const chunk of fromLanguageModel(model).stream(question({ signal }))) {
      assert.deepEqual(chunk, HELLO_CHUNK);
      break;
    }
    assert.equal(cancels.length, 1);
    const { abortSignal } = calls[0] as { readonly abortSignal: AbortSignal };
    assert.deepEqual([abortSignal.aborted, signal.aborted, listeners.size], [true, false, 0]);
  });

  it("while a piece is awaited ends the wait", async () => {
    const { model, cancels } = slowModel();
    const answer = ask(model);
    await answer.next();
    const pending = answer.next();
    assert.deepEqual(await answer.return?.(), { done: true, value: undefined });
    assert.deepEqual(await pending, { done: true, value: undefined });
    assert.equal(cancels.length, 1);
  });

  it("while the call is made ends the wait", async () => {
    const { model, calls } = modelOf("v3", () => new Promise(() => {}));
    const { signal, listeners } = watchedAbort();
    const answer = ask(model, signal);
    const pending = answer.next();
    await eventually(() => calls.length === 1, "the model is asked");
    await answer.return?.();
    assert.deepEqual(await pending, { done: true, value: undefined });
    assert.equal(listeners.size, 0);
  });

  it("does not wait for a stream that takes long to be cancelled, nor fail with it", async () => {
    for (const cancel of [() => new Promise<void>(() => {}), () => Promise.reject(new Error("no"))]) {
      const stream = new ReadableStream<{ type: string }>({
        start: (controller) => controller.enqueue(HELLO),
        cancel,
      });
      const answer = ask(modelOf("v3", () => stream).model);
      await answer.next();
      assert.deepEqual(await answer.return?.(), { done: true, value: undefined });
    }
  });

  it("at its last piece stops nothing: the stream has closed by then", async () => {
    let isFlushed = false;
    const flushing = new TransformStream<{ type: string }, { type: string }>({
      flush: () => void (isFlushed = true),
    });
    const { model, calls } = modelOf("v3", () => streamOf([FINISH]).pipeThrough(flushing));
    for await (const chunk of fromLanguageModel(model).stream(question())) {
      assert.deepEqual([chunk, isFlushed], [FINISH_CHUNK, true]);
      break;
    }
    assert.equal((calls[0] as { readonly abortSignal: AbortSignal }).abortSignal.aborted, false);
  });

  it("leaves no listener behind an answer that was read to its end", async () => {
    const { model } = scriptedModel("v3", [HELLO, FINISH]);
    const { signal, listeners } = watchedAbort();
    await chunksOf(fromLanguageModel(model).stream(question({ signal })));
    assert.equal(listeners.size, 0);
  });
});
