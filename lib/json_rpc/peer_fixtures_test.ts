/**
 * What the tests of the peer share. It holds no test itself.
 *
 * @module
 */
import type { TransportClosedError } from "./errors.ts";
import { JsonRpcPeer, type JsonRpcPeerOptions } from "./peer.ts";
import { JsonRpcReplyError } from "./reply_error.ts";

/** Text to bytes. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A peer and everything it did. */
export interface Bench {
  /** The peer. */
  readonly peer: JsonRpcPeer;
  /** Lines the peer wrote. */
  readonly written: string[];
  /** Notifications it delivered. */
  readonly notified: unknown[];
  /** What it reported to onHandlerError. */
  readonly reported: unknown[];
  /** What it reported to onClose. */
  readonly closings: TransportClosedError[];
  /** Sends it text as one chunk. */
  send(text: string): void;
}

/** A peer whose surroundings write everything down. */
export function bench(options: Partial<JsonRpcPeerOptions> = {}): Bench {
  const written: string[] = [];
  const notified: unknown[] = [];
  const reported: unknown[] = [];
  const closings: TransportClosedError[] = [];
  const peer = new JsonRpcPeer({
    write: (line) => {
      written.push(line);
      return Promise.resolve();
    },
    onNotification: (method, params) => notified.push([method, params]),
    onRequest: (method) => {
      throw new JsonRpcReplyError(-32601, `No such method: ${method}`);
    },
    onHandlerError: (error) => reported.push(error),
    onClose: (error) => closings.push(error),
    ...options,
  });
  return { peer, written, notified, reported, closings, send: (text) => peer.receive(bytesOf(text)) };
}

/** Lets the event loop turn once. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** What a write to a broken pipe rejects with. */
export const brokenPipe: Error = new Error("EPIPE");
