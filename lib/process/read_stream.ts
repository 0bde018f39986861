/**
 * A child's stdout or stderr.
 *
 * @module
 */
import type { Readable } from "node:stream";
import type { ByteReceiver } from "./port.ts";

/**
 * Passes a stream on, its end once. Fulfils at the end.
 *
 * It has to be called in the tick of the spawn: what a stream without a reader holds is thrown away when the child
 * exits, in Node, Deno and Bun alike.
 */
export function readStream(stream: Readable, receiver: ByteReceiver): Promise<void> {
  return new Promise((resolve) => {
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      receiver.end();
      resolve();
    };
    stream.on("data", (chunk: Uint8Array) => receiver.data(chunk));
    stream.on("end", end);
    stream.on("close", end); // without "end" when the pipe broke or was destroyed
    stream.on("error", () => {}); // "close" follows; without a listener it would end the host
  });
}
