/**
 * Requests that wait for an answer.
 *
 * @module
 */
import { RequestTimeoutError } from "./errors.ts";
import type { JsonRpcId } from "./frame.ts";

// A longer delay makes setTimeout fire at once; this one is 24 days.
const LONGEST_TIMER_MS = 2_147_483_647;

/** Bounds of one request. */
export interface RequestOptions {
  /** Gives up waiting: the request rejects with the signal's reason. The peer is not told. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Takes the result the moment its response is handled, before the next message is looked at; the promise settles a
   * little later. What it throws goes to `onHandlerError` and changes nothing.
   */
  readonly onResult?: (result: unknown) => void;
  /** Gives up waiting after so many milliseconds, a number above 0. @default {Infinity} */
  readonly timeoutMs?: number | undefined;
}

/** One request that waits. */
export interface PendingRequest {
  /** Settles once. */
  readonly answer: Promise<unknown>;
  /** Rejects it and forgets it, unless it is settled already. */
  readonly fail: (error: unknown) => void;
}

interface Waiter {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** Takes away what would keep it alive: timer and abort listener. */
  release(): void;
}

/**
 * The requests under way, by id. A request leaves as soon as it settles, however it settles. Nothing is remembered of
 * it: a late answer is an answer to an unknown id.
 */
export class PendingRequests {
  readonly #waiters = new Map<JsonRpcId, Waiter>();

  /** How many there are. */
  get size(): number {
    return this.#waiters.size;
  }

  /** Tells whether a request with this id is under way. */
  has(id: JsonRpcId): boolean {
    return this.#waiters.has(id);
  }

  /** Adds a request. Its id is not in use, its signal not aborted. */
  add(id: JsonRpcId, method: string, options: RequestOptions): PendingRequest {
    const { signal, timeoutMs = Infinity, onResult } = options;
    let fail!: (error: unknown) => void;
    const answer = new Promise<unknown>((resolve, reject) => {
      const release = onGivingUp(method, { signal, timeoutMs }, (error) => fail(error));
      const take = (result: unknown): void => {
        resolve(result);
        onResult?.(result);
      };
      const waiter: Waiter = { resolve: take, reject, release };
      fail = (error) => {
        if (this.#waiters.get(id) === waiter) this.reject(id, error);
      };
      this.#waiters.set(id, waiter);
    });
    return { answer, fail };
  }

  /** Takes the result of a request. Tells whether there was such a request. */
  resolve(id: JsonRpcId, result: unknown): boolean {
    const waiter = this.#remove(id);
    waiter?.resolve(result);
    return waiter !== undefined;
  }

  /** Takes the failure of a request. Tells whether there was such a request. */
  reject(id: JsonRpcId, error: unknown): boolean {
    const waiter = this.#remove(id);
    waiter?.reject(error);
    return waiter !== undefined;
  }

  /** Rejects every request. */
  rejectAll(error: unknown): void {
    for (const id of [...this.#waiters.keys()]) this.reject(id, error);
  }

  #remove(id: JsonRpcId): Waiter | undefined {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    waiter?.release();
    return waiter;
  }
}

/** Reports the abort of the signal or the end of the time, until it is released. */
function onGivingUp(
  method: string,
  { signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
  report: (error: unknown) => void,
): () => void {
  const onAbort = (): void => report(abortReason(signal!));
  signal?.addEventListener("abort", onAbort);
  const timer = timeoutMs === Infinity ? undefined : setTimeout(
    () => report(new RequestTimeoutError(method, timeoutMs)),
    Math.min(timeoutMs, LONGEST_TIMER_MS),
  );
  return () => {
    signal?.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  };
}

/** The reason of an aborted signal as something to reject with: itself if it is an Error, else an AbortError around it. */
export function abortReason(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  if (reason instanceof Error) return reason;
  const error = new Error("The JSON-RPC request was aborted", { cause: reason });
  return Object.defineProperty(error, "name", { value: "AbortError", configurable: true, writable: true });
}
