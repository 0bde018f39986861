/**
 * Sending answers: one JSON value, or a stream of server-sent events at the script's pace.
 *
 * @module
 */
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { StreamStep } from "./protocol.ts";

/** How a scripted answer misbehaves on its way. */
export interface Pace {
  /** Pause after each piece, in milliseconds. */
  readonly delayMs: number;
  /** Drop the connection after the first piece. */
  readonly cut: boolean;
}

/** Sends one JSON value. */
export function replyJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/**
 * Sends one JSON value as late as a stream of so many pieces would have ended; a cut answer ends after its headers and
 * its first byte.
 */
export async function replyWhole(
  response: ServerResponse,
  body: unknown,
  pieces: number,
  pace: Pace,
): Promise<void> {
  if (!pace.cut) {
    await pause(response, pieces * pace.delayMs);
    replyJson(response, 200, body);
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  await write(response, "{", closeOf(response));
  response.destroy();
}

/** Sends a stream. Ends early, without an error, when the client goes away. */
export async function replyStream(
  response: ServerResponse,
  steps: Iterable<StreamStep>,
  { delayMs, cut }: Pace,
): Promise<void> {
  const gone = closeOf(response);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const step of steps) {
    if (response.destroyed) return;
    if (step.kind === "event") {
      const event = step.event === undefined ? "" : `event: ${step.event}\n`;
      await write(response, `${event}data: ${step.data}\n\n`, gone);
    } else if (cut) {
      response.destroy();
      return;
    } else {
      await pause(response, delayMs);
    }
  }
  response.end();
}

/** Fulfils when the bytes were handed to the system, or when there is nobody to take them any more. */
async function write(response: ServerResponse, text: string, gone: Promise<void>): Promise<void> {
  await Promise.race([new Promise<void>((resolve) => response.write(text, () => resolve())), gone]);
}

function closeOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}

async function pause(response: ServerResponse, ms: number): Promise<void> {
  if (ms === 0 || response.destroyed) return;
  const clientGone = new AbortController();
  const stop = (): void => clientGone.abort();
  response.once("close", stop);
  try {
    await delay(ms, undefined, { signal: clientGone.signal });
  } catch (error) {
    if (!clientGone.signal.aborted) throw error;
  } finally {
    response.off("close", stop);
  }
}
