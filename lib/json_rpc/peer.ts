/**
 * A small JSON-RPC 2.0 peer that handles one message at a time, in wire order.
 *
 * @module
 */
import { checkLimit } from "./check_limit.ts";
import { encodeError, encodeNotification, encodeRequest, encodeResult } from "./encode.ts";
import { JsonRpcProtocolError, JsonRpcResponseError, TransportClosedError } from "./errors.ts";
import { type Frame, type JsonRpcId, readFrame, type RequestFrame, type ResponseFrame } from "./frame.ts";
import { LineScanner } from "./line_scanner.ts";
import { abortReason, PendingRequests, type RequestOptions } from "./pending_requests.ts";
import { JSON_RPC_INTERNAL_ERROR, JsonRpcReplyError } from "./reply_error.ts";
import { ReplyQueue } from "./reply_queue.ts";

const DEFAULT_MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
const DEFAULT_MAX_QUEUED_REPLY_BYTES = 1024 * 1024;

/** What a {@linkcode JsonRpcPeer} needs. */
export interface JsonRpcPeerOptions {
  /** Hands one line, LF included, to the peer. Called in order and never awaited by the reading side. */
  write(line: string): Promise<void>;
  /** Takes one notification, synchronously and in wire order. What it throws goes to `onHandlerError`. */
  onNotification(method: string, params: unknown): void;
  /**
   * Answers one request with its result or a promise of it. A thrown {@linkcode JsonRpcReplyError} is sent as it is;
   * anything else thrown, and a result that is not JSON-serialisable, as -32603 without any detail.
   */
  onRequest(method: string, params: unknown): unknown;
  /** Takes what handlers throw, {@linkcode JsonRpcReplyError} aside. What it throws itself is dropped. */
  onHandlerError?(error: unknown): void;
  /**
   * The connection is over, for whatever reason; called once, after everything pending was rejected with this error.
   * What it throws goes to `onHandlerError`.
   */
  onClose?(error: TransportClosedError): void;
  /** Largest message taken, in bytes. @default {33554432} */
  readonly maxMessageBytes?: number;
  /**
   * Most bytes of replies handed to `write` and not taken yet; one reply alone is always allowed. Past it the
   * connection fails: the peer floods us with requests and does not read. @default {1048576}
   */
  readonly maxQueuedReplyBytes?: number;
  /** Makes request ids; never one that is in use. @default {0, 1, 2, …} */
  readonly nextId?: () => JsonRpcId;
}

/**
 * One side of a JSON-RPC connection over lines.
 *
 * Order is what it is for: the handlers of all notifications in front of a response have run before the request's
 * promise settles, however the bytes were cut. What is no message, or answers no request of ours, is counted and
 * dropped: never answered, since a chatty program that does not read its input would stall on the answers, and never
 * printed.
 */
export class JsonRpcPeer {
  readonly #options: JsonRpcPeerOptions;
  readonly #nextId: () => JsonRpcId;
  readonly #scanner: LineScanner;
  readonly #pending = new PendingRequests();
  readonly #replies: ReplyQueue;
  readonly #inbox: (() => void)[] = [];
  #reading = false;
  #closedWith: TransportClosedError | undefined;
  #ignoredFrames = 0;

  /**
   * Starts a connection; nothing is written yet.
   *
   * @throws {RangeError} When a limit is not a positive integer.
   */
  constructor(options: JsonRpcPeerOptions) {
    const {
      maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES,
      maxQueuedReplyBytes = DEFAULT_MAX_QUEUED_REPLY_BYTES,
      nextId = countFromZero(),
    } = options;
    this.#options = options;
    this.#nextId = nextId;
    this.#replies = new ReplyQueue({
      maxBytes: checkLimit("maxQueuedReplyBytes", maxQueuedReplyBytes),
      write: (line) => this.#write(line),
    });
    this.#scanner = new LineScanner({
      maxLineBytes: checkLimit("maxMessageBytes", maxMessageBytes),
      onSpan: (bytes, start, end) => this.#take(readFrame(bytes, start, end)),
    });
  }

  /** Whether the connection is over. */
  get closed(): boolean {
    return this.#closedWith !== undefined;
  }

  /** How many lines were dropped: noise, broken messages, answers to no request of ours (late ones among them). */
  get ignoredFrames(): number {
    return this.#ignoredFrames;
  }

  /** How many requests wait for an answer. */
  get pendingRequests(): number {
    return this.#pending.size;
  }

  /** Takes bytes of the peer and handles the messages they finish. Never throws. The chunk is not kept. */
  receive(chunk: Uint8Array): void {
    if (!this.#reading) return this.#read(() => this.#scanner.push(chunk));
    const copy = new Uint8Array(chunk);
    this.#inbox.push(() => this.#scanner.push(copy));
  }

  /**
   * The peer's output is over: handles a last line without LF, then rejects everything pending with a
   * {@linkcode TransportClosedError} of this cause. Never throws.
   */
  end(cause?: unknown): void {
    const finish = (): void => {
      this.#scanner.end();
      this.#close(closedError("JSON-RPC input closed", cause));
    };
    if (this.#reading) this.#inbox.push(finish);
    else this.#read(finish);
  }

  /**
   * Closes this side at once: drops what was received but not handled, and rejects everything pending with a
   * {@linkcode TransportClosedError} of this cause. Never throws.
   */
  close(cause?: unknown): void {
    this.#close(closedError("JSON-RPC transport closed", cause));
  }

  /**
   * Calls a method and waits for its answer. An abort or a timeout ends the waiting only; the peer is not told.
   *
   * @returns The result as it came, unchecked.
   * @throws {JsonRpcResponseError} When the peer answered with an error.
   * @throws {JsonRpcProtocolError} When its answer is no response.
   * @throws {TransportClosedError} When the connection is or gets closed, or the request could not be written.
   * @throws {RequestTimeoutError} When no answer came within `timeoutMs`.
   * @throws {TypeError} When the params are not JSON-serialisable.
   * @throws {RangeError} When `timeoutMs` is not above 0.
   * @throws {unknown} The signal's reason if it is an Error, else an `AbortError` with the reason as its cause.
   */
  request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    try {
      return this.#request(method, params, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Calls a method that is not answered. Fulfils when the message was handed over.
   *
   * @throws {TransportClosedError} When the connection is closed or the message could not be written. A caller on its
   * way out, such as one that tells a dying peer about a cancellation, has to catch this.
   * @throws {TypeError} When the params are not JSON-serialisable.
   */
  async notify(method: string, params?: unknown): Promise<void> {
    const line = encodeNotification(method, params);
    if (this.#closedWith !== undefined) throw this.#closedWith;
    try {
      await this.#options.write(line);
    } catch (error) {
      throw closedError("JSON-RPC notification could not be written", error);
    }
  }

  #request(method: string, params: unknown, options: RequestOptions): Promise<unknown> {
    const { signal, timeoutMs } = options;
    if (timeoutMs !== undefined && !(timeoutMs > 0)) {
      throw new RangeError(`timeoutMs must be a number above 0, got ${timeoutMs}`);
    }
    if (signal?.aborted) throw abortReason(signal);
    const id = this.#nextId();
    if (this.#pending.has(id)) {
      throw new RangeError(`nextId() made an id that is in use: ${JSON.stringify(id)}`);
    }
    const line = encodeRequest(id, method, params);
    if (this.#closedWith !== undefined) throw this.#closedWith;
    // Waits before it writes: an in-memory peer answers within the call of write.
    const { answer, fail } = this.#pending.add(id, method, options);
    this.#write(line).catch((error) => fail(closedError("JSON-RPC request could not be written", error)));
    return answer;
  }

  async #write(line: string): Promise<void> {
    await this.#options.write(line);
  }

  // Bytes that arrive while a message is being handled, from an in-memory peer, wait for their turn.
  #read(step: () => void): void {
    this.#reading = true;
    try {
      for (let next: (() => void) | undefined = step; next !== undefined; next = this.#inbox.shift()) next();
    } catch (error) {
      // The line limit, or memory for the line that could not be had.
      this.#close(
        error instanceof TransportClosedError ? error : closedError("JSON-RPC input failed", error),
      );
      this.#inbox.length = 0;
    } finally {
      this.#reading = false;
    }
  }

  #take(frame: Frame): void {
    switch (frame.kind) {
      case "notification":
        return this.#guard(() => this.#options.onNotification(frame.method, frame.params));
      case "request":
        return this.#answer(frame);
      case "response":
        if (!this.#settle(frame)) this.#ignoredFrames++;
        return;
      case "junk":
        this.#ignoredFrames++;
    }
  }

  #settle({ id, outcome }: ResponseFrame): boolean {
    switch (outcome.kind) {
      case "result":
        if (!this.#pending.has(id)) return false;
        this.#guard(() => void this.#pending.resolve(id, outcome.result));
        return true;
      case "error":
        return this.#pending.has(id) && this.#pending.reject(id, new JsonRpcResponseError(outcome.error));
      case "malformed":
        return this.#pending.has(id) && this.#pending.reject(id, new JsonRpcProtocolError());
    }
  }

  #answer({ id, method, params }: RequestFrame): void {
    try {
      const result = this.#options.onRequest(method, params);
      if (!isPromiseLike(result)) return this.#reply(encodeResult(id, result));
      // A promise of the platform's own settles once, whatever a foreign thenable does.
      void Promise.resolve(result).then((value) => encodeResult(id, value))
        .catch((error) => this.#errorLine(id, error))
        .then((line) => this.#reply(line));
    } catch (error) {
      this.#reply(this.#errorLine(id, error));
    }
  }

  #errorLine(id: JsonRpcId, error: unknown): string {
    if (JsonRpcReplyError.is(error)) return encodeError(id, error.code, error.message);
    this.#report(error);
    // No detail: the text of a host's exception is none of the peer's business.
    return encodeError(id, JSON_RPC_INTERNAL_ERROR, "Internal error");
  }

  #reply(line: string): void {
    if (this.closed) return;
    const refusal = this.#replies.push(line);
    if (refusal !== undefined) this.#close(refusal);
  }

  #close(error: TransportClosedError): void {
    if (this.closed) return;
    this.#closedWith = error;
    this.#scanner.close();
    this.#pending.rejectAll(error);
    this.#guard(() => this.#options.onClose?.(error));
  }

  // A handler that throws must not stop the reading: the messages behind it are owed to others.
  // One that is async against its contract must not end the host with an unhandled rejection.
  #guard(handler: () => unknown): void {
    try {
      const returned = handler();
      if (isPromiseLike(returned)) void Promise.resolve(returned).catch((error) => this.#report(error));
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    try {
      this.#options.onHandlerError?.(error);
    } catch {
      // There is nobody left to tell.
    }
  }
}

function countFromZero(): () => number {
  let next = 0;
  return () => next++;
}

function closedError(message: string, cause: unknown): TransportClosedError {
  return new TransportClosedError(message, cause === undefined ? undefined : { cause });
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { then?: unknown }).then === "function";
}
